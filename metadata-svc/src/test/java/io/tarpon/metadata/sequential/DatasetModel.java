package io.tarpon.metadata.sequential;

import io.tarpon.metadata.image.BeginVersion;
import io.tarpon.metadata.image.Command;
import io.tarpon.metadata.image.ForgetVersion;
import io.tarpon.metadata.image.RegisterDataset;
import io.tarpon.metadata.image.RemoveDataset;
import io.tarpon.metadata.image.SealShard;
import io.tarpon.metadata.image.VersionCommand;
import io.tarpon.wire.http.ProblemType;
import io.tarpon.wire.metadata.VersionState;
import java.util.List;
import java.util.Optional;

/// One dataset and its versions. That a request has begun another dataset's version is not known here: such a refusal
/// is for [RequestModel].
public final class DatasetModel extends Stepping<KnownDataset> {
    @Override
    public KnownDataset initial() {
        return KnownDataset.UNKNOWN;
    }

    @Override
    List<Step<KnownDataset>> steps(KnownDataset state, Command<?> command) {
        return switch (command) {
            case RegisterDataset register ->
                List.of(
                        register.spec().equals(state.spec())
                                ? new Step.Nothing<>()
                                : new Step.To<>(state.with(register.spec())));
            case BeginVersion begin -> List.of(begin(state, begin));
            case RemoveDataset _ -> List.of(remove(state));
            case SealShard seal ->
                step(state, seal.ref().version().number(), version -> List.of(Seals.seal(version, seal)));
            case ForgetVersion forget -> forget(state, forget);
            case VersionCommand of ->
                step(state, of.version().number(), version -> VersionSteps.steps(state, version, of));
            default -> throw new IllegalArgumentException(command + " is not about a dataset");
        };
    }

    private static Step<KnownDataset> begin(KnownDataset state, BeginVersion begin) {
        if (state.versions().values().stream()
                .anyMatch(version -> version.requestId().equals(begin.requestId()))) {
            return new Step.Nothing<>();
        }
        var parent = begin.spec().grow() ? state.latest() : KnownVersion.NONE;
        return new Step.To<>(
                state.with(KnownVersion.begun(state.lastNumber() + 1, begin.requestId(), begin.spec(), parent)));
    }

    private static Step<KnownDataset> remove(KnownDataset state) {
        if (!state.exists()) {
            return new Step.Refusal<>(ProblemType.UNKNOWN_DATASET);
        }
        var left = state.versions().values().stream()
                .filter(version -> !version.isRemoved())
                .toList();
        if (left.isEmpty() && state.spec() == null) {
            return new Step.Nothing<>();
        }
        if (left.stream().anyMatch(version -> !version.state().isEnd())) {
            return new Step.Refusal<>(ProblemType.CONFLICT);
        }
        var next = state.with((io.tarpon.wire.metadata.DatasetSpec) null);
        for (var version : left) {
            next = next.with(version.removed());
        }
        return new Step.To<>(next);
    }

    /// When it was collected is not known here.
    private static List<Step<KnownDataset>> forget(KnownDataset state, ForgetVersion forget) {
        if (!state.exists()) {
            return List.of(new Step.Refusal<>(ProblemType.UNKNOWN_DATASET));
        }
        var version = state.versions().get(forget.version().number());
        return version == null || !version.collected()
                ? List.of(new Step.Nothing<>())
                : List.of(new Step.Nothing<>(), new Step.To<>(state.without(version.number())));
    }

    private interface OfVersion {
        List<Step<KnownVersion>> steps(KnownVersion version);
    }

    private static List<Step<KnownDataset>> step(KnownDataset state, int number, OfVersion ofVersion) {
        if (!state.exists()) {
            return List.of(new Step.Refusal<>(ProblemType.UNKNOWN_DATASET));
        }
        var version = state.versions().get(number);
        if (version == null) {
            return List.of(new Step.Refusal<>(ProblemType.UNKNOWN_VERSION));
        }
        return ofVersion.steps(version).stream().map(step -> of(state, step)).toList();
    }

    private static Step<KnownDataset> of(KnownDataset state, Step<KnownVersion> step) {
        return switch (step) {
            case Step.To<KnownVersion>(var next) -> new Step.To<>(state.with(next));
            case Step.Nothing<KnownVersion> _ -> new Step.Nothing<>();
            case Step.Refusal<KnownVersion>(var why) -> new Step.Refusal<>(why);
        };
    }

    @Override
    Optional<View> view(KnownDataset state, Ask ask) {
        return switch (ask) {
            case Ask.SeeDataset _ -> state.exists() ? Optional.of(state.view()) : Optional.empty();
            case Ask.SeeShards _ -> state.exists() ? Optional.of(state.shards()) : Optional.empty();
            case Ask.SeeVersion see ->
                Optional.ofNullable(state.versions().get(see.version().number()))
                        .map(KnownVersion::view);
            case Ask.SeeShard see ->
                Optional.ofNullable(state.versions().get(see.shard().version().number()))
                        .filter(version -> !version.collected())
                        .map(version -> version.splits().get(see.shard().split()))
                        .filter(shards -> see.shard().shard().index() < shards.size())
                        .map(shards -> shards.get(see.shard().shard().index()));
            case Ask.SeeNode _, Ask.Do _ -> throw new IllegalArgumentException(ask + " sees no dataset");
        };
    }

    static Step<KnownVersion> ended(KnownVersion version) {
        return new Step.Refusal<>(
                version.state() == VersionState.REMOVED ? ProblemType.VERSION_REMOVED : ProblemType.CONFLICT);
    }
}
