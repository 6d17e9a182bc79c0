package io.tarpon.metadata.log;

import static io.tarpon.metadata.log.MetadataLogContract.bytes;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class OwnEntriesTest {
    private final OwnEntries own = new OwnEntries(10);

    @Test
    void entriesAreGivenOnceAndInOrderUpToTheFirstThatIsNotHere() {
        own.acknowledged(2, bytes("b"));
        own.acknowledged(1, bytes("a"));
        own.acknowledged(4, bytes("d"));
        assertThat(own.take(0, 10)).containsExactly(bytes("a"), bytes("b"));
        assertThat(own.take(2, 10)).isEmpty();
        assertThat(own.isEmpty()).isFalse();
        assertThat(own.take(3, 10)).containsExactly(bytes("d"));
        assertThat(own.isEmpty()).isTrue();
    }

    @Test
    void noMoreAreGivenThanAreWanted() {
        own.acknowledged(1, bytes("a"));
        own.acknowledged(2, bytes("b"));
        assertThat(own.take(0, 1)).containsExactly(bytes("a"));
        assertThat(own.take(1, 1)).containsExactly(bytes("b"));
    }

    @Test
    void whatWasReadElsewhereIsNotHeld() {
        own.acknowledged(1, bytes("a"));
        own.acknowledged(2, bytes("b"));
        own.read(2);
        own.acknowledged(2, bytes("b"));
        assertThat(own.isEmpty()).isTrue();
    }

    @Test
    void whatFindsNoRoomIsLeftToTheBroker() {
        own.acknowledged(1, bytes("12345678"));
        own.acknowledged(2, bytes("345"));
        own.acknowledged(3, bytes("67"));
        assertThat(own.take(0, 10)).containsExactly(bytes("12345678"));
        assertThat(own.take(2, 10)).containsExactly(bytes("67"));
        own.acknowledged(4, bytes("1234567890"));
        assertThat(own.take(3, 10)).containsExactly(bytes("1234567890"));
    }

    @Test
    void whoWatchesIsToldOfWhatComesAndOnlyWhereNothingIsHere() {
        var told = new AtomicInteger();
        assertThat(own.watch(told::incrementAndGet)).isTrue();
        own.acknowledged(1, bytes("a"));
        assertThat(told).hasValue(1);
        own.unwatch();
        own.acknowledged(2, bytes("b"));
        assertThat(told).hasValue(1);
        assertThat(own.watch(told::incrementAndGet)).isFalse();
        own.acknowledged(3, bytes("c"));
        assertThat(told).hasValue(1);
    }

    @Test
    void whoWaitsGoesOnWithTheFirstThatComesOrWithoutOne() throws Exception {
        own.await(Duration.ofMillis(1));
        var waiting = CompletableFuture.runAsync(() -> {
            try {
                own.await(Duration.ofMinutes(10));
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        });
        own.acknowledged(1, bytes("a"));
        waiting.join();
        assertThat(own.isEmpty()).isFalse();
    }
}
