package io.tarpon.metadata.image;

import static io.tarpon.metadata.Fixtures.DEMO;
import static io.tarpon.metadata.Fixtures.GROWING;
import static io.tarpon.metadata.Fixtures.SPEC;
import static io.tarpon.metadata.Fixtures.TRAIN;
import static io.tarpon.metadata.Fixtures.VAL;
import static io.tarpon.metadata.Fixtures.keeping;
import static io.tarpon.metadata.Fixtures.node;

import io.tarpon.metadata.Fixtures;
import io.tarpon.metadata.entry.Entry;
import io.tarpon.metadata.entry.EntryFormat;
import io.tarpon.wire.DatasetName;
import io.tarpon.wire.ShardName;
import io.tarpon.wire.ShardRef;
import io.tarpon.wire.VersionId;
import io.tarpon.wire.metadata.VersionState;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/// Entries of every kind, as random commands on two datasets and a few nodes come to them.
public final class RandomHistory {
    private static final int NODES = 3;
    /// Of two shards.
    private static final int PAGE_BYTES = 400;
    private static final int LARGE_PLAN_SHARDS = 2_000;
    private static final DatasetName OTHER = new DatasetName("other");

    private final Random random;
    private final DecidedImage decided = new DecidedImage();
    private final List<Entry> entries = new ArrayList<>();

    private RandomHistory(long seed) {
        this.random = new Random(seed);
    }

    /// @param commands how many are tried; those that are refused leave no entry
    public static List<Entry> of(long seed, int commands) {
        var history = new RandomHistory(seed);
        history.run(commands);
        return history.entries;
    }

    /// @param plans how many versions are planned afterwards, each with so many shards that its entry has some 250 KB
    public static List<Entry> ofLargePlans(long seed, int commands, int plans) {
        var history = new RandomHistory(seed);
        history.run(commands);
        for (int i = 0; i < plans; i++) {
            var request = "large " + i;
            history.tryOne(new BeginVersion(OTHER, request, SPEC));
            var version = history.decided.image.reads().versionOfRequest(request);
            history.tryOne(new PlanVersion(OTHER, version.version(), Fixtures.plan(request, LARGE_PLAN_SHARDS, 0)));
        }
        return history.entries;
    }

    private void run(int commands) {
        for (int i = 0; i < commands; i++) {
            if (i == commands / 10) {
                tryOne(new RaiseLevel("0".repeat(32), EntryFormat.FORMAT));
            }
            next(i);
        }
    }

    private void next(int number) {
        tryOne(
                switch (random.nextInt(16)) {
                    case 0 ->
                        random.nextInt(4) == 0
                                ? new RemoveDataset(OTHER)
                                : new RegisterDataset(
                                        random.nextBoolean() ? DEMO : OTHER, random.nextBoolean() ? SPEC : GROWING);
                    case 1, 2 -> new BeginVersion(DEMO, "request " + number, random.nextBoolean() ? SPEC : GROWING);
                    case 3 -> new PlanVersion(DEMO, version(VersionState.PLANNING), plan(number));
                    case 4 -> page(number);
                    case 5 -> new FailVersion(DEMO, version(VersionState.BUILDING), "why");
                    case 6 -> new RetryVersion(DEMO, version(VersionState.FAILED));
                    case 7 ->
                        new RemoveVersion(
                                DEMO, version(random.nextBoolean() ? VersionState.SEALED : VersionState.FAILED));
                    case 8 -> new CollectVersion(DEMO, version(VersionState.REMOVED));
                    case 9 -> new ForgetVersion(DEMO, version(VersionState.REMOVED), decided.now());
                    case 10 ->
                        new JoinNode("node-" + random.nextInt(NODES), node(number), random.nextBoolean() ? "a" : null);
                    case 11 ->
                        random.nextBoolean()
                                ? new LeaveNode("node-" + random.nextInt(NODES), null)
                                : new ForgetNode("node-" + random.nextInt(NODES), decided.now());
                    default -> seal(number);
                });
    }

    private io.tarpon.wire.metadata.PlanVersion plan(int number) {
        var plan = Fixtures.plan("plan " + number, 1 + random.nextInt(3), random.nextInt(3));
        return random.nextBoolean() ? keeping(plan, random.nextInt(3)) : plan;
    }

    /// Some version in this state, the first where there is none.
    private VersionId version(VersionState state) {
        var versions = decided.image.datasets.containsKey(DEMO.value())
                ? decided.image.dataset(DEMO).versions.values().stream()
                        .filter(version -> version.state == state)
                        .toList()
                : List.<Version>of();
        return versions.isEmpty() ? new VersionId(1) : versions.get(random.nextInt(versions.size())).id;
    }

    /// A plan of which some pages go in, all but the next of them at once.
    private PlanVersion page(int number) {
        var command = new PlanVersion(DEMO, version(VersionState.PLANNING), plan(number), PAGE_BYTES);
        for (int pages = random.nextInt(4); pages > 0; pages--) {
            tryOne(command);
        }
        return command;
    }

    private SealShard seal(int number) {
        var index = random.nextInt(3);
        var split = random.nextInt(3) == 0 ? VAL : TRAIN;
        var ref = new ShardRef(DEMO, version(VersionState.BUILDING), split, new ShardName(index));
        return new SealShard(ref, Fixtures.seal(index, "content " + number));
    }

    private void tryOne(Command<?> command) {
        if (decided.image.decide(command) instanceof Decision.Append) {
            var entry = decided.entry(command);
            // Now and then twice, which the guards reject.
            for (int times = random.nextInt(10) == 0 ? 2 : 1; times > 0; times--) {
                entries.add(entry);
                decided.replay(entry);
            }
        }
    }
}
