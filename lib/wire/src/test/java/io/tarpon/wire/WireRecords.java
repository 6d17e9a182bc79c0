package io.tarpon.wire;

import io.tarpon.wire.event.DatasetUploaded;
import io.tarpon.wire.event.PlanLink;
import io.tarpon.wire.event.TarponEvent;
import io.tarpon.wire.letter.DeadLetter;
import io.tarpon.wire.metadata.DatasetSpec;
import io.tarpon.wire.metadata.FieldTotals;
import io.tarpon.wire.metadata.GarbageReport;
import io.tarpon.wire.metadata.Inputs;
import io.tarpon.wire.metadata.NodeRecord;
import io.tarpon.wire.metadata.NodeRegistration;
import io.tarpon.wire.metadata.NodeState;
import io.tarpon.wire.metadata.PlanVersion;
import io.tarpon.wire.metadata.PlannedShard;
import io.tarpon.wire.metadata.PlannedSplit;
import io.tarpon.wire.metadata.SealShard;
import io.tarpon.wire.metadata.ShardRecord;
import io.tarpon.wire.metadata.SplitRecord;
import io.tarpon.wire.metadata.VersionRecord;
import io.tarpon.wire.metadata.VersionState;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// One example of each record on the wire.
public final class WireRecords {
    public static final DatasetName DEMO = new DatasetName("demo");
    public static final VersionId V1 = new VersionId(1);
    public static final SplitName TRAIN = new SplitName("train");
    public static final ShardName SHARD = new ShardName(0);
    public static final String SHA = "335f56ca28bb10d8b3db8493870b7aa87fca66ab5a030a3fe404af8ba1b38922";
    public static final String CRC = "9a71bb4c";
    public static final Instant TIME = Instant.parse("2026-01-02T03:04:05Z");

    private WireRecords() {}

    public static List<TarponEvent> events() {
        return List.of(
                new TarponEvent.ShardPlanned(
                        DEMO,
                        V1,
                        TRAIN,
                        SHARD,
                        2,
                        3072,
                        new PlanLink("datasets/demo/v1/plan/train/shard-000000.plan", SHA)),
                new TarponEvent.VersionPlanned(DEMO, V1, 2, 2, 3072),
                new TarponEvent.ShardSealed(DEMO, V1, TRAIN, SHARD, 3, 2, 3072, SHA, CRC),
                new TarponEvent.VersionSealed(DEMO, V1, 3, 2, 3072),
                new TarponEvent.VersionFailed(DEMO, V1, 4, "input a/b.jpg changed"),
                new TarponEvent.VersionRemoved(DEMO, V1, 5, "same plan as v1"));
    }

    public static DatasetUploaded uploaded() {
        return new DatasetUploaded(
                "file:///data/raw",
                DEMO,
                new DatasetUploaded.SpecOverrides("train=0.9,val=0.1", 1L << 20, null, 7L, null, null, null),
                false);
    }

    public static SealShard seal() {
        return new SealShard(
                SHA,
                2,
                3072,
                SHA,
                CRC,
                512,
                SHA,
                new TreeMap<>(Map.of("jpg", new FieldTotals(2, 900))),
                List.of(0, 1),
                "0123456789abcdef");
    }

    public static PlanVersion plan() {
        return new PlanVersion(
                SHA,
                false,
                inputs(),
                List.of(new PlannedSplit(
                        TRAIN, List.of(new PlannedShard(SHARD, 2, 3072, SHA, null, "335f56ca28bb10d8")))));
    }

    public static Inputs inputs() {
        return Inputs.of(2, 1, Map.of("dot-file", 3L));
    }

    public static ShardRecord shard() {
        return new ShardRecord(SHARD, 2, 3072, SHA, null, seal(), "335f56ca28bb10d8");
    }

    public static VersionRecord version() {
        return new VersionRecord(
                DEMO,
                V1,
                VersionState.SEALED,
                3,
                "request-1",
                null,
                null,
                null,
                SHA,
                SHA,
                "p1",
                DatasetSpec.of("file:///data/raw"),
                inputs(),
                List.of(new SplitRecord(
                        TRAIN, SHA, 2, 3072, 1, 1, 3072, new TreeMap<>(Map.of("jpg", new FieldTotals(2, 900))))),
                TIME,
                TIME);
    }

    public static GarbageReport garbage() {
        return new GarbageReport(
                false,
                12,
                3_000_000,
                1,
                4,
                33_554_432,
                List.of(new GarbageReport.Waiting("demo/v2", "open-reads")),
                List.of("node-2"));
    }

    public static DeadLetter letter() {
        return new DeadLetter(
                "tarpon.uploads.dlq/0/7",
                "tarpon.uploads",
                "demo",
                TIME,
                "unknown-source",
                "no source of that id is configured",
                12,
                null,
                new TreeMap<>(Map.of("content-type", "application/json")),
                "eyJhIjoxfQ==");
    }

    public static NodeRecord node() {
        return new NodeRecord(
                "node-1",
                new NodeRegistration(
                        "http://127.0.0.1:7081", "node-1", "zone-1", 2.0, 1L << 31, List.of("/data/blocks")),
                NodeState.UP,
                12,
                100_000_000);
    }
}
