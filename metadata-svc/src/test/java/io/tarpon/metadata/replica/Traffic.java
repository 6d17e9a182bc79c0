package io.tarpon.metadata.replica;

import static io.tarpon.metadata.Fixtures.GROWING;
import static io.tarpon.metadata.Fixtures.SPEC;
import static io.tarpon.metadata.Fixtures.VAL;
import static io.tarpon.metadata.Fixtures.forced;
import static io.tarpon.metadata.Fixtures.keeping;
import static io.tarpon.metadata.Fixtures.node;
import static io.tarpon.metadata.Fixtures.plan;

import io.tarpon.metadata.Fixtures;
import io.tarpon.metadata.image.BeginVersion;
import io.tarpon.metadata.image.CollectVersion;
import io.tarpon.metadata.image.Command;
import io.tarpon.metadata.image.ExpireVersion;
import io.tarpon.metadata.image.FailVersion;
import io.tarpon.metadata.image.ForgetNode;
import io.tarpon.metadata.image.ForgetVersion;
import io.tarpon.metadata.image.JoinNode;
import io.tarpon.metadata.image.LeaveNode;
import io.tarpon.metadata.image.PlanVersion;
import io.tarpon.metadata.image.RegisterDataset;
import io.tarpon.metadata.image.RemoveDataset;
import io.tarpon.metadata.image.RemoveVersion;
import io.tarpon.metadata.image.RetryVersion;
import io.tarpon.metadata.image.SealShard;
import io.tarpon.metadata.sequential.Ask;
import io.tarpon.wire.DatasetName;
import io.tarpon.wire.ShardName;
import io.tarpon.wire.ShardRef;
import io.tarpon.wire.VersionId;
import io.tarpon.wire.metadata.DatasetSpec;
import io.tarpon.wire.metadata.VersionState;
import java.time.Instant;
import java.util.List;
import java.util.Random;

/// What clients of a simulation ask: most often what makes sense as the judge knows things, now and then what does not.
final class Traffic {
    /// Of two shards.
    private static final int PAGE_BYTES = 400;
    private static final List<DatasetName> DATASETS = List.of(new DatasetName("cats"), new DatasetName("dogs"));

    private static final int SECONDS_OF_A_REQUEST = 8;

    private final Random random;
    private final Judge judge;

    Traffic(Random random, Judge judge) {
        this.random = random;
        this.judge = judge;
    }

    Command<?> command(Instant now) {
        var dataset = dataset();
        return switch (random.nextInt(24)) {
            case 0, 1 -> new RegisterDataset(dataset, random.nextBoolean() ? SPEC : DatasetSpec.of("in"));
            case 2, 3 -> begin(dataset, now);
            case 4, 5, 6 -> planning(dataset);
            case 7 -> new FailVersion(dataset, in(VersionState.BUILDING, dataset), "cancelled");
            case 8 -> new RetryVersion(dataset, in(VersionState.FAILED, dataset));
            case 9 -> removal(dataset, now);
            case 10 -> new CollectVersion(dataset, in(VersionState.REMOVED, dataset));
            case 11 -> ending(dataset, now);
            case 12, 13 -> new JoinNode(name(), node(random.nextInt(2)), "process-" + random.nextInt(2));
            case 14 -> new LeaveNode(name(), random.nextBoolean() ? null : "process-" + random.nextInt(2));
            default -> progress(dataset, now);
        };
    }

    Ask look() {
        return switch (random.nextInt(5)) {
            case 0 -> new Ask.SeeNode(name());
            case 1, 2 -> new Ask.SeeDataset(dataset());
            default -> new Ask.SeeShards(dataset());
        };
    }

    private DatasetName dataset() {
        return DATASETS.get(random.nextInt(DATASETS.size()));
    }

    private String name() {
        return "node-" + random.nextInt(2);
    }

    private BeginVersion begin(DatasetName dataset, Instant now) {
        return new BeginVersion(dataset, request(dataset, now), random.nextBoolean() ? GROWING : SPEC);
    }

    /// Most often the next thing that a version needs.
    private Command<?> progress(DatasetName dataset, Instant now) {
        if (random.nextInt(8) == 0 || has(VersionState.BUILDING, dataset)) {
            return seal(dataset);
        }
        return has(VersionState.PLANNING, dataset) ? planning(dataset) : begin(dataset, now);
    }

    private boolean has(VersionState state, DatasetName dataset) {
        return judge.versions(dataset).stream().anyMatch(record -> record.state() == state);
    }

    /// Now and then one that somebody may send for the other dataset at this time.
    private String request(DatasetName dataset, Instant now) {
        return random.nextInt(3) == 0
                ? "any " + now.getEpochSecond() / SECONDS_OF_A_REQUEST
                : dataset + " " + random.nextInt(30);
    }

    /// Often of what is not collected or did not leave, or just now.
    private Command<?> ending(DatasetName dataset, Instant now) {
        var upTo = now.minusSeconds(random.nextInt(30));
        return random.nextBoolean()
                ? new ForgetNode(name(), upTo)
                : new ForgetVersion(dataset, in(VersionState.REMOVED, dataset), upTo);
    }

    private Command<?> removal(DatasetName dataset, Instant now) {
        return switch (random.nextInt(8)) {
            case 0 -> new RemoveDataset(dataset);
            case 1, 2 -> new ExpireVersion(dataset, in(VersionState.FAILED, dataset), now.minusSeconds(20));
            default -> new RemoveVersion(dataset, in(VersionState.SEALED, dataset));
        };
    }

    /// Most often of a version that is being planned, and where that grows, most often with shards of its parent.
    private PlanVersion planning(DatasetName dataset) {
        var version = in(VersionState.PLANNING, dataset);
        var kind = random.nextInt(4);
        var plan = plan("plan " + random.nextInt(6), kind, kind % 2);
        var grows = judge.versions(dataset).stream()
                .anyMatch(record -> record.version().equals(version) && record.parent() != null);
        var keeps = grows ? 1 + random.nextInt(2) : random.nextInt(8) == 0 ? 1 : 0;
        return new PlanVersion(
                dataset,
                version,
                random.nextInt(3) == 0 ? forced(keeping(plan, keeps)) : keeping(plan, keeps),
                PAGE_BYTES);
    }

    /// Most often a shard that is planned, now and then one that is not, or other content.
    private SealShard seal(DatasetName dataset) {
        var version = in(VersionState.BUILDING, dataset);
        var planned = judge.versions(dataset).stream()
                .filter(record -> record.version().equals(version))
                .flatMap(record -> record.splits().stream())
                .filter(split -> split.sealedShards() < split.shards())
                .toList();
        var odd = planned.isEmpty() || random.nextInt(8) == 0;
        var split = odd ? VAL : planned.get(random.nextInt(planned.size())).name();
        var shard = odd ? random.nextInt(3) : random.nextInt(planned.getFirst().shards());
        var ref = new ShardRef(dataset, version, split, new ShardName(shard));
        return new SealShard(ref, Fixtures.seal(shard, random.nextInt(8) == 0 ? "other" : "same"));
    }

    /// Most often one in this state, where there is one.
    private VersionId in(VersionState state, DatasetName dataset) {
        var there = judge.versions(dataset).stream()
                .filter(record -> record.state() == state)
                .toList();
        return there.isEmpty() || random.nextInt(8) == 0
                ? version(dataset)
                : there.get(random.nextInt(there.size())).version();
    }

    /// Most often one that there is.
    private VersionId version(DatasetName dataset) {
        var last = judge.versions(dataset).stream()
                .mapToInt(record -> record.version().number())
                .max()
                .orElse(0);
        return new VersionId(1 + random.nextInt(last + 1));
    }
}
