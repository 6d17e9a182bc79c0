package io.tarpon.metadata.image;

import io.tarpon.metadata.entry.Change;
import io.tarpon.wire.DatasetName;
import io.tarpon.wire.VersionId;
import io.tarpon.wire.http.ProblemType;
import io.tarpon.wire.http.TarponException;
import io.tarpon.wire.metadata.VersionState;
import java.util.List;

/// Says that nothing is left of a removed version, in the store and on the nodes: its shards are forgotten.
///
/// The life of the version is guard enough: new users of its shards could only come from a version that uses them
/// already, and then this is refused.
public record CollectVersion(DatasetName dataset, VersionId version) implements VersionCommand {
    @Override
    public String idempotenceKey() {
        return "collect/" + dataset + "/" + version;
    }

    @Override
    public Decision decide(Image image) {
        var held = image.version(dataset, version);
        if (held.collected) {
            return new Decision.AlreadyApplied();
        }
        if (held.state != VersionState.REMOVED) {
            throw conflict(held, "it is " + held.state.wireName());
        }
        var user = image.dataset(dataset).versions.values().stream()
                .filter(other -> other.state != VersionState.REMOVED)
                .filter(other -> other.uses(version))
                .findFirst();
        if (user.isPresent()) {
            throw conflict(held, user.get().path() + " uses shards of it");
        }
        return Decision.append(image, List.of(held.life()), List.of(new Change.VersionCollected(dataset, version)));
    }

    private static TarponException conflict(Version held, String why) {
        return new TarponException(ProblemType.CONFLICT, "version " + held.path() + " cannot be collected: " + why);
    }
}
