package io.tarpon.metadata.image;

import io.tarpon.metadata.entry.Change;
import io.tarpon.metadata.entry.Entity;
import io.tarpon.wire.DatasetName;
import io.tarpon.wire.VersionId;
import io.tarpon.wire.http.ProblemType;
import io.tarpon.wire.http.TarponException;
import io.tarpon.wire.metadata.VersionState;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Sends a failed version back to planning. Its sealed shards are remembered for the new plan, and its parent stays,
/// unless that was removed: then it is the latest sealed version before this one. A version that is in work already
/// has been retried.
public record RetryVersion(DatasetName dataset, VersionId version) implements VersionCommand {
    @Override
    public String idempotenceKey() {
        return "retry/" + dataset + "/" + version;
    }

    @Override
    public Decision decide(Image image) {
        var held = image.version(dataset, version);
        return switch (held.state) {
            case PLANNING, BUILDING -> new Decision.AlreadyApplied();
            case SEALED ->
                throw new TarponException(
                        ProblemType.CONFLICT, "version " + held.path() + " is sealed: there is nothing to retry");
            case REMOVED -> throw Refusals.ended(held, "cannot be retried");
            case FAILED ->
                Decision.append(
                        image,
                        List.of(held.life(), new Entity.SealedVersions(dataset)),
                        List.of(new Change.VersionRetried(dataset, version, parent(image, held))));
        };
    }

    /// One that is forgotten was removed.
    private boolean isSealed(Image image, VersionId parent) {
        return image.dataset(dataset)
                .find(parent)
                .filter(found -> found.state == VersionState.SEALED)
                .isPresent();
    }

    private @Nullable VersionId parent(Image image, Version held) {
        if (held.parent == null || isSealed(image, held.parent)) {
            return held.parent;
        }
        return image.dataset(dataset)
                .latestBefore(version)
                .map(latest -> latest.id)
                .orElse(null);
    }
}
