package io.tarpon.metadata;

import io.tarpon.wire.DatasetName;
import io.tarpon.wire.Digests;
import io.tarpon.wire.ObjectKeys;
import io.tarpon.wire.ShardName;
import io.tarpon.wire.ShardRef;
import io.tarpon.wire.SplitName;
import io.tarpon.wire.VersionId;
import io.tarpon.wire.metadata.DatasetSpec;
import io.tarpon.wire.metadata.FieldTotals;
import io.tarpon.wire.metadata.Inputs;
import io.tarpon.wire.metadata.NodeRegistration;
import io.tarpon.wire.metadata.PlanVersion;
import io.tarpon.wire.metadata.PlannedShard;
import io.tarpon.wire.metadata.PlannedSplit;
import io.tarpon.wire.metadata.SealShard;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;

/// Small plans and the shards that fit them.
public final class Fixtures {
    public static final DatasetName DEMO = new DatasetName("demo");
    public static final VersionId V1 = new VersionId(1);
    public static final SplitName TRAIN = new SplitName("train");
    public static final SplitName VAL = new SplitName("val");
    public static final DatasetSpec SPEC = DatasetSpec.of("file:///data/in");
    public static final DatasetSpec GROWING =
            new DatasetSpec("file:///data/in", "auto", DatasetSpec.DEFAULT_SHARD_BYTES, 1, 0, 2, true, "allow");
    public static final int SHARD_SAMPLES = 10;
    public static final int SHARD_BYTES = 10_240;

    private Fixtures() {}

    public static String sha(String text) {
        return Digests.sha256Hex(text.getBytes(StandardCharsets.UTF_8));
    }

    /// A plan with so many shards in `train` and `val`; no split where there are none.
    public static PlanVersion plan(String digestOf, int trainShards, int valShards) {
        var splits = new ArrayList<PlannedSplit>();
        if (trainShards > 0) {
            splits.add(new PlannedSplit(TRAIN, shards(trainShards)));
        }
        if (valShards > 0) {
            splits.add(new PlannedSplit(VAL, shards(valShards)));
        }
        var members = (long) SHARD_SAMPLES * (trainShards + valShards);
        return new PlanVersion(sha(digestOf), false, Inputs.of(members, 0, Map.of("dot-file", 2L)), splits);
    }

    public static PlanVersion forced(PlanVersion plan) {
        return new PlanVersion(plan.planDigest(), true, plan.inputs(), plan.splits());
    }

    /// The same plan of a version that keeps every shard of its parent.
    public static PlanVersion keeping(PlanVersion plan) {
        return keeping(plan, Integer.MAX_VALUE);
    }

    /// The same plan of a version that keeps the first `count` shards of each of its parent's splits.
    public static PlanVersion keeping(PlanVersion plan, int count) {
        var splits = plan.splits().stream()
                .map(split -> new PlannedSplit(
                        split.name(),
                        split.shards().stream()
                                .map(shard -> shard.name().index() < count ? kept(shard, shard.name()) : shard)
                                .toList()))
                .toList();
        return new PlanVersion(plan.planDigest(), plan.force(), plan.inputs(), splits);
    }

    /// The same plan with its files under the names of their digests, but for those that are kept.
    public static PlanVersion named(PlanVersion plan) {
        var splits = plan.splits().stream()
                .map(split -> new PlannedSplit(
                        split.name(),
                        split.shards().stream().map(Fixtures::named).toList()))
                .toList();
        return new PlanVersion(plan.planDigest(), plan.force(), plan.inputs(), splits);
    }

    private static PlannedShard named(PlannedShard shard) {
        return shard.kept() != null
                ? shard
                : new PlannedShard(
                        shard.name(),
                        shard.samples(),
                        shard.bytes(),
                        shard.planSha256(),
                        null,
                        ObjectKeys.planName(shard.planSha256()));
    }

    public static PlannedShard kept(PlannedShard shard, ShardName of) {
        return new PlannedShard(shard.name(), shard.samples(), shard.bytes(), shard.planSha256(), of);
    }

    private static List<PlannedShard> shards(int count) {
        return IntStream.range(0, count)
                .mapToObj(i -> new PlannedShard(new ShardName(i), SHARD_SAMPLES, SHARD_BYTES, planSha(i)))
                .toList();
    }

    private static String planSha(int shard) {
        return sha("plan of shard " + shard);
    }

    public static ShardRef ref(VersionId version, SplitName split, int shard) {
        return new ShardRef(DEMO, version, split, new ShardName(shard));
    }

    /// What shard number `shard` of any split and version is sealed as, with bytes that stand for `content`.
    /// The same with so many blocks, each of which takes some two bytes of JSON.
    public static SealShard seal(int shard, String content, int blocks) {
        var like = seal(shard, content);
        return new SealShard(
                like.planSha256(),
                like.samples(),
                like.bytes(),
                like.sha256(),
                like.crc32c(),
                like.indexBytes(),
                like.indexSha256(),
                like.fields(),
                IntStream.range(0, blocks).mapToObj(i -> i == 0 ? 0 : 9).toList());
    }

    public static SealShard seal(int shard, String content) {
        return new SealShard(
                planSha(shard),
                SHARD_SAMPLES,
                SHARD_BYTES,
                sha(content),
                "0123abcd",
                100,
                sha("index of " + content),
                new TreeMap<>(Map.of("jpg", new FieldTotals(SHARD_SAMPLES, 5_000))),
                List.of(0, 4, 4, 8));
    }

    public static NodeRegistration node(int number) {
        return new NodeRegistration(
                "http://127.0.0.1:" + (7081 + number), "host-" + number, "zone-a", 1.5, 1L << 30, List.of("/nvme0"));
    }
}
