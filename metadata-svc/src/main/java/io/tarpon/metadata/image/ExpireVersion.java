package io.tarpon.metadata.image;

import io.tarpon.metadata.entry.Change;
import io.tarpon.wire.DatasetName;
import io.tarpon.wire.VersionId;
import io.tarpon.wire.metadata.VersionState;
import java.time.Instant;
import java.util.List;

/// Removes a version that failed at `failedUpTo` or before. One that did not, or is retried, stays as it is.
public record ExpireVersion(DatasetName dataset, VersionId version, Instant failedUpTo) implements VersionCommand {
    static final String EXPIRED = "failed and expired";

    @Override
    public String idempotenceKey() {
        return "expire/" + dataset + "/" + version;
    }

    @Override
    public Decision decide(Image image) {
        var held = image.version(dataset, version);
        if (held.state != VersionState.FAILED || held.livedAt.isAfter(failedUpTo)) {
            return new Decision.AlreadyApplied();
        }
        return Decision.append(
                image, List.of(held.life()), List.of(new Change.VersionRemoved(dataset, version, EXPIRED, null)));
    }
}
