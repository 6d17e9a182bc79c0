package io.tarpon.cli.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

class WorkTest {
    private static final String NAME = "kafka_consumer_fetch_manager_records_lag";

    @Test
    void lagIsSummedOverPartitionsAndOtherGaugesAreLeftAlone() {
        var metrics = """
                # HELP %1$s The latest lag of the partition
                # TYPE %1$s gauge
                %1$s{client_id="c",partition="0",topic="tarpon.plans"} 3.0
                %1$s{client_id="c",partition="1",topic="tarpon.plans"} 4.0
                %1$s{client_id="c",partition="0",topic="tarpon.uploads"} 1.5E3
                %1$s_max{client_id="c",partition="0",topic="tarpon.plans"} 99.0
                other{topic="tarpon.plans"} 7.0
                """.formatted(NAME);
        assertThat(Work.lagByTopic(metrics)).isEqualTo(Map.of("tarpon.plans", 7L, "tarpon.uploads", 1500L));
    }

    @Test
    void aPartitionThatIsToldOfByTwoNamesCountsOnce() {
        var metrics = """
                %1$s{partition="0",topic="tarpon_plans"} 3.0
                %1$s{partition="0",topic="tarpon.plans"} 3.0
                """.formatted(NAME);
        assertThat(Work.lagByTopic(metrics)).isEqualTo(Map.of("tarpon.plans", 3L));
    }

    @Test
    void aPartitionThatWasNotReadYetCountsAsNothing() {
        assertThat(Work.lagByTopic(NAME + "{partition=\"0\",topic=\"t\"} NaN\n"))
                .isEqualTo(Map.of("t", 0L));
        assertThat(Work.lagByTopic("")).isEmpty();
    }
}
