package io.tarpon.metadata.sequential;

import io.tarpon.wire.SplitName;
import io.tarpon.wire.http.ProblemType;
import io.tarpon.wire.metadata.PlanVersion;
import io.tarpon.wire.metadata.PlannedShard;
import io.tarpon.wire.metadata.VersionState;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// What becomes of a version by its plan. In the plans of these tests a shard is the same as another one where split
/// and number are.
final class Plans {
    private Plans() {}

    static Step<KnownVersion> plan(KnownDataset dataset, KnownVersion version, PlanVersion plan) {
        if (plan.planDigest().equals(version.planDigest())) {
            return new Step.Nothing<>();
        }
        if (version.state() != VersionState.PLANNING) {
            return DatasetModel.ended(version);
        }
        var leavesOut = version.spec().leftOut().equals("fail") && plan.inputs().leftOutCount() > 0;
        if (plan.splits().isEmpty() || leavesOut) {
            return new Step.To<>(version.failed(plan.planDigest()));
        }
        var same = plan.force() || version.retried() ? KnownVersion.NONE : same(dataset, version, plan.planDigest());
        if (same != KnownVersion.NONE) {
            return new Step.To<>(version.sameAs(plan.planDigest(), same));
        }
        return shards(dataset, version, plan)
                .<Step<KnownVersion>>map(shards -> new Step.To<>(version.planned(plan.planDigest(), shards)))
                .orElseGet(() -> new Step.Refusal<>(ProblemType.CONFLICT));
    }

    /// The latest sealed version, or one that is being built, with this plan.
    private static int same(KnownDataset dataset, KnownVersion version, String digest) {
        var latest = dataset.versions().get(dataset.latest());
        if (latest != null && digest.equals(latest.planDigest())) {
            return latest.number();
        }
        return dataset.versions().values().stream()
                .filter(other -> other.state() == VersionState.BUILDING)
                .filter(other -> other.spec().equals(version.spec()) && digest.equals(other.planDigest()))
                .mapToInt(KnownVersion::number)
                .findFirst()
                .orElse(KnownVersion.NONE);
    }

    /// Empty where one cannot be kept.
    private static Optional<Map<SplitName, List<View.Shard>>> shards(
            KnownDataset dataset, KnownVersion version, PlanVersion plan) {
        var splits = new LinkedHashMap<SplitName, List<View.Shard>>();
        for (var split : plan.splits()) {
            var shards = new ArrayList<View.Shard>();
            for (var planned : split.shards()) {
                var shard = planned.kept() == null
                        ? Optional.of(earlier(version, split.name(), planned))
                        : kept(dataset, version, split.name(), planned);
                if (shard.isEmpty()) {
                    return Optional.empty();
                }
                shards.add(shard.get());
            }
            splits.put(split.name(), List.copyOf(shards));
        }
        return Optional.of(splits);
    }

    private static View.Shard earlier(KnownVersion version, SplitName split, PlannedShard planned) {
        var earlier = version.earlier().getOrDefault(split, List.of());
        var index = planned.name().index();
        return index < earlier.size() && earlier.get(index).isSealed() ? earlier.get(index) : View.Shard.PLANNED;
    }

    /// Sealed as the sealed parent's is, and where that lies.
    private static Optional<View.Shard> kept(
            KnownDataset dataset, KnownVersion version, SplitName split, PlannedShard planned) {
        var parent = dataset.versions().get(version.parent());
        var index = planned.name().index();
        if (parent == null || !parent.isSealed() || !planned.name().equals(planned.kept())) {
            return Optional.empty();
        }
        var shards = parent.splits().getOrDefault(split, List.of());
        return index < shards.size()
                ? Optional.of(shards.get(index))
                        .map(shard -> new View.Shard(
                                shard.content(), shard.home() == KnownVersion.NONE ? parent.number() : shard.home()))
                : Optional.empty();
    }
}
