package io.tarpon.metadata.node;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class ReplicasTest {
    private static final long SECOND = 1_000_000_000;
    private static final long BEGUN = 7 * SECOND;

    private final Replicas replicas = new Replicas(Duration.ofSeconds(5), BEGUN);

    @Test
    void nothingIsKnownBeforeEveryOneThatLivesHadTheTimeToSpeak() {
        replicas.listening("a", 5, at(1));
        assertThat(replicas.allRead(5, at(4))).isFalse();
        assertThat(replicas.allRead(5, at(5))).isTrue();
    }

    @Test
    void oneThatReadsLessIsEnough() {
        replicas.listening("a", 5, at(6));
        replicas.listening("b", 4, at(6));
        assertThat(replicas.allRead(5, at(7))).isFalse();
        assertThat(replicas.allRead(4, at(7))).isTrue();
    }

    @Test
    void whoIsSilentForTooLongDoesNotCount() {
        replicas.listening("b", 4, at(1));
        replicas.listening("a", 5, at(6));
        assertThat(replicas.allRead(5, at(6))).isFalse();
        assertThat(replicas.allRead(5, at(7))).isTrue();
    }

    @Test
    void whoIsNotUnderstoodMayBeAnOldOne() {
        replicas.listening("a", 5, at(6));
        replicas.notUnderstood(at(6));
        assertThat(replicas.allRead(4, at(7))).isFalse();
        replicas.listening("a", 5, at(12));
        assertThat(replicas.allRead(5, at(12))).isTrue();
    }

    @Test
    void whoHearsNobodyKnowsNothing() {
        assertThat(replicas.allRead(4, at(9))).isFalse();
    }

    private static long at(long seconds) {
        return BEGUN + seconds * SECOND;
    }
}
