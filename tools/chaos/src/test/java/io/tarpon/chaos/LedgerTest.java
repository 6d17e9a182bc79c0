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
import io.tarpon.wire.metadata.DatasetRecord;
import io.tarpon.wire.metadata.DatasetSpec;
import io.tarpon.wire.metadata.Inputs;
import io.tarpon.wire.metadata.SealShard;
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

class LedgerTest {
    private static final DatasetName DEMO = new DatasetName("demo");
    private static final VersionId V1 = new VersionId(1);
    private static final VersionId V2 = new VersionId(2);
    private static final SplitName TRAIN = new SplitName("train");
    private static final ShardRef SHARD = new ShardRef(DEMO, V1, TRAIN, new ShardName(0));
    private static final TarponEvent PLANNED = new TarponEvent.VersionPlanned(DEMO, V1, 2, 1, 10);
    private static final TarponEvent SHARD_SEALED =
            new TarponEvent.ShardSealed(DEMO, V1, TRAIN, new ShardName(0), 3, 1, 10, "ab".repeat(32), "00000000");
    private static final TarponEvent SEALED = new TarponEvent.VersionSealed(DEMO, V1, 3, 1, 10);

    private final Ledger ledger = new Ledger(DEMO);

    private void sealOne() {
        ledger.begun(V1, "r1");
        ledger.planned(V1);
        ledger.sealed(SHARD, seal("ab"));
        ledger.isSealed(V1);
    }

    @Test
    void whatIsKnownAsItWasAcknowledgedIsWell() throws IOException {
        sealOne();
        ledger.begun(V2, "r2");
        ledger.failed(V2);
        assertThat(contradictions(
                        seal("ab"), version(V1, "r1", VersionState.SEALED), version(V2, "r2", VersionState.FAILED)))
                .isEmpty();
    }

    @Test
    void aLostVersionIsSaid() throws IOException {
        sealOne();
        assertThat(contradictions(seal("ab"))).containsExactly("demo@v1 was acknowledged and is not known");
    }

    @Test
    void aVersionThatNobodyWasToldOfIsSaid() throws IOException {
        ledger.begun(V1, "r1");
        assertThat(contradictions(
                        seal("ab"), version(V1, "r1", VersionState.PLANNING), version(V2, "r1", VersionState.PLANNING)))
                .singleElement()
                .asString()
                .startsWith("demo@v2 was never acknowledged");
    }

    @Test
    void aVersionThatWentBackIsSaid() throws IOException {
        sealOne();
        assertThat(contradictions(seal("ab"), version(V1, "r1", VersionState.BUILDING)))
                .containsExactly("demo@v1 is building, and it was acknowledged that it is sealed");
    }

    @Test
    void aVersionOfAnotherRequestIsSaid() throws IOException {
        ledger.begun(V1, "r1");
        assertThat(contradictions(seal("ab"), version(V1, "r2", VersionState.PLANNING)))
                .containsExactly("demo@v1 was begun for r2, not for r1");
    }

    @Test
    void anotherSealIsSaid() throws IOException {
        sealOne();
        assertThat(contradictions(seal("cd"), version(V1, "r1", VersionState.SEALED)))
                .singleElement()
                .asString()
                .startsWith("demo/v1/train/shard-000000 has the seal");
    }

    @Test
    void eachChangeIsToldOnce() throws IOException {
        sealOne();
        assertThat(ledger.otherwiseTold(told(PLANNED, SHARD_SEALED, SEALED))).isEmpty();
        assertThat(ledger.otherwiseTold(told(PLANNED, SHARD_SEALED)))
                .containsExactly(TarponEvent.VersionSealed.TYPE + " of demo/v1 was told 0 times, not 1");
        assertThat(ledger.otherwiseTold(told(PLANNED, PLANNED, SHARD_SEALED, SEALED)))
                .containsExactly(TarponEvent.VersionPlanned.TYPE + " of demo/v1 was told 2 times, not 1");
    }

    @Test
    void aChangeThatNobodyAskedForIsSaid() throws IOException {
        sealOne();
        var failed = new TarponEvent.VersionFailed(DEMO, V1, 4, "by itself");
        assertThat(ledger.otherwiseTold(told(PLANNED, SHARD_SEALED, SEALED, failed)))
                .containsExactly("4 events were told of demo, and 3 changes acknowledged");
    }

    private static PublishedEvents told(TarponEvent... events) throws IOException {
        var lines = new ArrayList<String>();
        for (var event : events) {
            lines.add(PublishedEventsTest.line("id-" + lines.size(), event));
        }
        return PublishedEvents.read(lines.stream());
    }

    /// @param seal of the one shard that there is
    private List<String> contradictions(SealShard seal, VersionRecord... versions) throws IOException {
        try (var service = new FakeService();
                var metadata = MetadataClient.readOnly(URI.create(service.url()))) {
            var dataset = new DatasetRecord(DEMO, null, null, List.of(versions));
            var shard = new ShardRecord(new ShardName(0), 1, 10, "ef".repeat(32), seal);
            service.on("/v1/datasets/demo", FakeService.bytes(200, Json.bytes(dataset)))
                    .on(
                            "/v1/datasets/demo/versions/v1/splits/train/shards?limit=1000",
                            FakeService.bytes(200, Json.bytes(new ShardPage(List.of(shard), null))));
            return ledger.contradictions(metadata);
        }
    }

    private static SealShard seal(String digest) {
        return new SealShard(
                "ef".repeat(32), 1, 10, digest.repeat(32), "00000000", 1, "ef".repeat(32), new TreeMap<>(), List.of(0));
    }

    private static VersionRecord version(VersionId id, String request, VersionState state) {
        return new VersionRecord(
                DEMO,
                id,
                state,
                9,
                request,
                null,
                null,
                null,
                null,
                null,
                null,
                DatasetSpec.of("file:///data"),
                Inputs.NONE,
                state == VersionState.SEALED
                        ? List.of(new SplitRecord(TRAIN, null, 1, 10, 1, 1, 10, new TreeMap<>()))
                        : List.of(),
                Instant.EPOCH,
                null);
    }
}
