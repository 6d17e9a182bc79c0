package io.tarpon.metadata;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tarpon.wire.http.ProblemType;
import io.tarpon.wire.http.TarponException;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class ReadBudgetTest {
    private static final Duration LONG = Duration.ofSeconds(30);

    @Test
    void oneListMoreThanThereIsRoomForIsRefusedUntilOneIsRead() {
        var budget = new ReadBudget(2 * ReadBudget.PAGE_BYTES, Duration.ofMillis(10), LONG);
        var first = budget.lease(Duration.ZERO);
        try (var second = budget.lease(Duration.ZERO)) {
            assertThat(second).isNotSameAs(first);
            refuses(budget);
            first.close();
            // Told twice, as by an end and a connection that went: it frees its own room only.
            first.close();
            try (var third = budget.lease(Duration.ZERO)) {
                assertThat(third).isNotSameAs(second);
                refuses(budget);
            }
        }
    }

    @Test
    void whoWaitsGetsTheRoomOfWhoIsDone() throws InterruptedException {
        var budget = new ReadBudget(ReadBudget.PAGE_BYTES, LONG, LONG);
        var first = budget.lease(Duration.ZERO);
        var waiter = Thread.startVirtualThread(() -> budget.lease(Duration.ZERO).close());
        assertThat(waiter.join(Duration.ofMillis(50))).isFalse();
        first.close();
        assertThat(waiter.join(LONG)).isTrue();
    }

    @Test
    void whoCameTooLongAgoIsRefusedThoughThereIsRoom() {
        var budget = new ReadBudget(ReadBudget.PAGE_BYTES, Duration.ofMillis(10), LONG);
        assertThatThrownBy(() -> budget.lease(Duration.ofMillis(11)))
                .isInstanceOfSatisfying(
                        TarponException.class,
                        refused -> assertThat(refused.type()).isEqualTo(ProblemType.OVERLOADED));
        try (var lease = budget.lease(Duration.ofMillis(9))) {
            assertThat(lease).isNotNull();
        }
    }

    private static void refuses(ReadBudget budget) {
        assertThatThrownBy(() -> budget.lease(Duration.ZERO)).isInstanceOfSatisfying(TarponException.class, refused -> {
            assertThat(refused.type()).isEqualTo(ProblemType.OVERLOADED);
            assertThat(refused.detail()).contains("tarpon.metadata.read-bytes");
        });
    }
}
