package io.tarpon.k8s.scaler;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tarpon.k8s.scaler.LagTrigger.Partition;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class LagTriggerTest {
    private static final int PARTITIONS = 12;

    private static LagTrigger trigger(String... settings) {
        var metadata = new HashMap<>(Map.of("consumerGroup", "g", "topic", "t", "lagThreshold", "2"));
        for (int i = 0; i < settings.length; i += 2) {
            metadata.put(settings[i], settings[i + 1]);
        }
        return LagTrigger.of(metadata);
    }

    private static List<Partition> lags(long... lags) {
        return LongStream.of(lags)
                .mapToObj(lag -> new Partition(100, 100 + lag))
                .toList();
    }

    private static int fromOne(Signal signal) {
        return signal.wanted(1);
    }

    @Test
    void lagIsWhatIsBetweenCommitAndEndOfEachPartition() {
        var signal = trigger().signal(lags(3, 0, 2));
        assertThat(signal.metric()).isEqualTo(5);
        assertThat(fromOne(signal)).isEqualTo(3);
    }

    @Test
    void aGroupWithoutCommitHasEverythingBeforeItFromTheEarliest() {
        var untouched = List.of(new Partition(Partition.NO_COMMIT, 3), new Partition(Partition.NO_COMMIT, 0));
        assertThat(trigger("offsetResetPolicy", "earliest").signal(untouched)).isEqualTo(new Signal(3, 2, true));
    }

    @Test
    void aGroupWithoutCommitThatReadsFromTheLatestNeverSleeps() {
        var untouched = Collections.nCopies(4, new Partition(Partition.NO_COMMIT, 0));
        assertThat(trigger("offsetResetPolicy", "latest").signal(untouched)).isEqualTo(new Signal(4, 2, true));
        assertThat(trigger().signal(untouched)).as("KEDA's default").isEqualTo(new Signal(4, 2, true));
    }

    @Test
    void withoutCommitNothingCountsWhereItIsToBeZero() {
        var untouched = List.of(new Partition(Partition.NO_COMMIT, 7), new Partition(2, 5));
        for (var policy : List.of("earliest", "latest")) {
            var trigger = trigger("offsetResetPolicy", policy, "scaleToZeroOnInvalidOffset", "true");
            assertThat(trigger.signal(untouched)).as(policy).isEqualTo(new Signal(3, 2, true));
        }
    }

    @Test
    void moreReplicasThanPartitionsAreWantedOnlyWhereTheyMayIdle() {
        var lag = lags(20, 20, 20);
        assertThat(fromOne(trigger().signal(lag))).isEqualTo(3);
        assertThat(fromOne(trigger("allowIdleConsumers", "true").signal(lag))).isEqualTo(30);
    }

    @Test
    void theLimitToPartitionsWithLagGivesAnotherAnswerThanTheFormulaWithoutIt() {
        var oneBehind = lags(40, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0);
        assertThat(fromOne(trigger("limitToPartitionsWithLag", "true").signal(oneBehind)))
                .isEqualTo(1);
        assertThat(fromOne(trigger().signal(oneBehind))).isEqualTo(PARTITIONS);
        assertThat(fromOne(trigger("allowIdleConsumers", "true").signal(oneBehind)))
                .isEqualTo(20);
    }

    /// 25 by 2 is 12 and no more than 12 partitions, so KEDA leaves it, and the HPA rounds 12.5 up.
    @Test
    void lessThanAReplicasWorthAboveTheLimitIsLeftToTheHpaWhichRoundsItUp() {
        var lag = lags(3, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2);
        assertThat(lag).hasSize(PARTITIONS);
        assertThat(fromOne(trigger("limitToPartitionsWithLag", "true").signal(lag)))
                .isEqualTo(PARTITIONS + 1);
    }

    @Test
    void onlyMoreThanTheActivationThresholdWakes() {
        var trigger = trigger("activationLagThreshold", "5");
        assertThat(trigger.signal(lags(2, 3)).isActive()).isFalse();
        assertThat(trigger.signal(lags(3, 3)).isActive()).isTrue();
        assertThat(trigger().signal(lags(0, 0)).isActive()).isFalse();
        assertThat(trigger().signal(lags(0, 1)).isActive()).isTrue();
    }

    @Test
    void whatItDoesNotKnowAndWhatKedaRefusesIsRefused() {
        assertThatThrownBy(() -> trigger("excludePersistentLag", "true")).hasMessageContaining("excludePersistentLag");
        assertThatThrownBy(() -> trigger("partitionLimitation", "1,2")).hasMessageContaining("partitionLimitation");
        assertThatThrownBy(() -> trigger("lagThreshold", "0")).hasMessageContaining("lagThreshold 0");
        assertThatThrownBy(() -> trigger("allowIdleConsumers", "true", "limitToPartitionsWithLag", "true"))
                .hasMessageContaining("not both");
        assertThat(trigger("excludePersistentLag", "false").lagThreshold()).isEqualTo(2);
    }
}
