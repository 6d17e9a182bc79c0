package io.tarpon.metadata.image;

import io.tarpon.metadata.entry.Change;
import io.tarpon.wire.DatasetName;
import io.tarpon.wire.VersionId;
import io.tarpon.wire.http.ProblemType;
import io.tarpon.wire.http.TarponException;
import io.tarpon.wire.metadata.VersionState;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Ends a version that cannot be built. The first reason stays. Where it is the build of one plan that failed, the
/// version ends only while it has that plan: the guard is the version's life, which planning it again changes.
///
/// @param planDigest of that plan; null where the version ends whatever its plan
public record FailVersion(
        DatasetName dataset,
        VersionId version,
        String reason,
        @Nullable String planDigest) implements VersionCommand {
    public FailVersion(DatasetName dataset, VersionId version, String reason) {
        this(dataset, version, reason, null);
    }

    @Override
    public String idempotenceKey() {
        return "fail/" + dataset + "/" + version;
    }

    @Override
    public Decision decide(Image image) {
        var held = image.version(dataset, version);
        if (held.state == VersionState.FAILED) {
            return new Decision.AlreadyApplied();
        }
        if (held.state.isEnd()) {
            throw Refusals.ended(held, "cannot fail any more");
        }
        if (planDigest != null && !planDigest.equals(held.planDigest)) {
            throw new TarponException(
                    ProblemType.CONFLICT,
                    "version " + held.path() + " does not fail for plan " + planDigest + ": it was tried again, and"
                            + " its plan is "
                            + (held.planDigest == null ? "not there yet" : held.planDigest));
        }
        return Decision.append(
                image, List.of(held.life()), List.of(new Change.VersionFailed(dataset, version, reason)));
    }
}
