package io.tarpon.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import io.tarpon.testkit.FakeService;
import io.tarpon.wire.DatasetName;
import io.tarpon.wire.ShardName;
import io.tarpon.wire.ShardRef;
import io.tarpon.wire.SplitName;
import io.tarpon.wire.VersionId;
import io.tarpon.wire.client.MetadataClient;
import io.tarpon.wire.event.TarponEvent;
import io.tarpon.wire.json.Json;
import io.tarpon.wire.metadata.DatasetSpec;
import io.tarpon.wire.metadata.Inputs;
import io.tarpon.wire.metadata.ShardPage;
import io.tarpon.wire.metadata.ShardRecord;
import io.tarpon.wire.metadata.SplitRecord;
import io.tarpon.wire.metadata.VersionRecord;
import io.tarpon.wire.metadata.VersionState;
import java.io.IOException;
import java.net.URI;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class ExpectedEventsTest {
    private static final DatasetName DEMO = new DatasetName("demo");
    private static final VersionId V2 = new VersionId(2);
    private static final SplitName TRAIN = new SplitName("train");
    private static final String DIGEST = "ab".repeat(32);
    private static final TarponEvent PLANNED = new TarponEvent.VersionPlanned(DEMO, V2, 5, 3, 30);
    private static final TarponEvent SEALED = new TarponEvent.VersionSealed(DEMO, V2, 9, 3, 30);

    private final ExpectedEvents expected = new ExpectedEvents();

    private static VersionRecord version(VersionState state) {
        var reason = state == VersionState.SEALED ? null : "why";
        return new VersionRecord(
                DEMO,
                V2,
                state,
                9,
                "r",
                reason,
                null,
                null,
                null,
                null,
                null,
                DatasetSpec.of("file:///data"),
                Inputs.NONE,
                List.of(new SplitRecord(TRAIN, null, 3, 30, 3, 3, 30, new TreeMap<>())),
                Instant.EPOCH,
                null);
    }

    private static PublishedEvents told(TarponEvent... events) throws IOException {
        var lines = new ArrayList<String>();
        for (var event : events) {
            lines.add(PublishedEventsTest.line("id-" + lines.size(), event));
        }
        return PublishedEvents.read(lines.stream());
    }

    private static ExpectedEvents.Event ofVersion(String type) {
        return new ExpectedEvents.Event(type, "demo/v2");
    }

    @Test
    void aSealedVersionWasPlannedAndSealed() throws IOException {
        expected.of(version(VersionState.SEALED));
        assertThat(expected.missing(told(PLANNED, SEALED))).isEmpty();
        assertThat(expected.missing(told(SEALED))).containsExactly(ofVersion(TarponEvent.VersionPlanned.TYPE));
        assertThat(expected.missing(told(PLANNED))).containsExactly(ofVersion(TarponEvent.VersionSealed.TYPE));
    }

    @Test
    void whatARemovedVersionWasBeforeIsStillExpected() throws IOException {
        expected.of(version(VersionState.FAILED));
        expected.of(version(VersionState.SEALED));
        expected.of(version(VersionState.REMOVED));
        assertThat(expected.missing(told()))
                .containsExactly(
                        ofVersion(TarponEvent.VersionFailed.TYPE),
                        ofVersion(TarponEvent.VersionPlanned.TYPE),
                        ofVersion(TarponEvent.VersionSealed.TYPE),
                        ofVersion(TarponEvent.VersionRemoved.TYPE));
    }

    @Test
    void aVersionThatWasDroppedForItsEqualOrIsInWorkNeedNotHaveBeenPlanned() throws IOException {
        expected.of(version(VersionState.PLANNING));
        expected.of(version(VersionState.BUILDING));
        expected.of(version(VersionState.REMOVED));
        assertThat(expected.missing(told(new TarponEvent.VersionRemoved(DEMO, V2, 9, "same plan as v1"))))
                .isEmpty();
    }

    @Test
    void everyShardThatWasBuiltIsExpectedAndNoneThatIsKept() throws IOException {
        var kept = new ShardRef(DEMO, new VersionId(1), TRAIN, new ShardName(0));
        var path = "/v1/datasets/demo/versions/v2/splits/train/shards?limit=10000";
        try (var service = new FakeService();
                var metadata = MetadataClient.readOnly(URI.create(service.url()))) {
            service.on(
                    path,
                    FakeService.bytes(
                            200, Json.bytes(new ShardPage(List.of(shard(0, kept), shard(1, null)), new ShardName(1)))));
            service.on(
                    path + "&after=shard-000001",
                    FakeService.bytes(200, Json.bytes(new ShardPage(List.of(shard(2, null)), null))));
            expected.builtFor(version(VersionState.SEALED), metadata);
        }
        assertThat(expected.missing(told(sealed(1), PLANNED, SEALED)))
                .containsExactly(new ExpectedEvents.Event(TarponEvent.ShardSealed.TYPE, "demo/v2/train/shard-000002"));
        assertThat(expected.missing(told(sealed(1), sealed(2)))).isEmpty();
    }

    private static ShardRecord shard(int number, ShardRef home) {
        return new ShardRecord(new ShardName(number), 1, 10, DIGEST, home, null);
    }

    private static TarponEvent sealed(int number) {
        return new TarponEvent.ShardSealed(DEMO, V2, TRAIN, new ShardName(number), 7, 1, 10, DIGEST, "00000000");
    }
}
