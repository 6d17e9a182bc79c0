package io.tarpon.metadata.image;

import io.tarpon.metadata.entry.Change;
import io.tarpon.metadata.entry.Entity;
import io.tarpon.wire.DatasetName;
import io.tarpon.wire.VersionId;
import java.time.Instant;
import java.util.List;

/// Forgets a version that was collected at `collectedUpTo` or before, and the request that began it: what the log has
/// ever seen must not stay in memory for ever. Its number is not given again; its request, sent again, begins another
/// version. One that is not collected, or was later, stays as it is.
public record ForgetVersion(DatasetName dataset, VersionId version, Instant collectedUpTo)
        implements Command<VersionName> {
    @Override
    public String idempotenceKey() {
        return "forget/" + dataset + "/" + version;
    }

    @Override
    public String scope() {
        return new Entity.Life(dataset, version).toString();
    }

    @Override
    public Decision decide(Image image) {
        var held = image.dataset(dataset).find(version).filter(found -> found.isForgettable(collectedUpTo));
        if (held.isEmpty()) {
            return new Decision.AlreadyApplied();
        }
        return Decision.append(
                image, List.of(held.get().life()), List.of(new Change.VersionForgotten(dataset, version)));
    }

    @Override
    public VersionName answer(Image image) {
        return new VersionName(dataset, version);
    }
}
