package io.tarpon.metadata.image;

import io.tarpon.wire.ShardName;
import io.tarpon.wire.ShardRef;
import io.tarpon.wire.SplitName;
import io.tarpon.wire.http.ProblemType;
import io.tarpon.wire.http.TarponException;
import io.tarpon.wire.metadata.PlannedShard;
import io.tarpon.wire.metadata.PlannedSplit;
import io.tarpon.wire.metadata.ShardRecord;
import io.tarpon.wire.metadata.VersionState;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/// What a plan that keeps shards of the version's parent must hold to.
final class KeptShards {
    private KeptShards() {}

    /// The parent whose shards are kept, on whose life the plan rests; empty where none is kept. Throws `conflict`
    /// with the shard's name where one cannot be.
    static Optional<Version> check(Image image, Version version, List<PlannedSplit> splits) {
        if (splits.stream().flatMap(split -> split.shards().stream()).allMatch(shard -> shard.kept() == null)) {
            return Optional.empty();
        }
        var parent = parent(image, version);
        splits.forEach(split -> check(version, parent, split));
        return Optional.of(parent);
    }

    private static Version parent(Image image, Version version) {
        if (version.parent == null) {
            throw conflict("version " + version.path() + " has no parent: its plan can keep no shard");
        }
        var parent = image.dataset(version.dataset)
                .find(version.parent)
                .orElseThrow(() -> conflict("version " + version.path() + " cannot keep shards of its parent "
                        + version.parent + ", which was removed long ago: fail it and retry it"));
        if (parent.state != VersionState.SEALED) {
            throw conflict("version " + version.path() + " cannot keep shards of its parent " + parent.path()
                    + ", which is " + parent.state.wireName() + ": fail it and retry it, so that it is planned anew");
        }
        return parent;
    }

    private static void check(Version version, Version parent, PlannedSplit split) {
        var taken = new HashSet<ShardName>();
        for (var planned : split.shards()) {
            var kept = planned.kept();
            if (kept != null) {
                var name = version.path() + "/" + split.name() + "/" + planned.name();
                if (!taken.add(kept)) {
                    throw conflict("shard " + name + " keeps " + kept + ", which another one keeps already");
                }
                requireSame(
                        name,
                        parent.path() + "/" + split.name() + "/" + kept,
                        held(parent, split.name(), planned),
                        planned);
            }
        }
    }

    private static ShardRecord held(Version parent, SplitName split, PlannedShard planned) {
        var kept = Objects.requireNonNull(planned.kept());
        try {
            return parent.shard(new ShardRef(parent.dataset, parent.id, split, kept))
                    .record(kept);
        } catch (TarponException e) {
            throw new TarponException(
                    ProblemType.CONFLICT,
                    planned.name() + " of split " + split + " cannot keep " + kept + ": " + e.detail(),
                    e);
        }
    }

    private static void requireSame(String name, String from, ShardRecord held, PlannedShard planned) {
        require(name, from, "samples", held.samples(), planned.samples());
        require(name, from, "bytes", held.bytes(), planned.bytes());
        require(name, from, "planSha256", held.planSha256(), planned.planSha256());
    }

    private static void require(String name, String from, String what, Object held, Object planned) {
        if (!held.equals(planned)) {
            throw conflict("shard " + name + " is not the kept " + from + ": " + what + " is planned as " + planned
                    + ", there it is " + held);
        }
    }

    private static TarponException conflict(String detail) {
        return new TarponException(ProblemType.CONFLICT, detail);
    }
}
