package io.tarpon.metadata.image;

import io.tarpon.metadata.entry.Change;
import io.tarpon.metadata.entry.Entity;
import io.tarpon.wire.DatasetName;
import io.tarpon.wire.VersionId;
import io.tarpon.wire.metadata.VersionRecord;
import io.tarpon.wire.metadata.VersionState;
import java.util.List;

/// Ends a version that cannot be built. The first reason stays.
public record FailVersion(DatasetName dataset, VersionId version, String reason) implements Command<VersionRecord> {
    @Override
    public String idempotenceKey() {
        return "fail/" + dataset + "/" + version;
    }

    @Override
    public String scope() {
        return new Entity.Life(dataset, version).toString();
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
        return Decision.append(
                image, List.of(held.life()), List.of(new Change.VersionFailed(dataset, version, reason)));
    }

    @Override
    public VersionRecord answer(Image image) {
        return image.version(dataset, version).record();
    }
}
