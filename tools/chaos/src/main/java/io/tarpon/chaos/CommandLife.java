package io.tarpon.chaos;

import io.tarpon.wire.DatasetName;
import io.tarpon.wire.ShardName;
import io.tarpon.wire.ShardRef;
import io.tarpon.wire.SplitName;
import io.tarpon.wire.VersionId;
import io.tarpon.wire.client.MetadataClient;
import io.tarpon.wire.metadata.BeginVersion;
import io.tarpon.wire.metadata.DatasetSpec;
import io.tarpon.wire.metadata.FailVersion;
import io.tarpon.wire.metadata.FieldTotals;
import io.tarpon.wire.metadata.Inputs;
import io.tarpon.wire.metadata.PlanVersion;
import io.tarpon.wire.metadata.PlannedShard;
import io.tarpon.wire.metadata.PlannedSplit;
import io.tarpon.wire.metadata.SealShard;
import io.tarpon.wire.metadata.VersionState;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;

/// One dataset whose versions live by commands alone, with no byte behind them: they are begun, planned and sealed, or
/// fail, and are removed. What is acknowledged goes into a [Ledger].
///
/// No version is tried again, and none fails after its first seal: so a command that a paused replica carries out late,
/// after it was sent to another one and answered there, changes nothing any more.
///
/// Owned by one thread.
final class CommandLife {
    private static final SplitName TRAIN = new SplitName("train");
    private static final DatasetSpec SPEC = DatasetSpec.of("file:///nowhere");
    private static final int MAX_PAUSE_MILLIS = 60;
    private static final int MAX_SHARDS = 5;
    private static final int KEPT_VERSIONS = 5;
    private static final int SAMPLES = 10;
    private static final int DIGEST_BYTES = 32;

    private final DatasetName dataset;
    private final Random random;
    private final MetadataClient metadata;
    private final Ledger ledger;
    private final Findings findings;
    private final AtomicInteger acknowledged;
    private final Deque<VersionId> ended = new ArrayDeque<>();

    /// @param acknowledged counts commands
    CommandLife(
            DatasetName dataset,
            Random random,
            MetadataClient metadata,
            Ledger ledger,
            Findings findings,
            AtomicInteger acknowledged) {
        this.dataset = dataset;
        this.random = random;
        this.metadata = metadata;
        this.ledger = ledger;
        this.findings = findings;
        this.acknowledged = acknowledged;
    }

    /// Goes on until `isOver`, and ends after the version that is in work then.
    void run(BooleanSupplier isOver) throws InterruptedException {
        do {
            var version = begin();
            if (random.nextInt(10) == 0) {
                fail(version, new FailVersion("never planned"));
            } else {
                live(version);
            }
            ended.add(version);
            if (ended.size() > KEPT_VERSIONS) {
                remove(ended.remove());
            }
        } while (!isOver.getAsBoolean());
    }

    private VersionId begin() throws InterruptedException {
        var request = UUID.randomUUID().toString();
        var begun = on("begin", () -> metadata.begin(dataset, new BeginVersion(request, SPEC)));
        ledger.begun(begun.version(), request);
        return begun.version();
    }

    private void live(VersionId version) throws InterruptedException {
        var shards = new ArrayList<PlannedShard>();
        for (int i = random.nextInt(MAX_SHARDS); i >= 0; i--) {
            shards.add(new PlannedShard(new ShardName(shards.size()), SAMPLES, 1 + random.nextInt(1 << 20), digest()));
        }
        var inputs = Inputs.of((long) SAMPLES * shards.size(), 0, Map.of());
        var plan = new PlanVersion(digest(), false, inputs, List.of(new PlannedSplit(TRAIN, shards)));
        var _ = on("plan", () -> metadata.plan(dataset, version, plan));
        ledger.planned(version);
        if (random.nextInt(10) == 0) {
            fail(version, new FailVersion("cannot be built", plan.planDigest()));
            return;
        }
        for (var shard : shards) {
            seal(new ShardRef(dataset, version, TRAIN, shard.name()), shard);
        }
        ledger.isSealed(version);
        requireSealed(version);
    }

    private void seal(ShardRef ref, PlannedShard shard) throws InterruptedException {
        var seal = new SealShard(
                shard.planSha256(),
                shard.samples(),
                shard.bytes(),
                digest(),
                HexFormat.of().toHexDigits(random.nextInt()),
                1 + random.nextInt(1 << 10),
                digest(),
                new TreeMap<>(Map.of("bin", new FieldTotals(shard.samples(), shard.bytes()))),
                List.of(0));
        var answer = on("seal", () -> metadata.seal(ref, seal));
        ledger.sealed(ref, seal);
        if (random.nextInt(4) == 0
                && !on("second seal", () -> metadata.seal(ref, seal)).equals(answer)) {
            findings.add("the second seal of " + ref + " was answered otherwise than the first");
        }
    }

    /// The last seal seals its version, and whoever was told of that reads it so, whichever replica he asks.
    private void requireSealed(VersionId version) throws InterruptedException {
        var now = on("version", () -> metadata.version(dataset, version));
        if (now.state() != VersionState.SEALED) {
            findings.add(dataset + "@" + version + " is read as " + now.state().wireName()
                    + " after its last seal was acknowledged");
        }
    }

    private void fail(VersionId version, FailVersion why) throws InterruptedException {
        var _ = on("fail", () -> metadata.fail(dataset, version, why));
        ledger.failed(version);
    }

    private void remove(VersionId version) throws InterruptedException {
        var _ = on("remove", () -> metadata.remove(dataset, version));
        ledger.removed(version);
    }

    private <T> T on(String what, Insistence.Request<T> request) throws InterruptedException {
        Thread.sleep(random.nextInt(MAX_PAUSE_MILLIS));
        var answer = Insistence.on(what + " in " + dataset, request);
        acknowledged.incrementAndGet();
        return answer;
    }

    private String digest() {
        var bytes = new byte[DIGEST_BYTES];
        random.nextBytes(bytes);
        return HexFormat.of().formatHex(bytes);
    }
}
