package io.tarpon.metadata.sequential;

import io.tarpon.metadata.image.CollectVersion;
import io.tarpon.metadata.image.ExpireVersion;
import io.tarpon.metadata.image.FailVersion;
import io.tarpon.metadata.image.PlanVersion;
import io.tarpon.metadata.image.RemoveVersion;
import io.tarpon.metadata.image.RetryVersion;
import io.tarpon.metadata.image.VersionCommand;
import io.tarpon.wire.http.ProblemType;
import io.tarpon.wire.metadata.VersionState;
import java.util.List;

/// The life of one version among those of its dataset.
final class VersionSteps {
    private VersionSteps() {}

    static List<Step<KnownVersion>> steps(KnownDataset dataset, KnownVersion version, VersionCommand command) {
        return switch (command) {
            case PlanVersion plan -> List.of(Plans.plan(dataset, version, plan.plan()));
            case FailVersion fail -> List.of(fail(version, fail));
            case RetryVersion _ -> List.of(retry(dataset, version));
            case RemoveVersion _ -> List.of(remove(version));
            case ExpireVersion _ -> expire(version);
            case CollectVersion _ -> List.of(collect(dataset, version));
        };
    }

    private static Step<KnownVersion> fail(KnownVersion version, FailVersion fail) {
        if (version.state() == VersionState.FAILED) {
            return new Step.Nothing<>();
        }
        if (version.state().isEnd()) {
            return DatasetModel.ended(version);
        }
        var plan = fail.planDigest();
        return plan != null && !plan.equals(version.planDigest())
                ? new Step.Refusal<>(ProblemType.CONFLICT)
                : new Step.To<>(version.failed(version.planDigest()));
    }

    private static Step<KnownVersion> retry(KnownDataset dataset, KnownVersion version) {
        return switch (version.state()) {
            case PLANNING, BUILDING -> new Step.Nothing<>();
            case SEALED -> new Step.Refusal<>(ProblemType.CONFLICT);
            case REMOVED -> new Step.Refusal<>(ProblemType.VERSION_REMOVED);
            case FAILED -> {
                var keepsParent = version.parent() == KnownVersion.NONE || dataset.hasSealed(version.parent());
                yield new Step.To<>(
                        version.retried(keepsParent ? version.parent() : dataset.latestBefore(version.number())));
            }
        };
    }

    private static Step<KnownVersion> remove(KnownVersion version) {
        if (version.isRemoved()) {
            return new Step.Nothing<>();
        }
        return version.state().isEnd() ? new Step.To<>(version.removed()) : new Step.Refusal<>(ProblemType.CONFLICT);
    }

    /// When it failed is not known here.
    private static List<Step<KnownVersion>> expire(KnownVersion version) {
        return version.state() == VersionState.FAILED
                ? List.of(new Step.Nothing<>(), new Step.To<>(version.removed()))
                : List.of(new Step.Nothing<>());
    }

    private static Step<KnownVersion> collect(KnownDataset dataset, KnownVersion version) {
        if (version.collected()) {
            return new Step.Nothing<>();
        }
        var used = dataset.versions().values().stream()
                .anyMatch(other -> !other.isRemoved() && other.uses(version.number()));
        return !version.isRemoved() || used
                ? new Step.Refusal<>(ProblemType.CONFLICT)
                : new Step.To<>(version.whoseShardsAreGone());
    }
}
