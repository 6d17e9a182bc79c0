package io.tarpon.cli.command;

import static org.assertj.core.api.Assertions.assertThat;

import io.tarpon.testkit.FakeService;
import io.tarpon.wire.DatasetName;
import io.tarpon.wire.VersionId;
import io.tarpon.wire.json.Json;
import io.tarpon.wire.metadata.DatasetSpec;
import io.tarpon.wire.metadata.Inputs;
import io.tarpon.wire.metadata.VersionProgress;
import io.tarpon.wire.metadata.VersionRecord;
import io.tarpon.wire.metadata.VersionState;
import io.tarpon.wire.metadata.VersionsInWork;
import java.io.IOException;
import java.net.URI;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
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

    private static VersionRecord version(int number, VersionState state) {
        return new VersionRecord(
                new DatasetName("demo"),
                new VersionId(number),
                state,
                9,
                "r",
                null,
                null,
                null,
                null,
                null,
                null,
                DatasetSpec.of("file:///data"),
                Inputs.NONE,
                List.of(),
                Instant.EPOCH,
                null);
    }

    @Test
    void versionsThatStandStillComeFirstAndThoseThatEndedMeanwhileNotAtAll() throws IOException {
        var now = Instant.parse("2026-01-01T00:10:00Z");
        try (var metadata = new FakeService()) {
            for (var state : List.of(VersionState.SEALED, VersionState.BUILDING)) {
                var number = state == VersionState.SEALED ? 1 : 2;
                metadata.on(
                        "/v1/datasets/demo/versions/v" + number,
                        FakeService.bytes(200, Json.bytes(version(number, state))));
            }
            metadata.on(
                    "/v1/datasets/demo/versions/v3",
                    FakeService.bytes(200, Json.bytes(version(3, VersionState.BUILDING))));
            var query = "/v1/versions?state=%s&limit=1000";
            metadata.on(query.formatted("planning"), page(now, null, 1, now))
                    .on(query.formatted("building"), page(now, "demo/v2", 2, now.minusSeconds(7)))
                    .on(query.formatted("building") + "&after=demo%2Fv2", page(now, null, 3, now.minusSeconds(600)));
            var versions = Work.versions(List.of(URI.create(metadata.url()))).orElseThrow();
            assertThat(versions.stream().map(version -> version.version() + " " + version.stillSeconds()))
                    .containsExactly("v3 600", "v2 7");
        }
        assertThat(Work.versions(List.of(URI.create("http://127.0.0.1:1")))).isEmpty();
    }

    private static FakeService.Answer page(Instant at, @Nullable String next, int number, Instant progressAt) {
        var progress = new VersionProgress(
                new DatasetName("demo"), new VersionId(number), VersionState.BUILDING, progressAt, 3, 1);
        return FakeService.bytes(200, Json.bytes(new VersionsInWork(at, List.of(progress), next)));
    }
}
