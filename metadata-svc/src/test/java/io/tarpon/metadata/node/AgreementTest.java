package io.tarpon.metadata.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.tarpon.metadata.image.WindowDigest;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class AgreementTest {
    private static final long SECOND = 1_000_000_000;

    private final Agreement agreement = new Agreement("self", Duration.ofSeconds(5));

    @Test
    void thoseThatCameToTheSameAgree() {
        agreement.replayed(window(1024, "a"));
        agreement.heard("b", List.of(window(1024, "a")), 0);
        assertThat(agreement.divergence(100 * SECOND)).isEmpty();
        assertThat(agreement.agreedUpTo()).isEqualTo(1024);
    }

    @Test
    void theOneOfThreeThatDiffersIsWrongAtOnce() {
        agreement.replayed(window(1024, "a"));
        agreement.heard("b", List.of(window(1024, "x")), 0);
        assertThat(agreement.divergence(0)).isEmpty();
        agreement.heard("c", List.of(window(1024, "x")), 1);
        assertThat(agreement.divergence(1))
                .hasValueSatisfying(
                        why -> assertThat(why).contains("up to 1024").contains("2 of 3"));
    }

    @Test
    void twoOfThreeThatAgreeGoOn() {
        agreement.replayed(window(1024, "a"));
        agreement.heard("b", List.of(window(1024, "x")), 0);
        agreement.heard("c", List.of(window(1024, "a")), 1);
        agreement.heard("b", List.of(), 4 * SECOND);
        agreement.heard("c", List.of(), 8 * SECOND);
        agreement.heard("b", List.of(), 9 * SECOND);
        assertThat(agreement.divergence(9 * SECOND)).isEmpty();
    }

    @Test
    void whereNobodyKnowsWhoIsWrongBothAreAfterAWhile() {
        agreement.replayed(window(1024, "a"));
        agreement.heard("b", List.of(window(1024, "x")), 0);
        assertThat(agreement.divergence(SECOND)).isEmpty();
        agreement.heard("b", List.of(window(1024, "x")), 4 * SECOND);
        assertThat(agreement.divergence(6 * SECOND - 1)).isEmpty();
        assertThat(agreement.divergence(6 * SECOND)).isPresent();
        assertThat(agreement.latest()).as("who is wrong tells nothing").isEmpty();
    }

    @Test
    void whoStoppedIsNobodysJudgeWhenOthersAreSilent() {
        agreement.replayed(window(1024, "a"));
        agreement.heard("b", List.of(window(1024, "a")), 0);
        agreement.heard("wrong", List.of(window(1024, "x")), 0);
        assertThat(agreement.divergence(0)).isEmpty();
        for (var second = 1; second < 60; second++) {
            agreement.heard("wrong", List.of(), second * SECOND);
            assertThat(agreement.divergence(second * SECOND)).isEmpty();
        }
    }

    @Test
    void aTieBeginsWhenItDoesAndEndsWithTheNextWhoAgrees() {
        agreement.replayed(window(1024, "a"));
        agreement.heard("b", List.of(window(1024, "a")), 0);
        for (var second = 0; second < 60; second++) {
            agreement.heard("wrong", List.of(window(1024, "x")), second * SECOND);
            if (second % 8 == 0) {
                agreement.heard("b", List.of(window(1024, "a")), second * SECOND);
            }
            assertThat(agreement.divergence(second * SECOND)).isEmpty();
        }
    }

    @Test
    void whoHasDifferedDoesNotComeToAgree() {
        agreement.replayed(window(1024, "a"));
        agreement.heard("b", List.of(window(1024, "x")), 0);
        agreement.replayed(window(2048, "b"));
        agreement.heard("b", List.of(window(2048, "b")), 4 * SECOND);
        assertThat(agreement.divergence(4 * SECOND)).isEmpty();
        assertThat(agreement.divergence(9 * SECOND)).isPresent();
    }

    @Test
    void whoIsSilentForTooLongDoesNotCount() {
        agreement.replayed(window(1024, "a"));
        agreement.heard("b", List.of(window(1024, "x")), 0);
        agreement.heard("c", List.of(), 6 * SECOND);
        assertThat(agreement.divergence(6 * SECOND)).isEmpty();
    }

    @Test
    void whatCannotBeComparedIsNot() {
        agreement.replayed(window(1024, "a"));
        agreement.heard("b", List.of(window(2048, "x")), 0);
        agreement.heard("c", List.of(new WindowDigest("log", 2, 1024, "x")), 0);
        agreement.heard("d", List.of(new WindowDigest("another", 1, 1024, "x")), 0);
        agreement.heard("self", List.of(window(1024, "x")), 0);
        assertThat(agreement.divergence(5 * SECOND)).isEmpty();
        assertThat(agreement.agreedUpTo()).isZero();
    }

    @Test
    void theLatestAreToldAndTheOldestForgotten() {
        for (var number = 1; number <= 300; number++) {
            agreement.replayed(window(number, "a"));
        }
        assertThat(agreement.latest()).hasSize(16).first().isEqualTo(window(300, "a"));
        agreement.heard("b", List.of(window(44, "x")), 0);
        agreement.heard("c", List.of(window(44, "x")), 0);
        assertThat(agreement.divergence(0)).isEmpty();
        agreement.heard("b", List.of(window(45, "x")), 0);
        agreement.heard("c", List.of(window(45, "x")), 0);
        assertThat(agreement.divergence(0)).isPresent();
    }

    private static WindowDigest window(long end, String sum) {
        return new WindowDigest("log", 1, end, sum);
    }
}
