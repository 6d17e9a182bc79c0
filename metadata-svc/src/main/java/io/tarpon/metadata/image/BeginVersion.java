package io.tarpon.metadata.image;

import io.tarpon.metadata.entry.Change;
import io.tarpon.metadata.entry.Entity;
import io.tarpon.wire.DatasetName;
import io.tarpon.wire.VersionId;
import io.tarpon.wire.http.ProblemType;
import io.tarpon.wire.http.TarponException;
import io.tarpon.wire.metadata.DatasetSpec;
import io.tarpon.wire.metadata.VersionRecord;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Gives a request its version: the dataset's next number, state planning. The request asked again has the same
/// version, whatever became of it and of the specification since. A version that is to grow has the latest sealed one
/// as its parent from here on.
public record BeginVersion(DatasetName dataset, String requestId, DatasetSpec spec) implements Command<VersionRecord> {
    @Override
    public String idempotenceKey() {
        return "begin/" + requestId;
    }

    @Override
    public String scope() {
        return new Entity.Numbers(dataset).toString();
    }

    @Override
    public Decision decide(Image image) {
        var begun = image.versionsByRequest.get(requestId);
        if (begun != null) {
            if (!begun.dataset.equals(dataset)) {
                throw new TarponException(
                        ProblemType.CONFLICT,
                        "requestId '" + requestId + "' has begun " + begun.path() + ", another dataset's version");
            }
            return new Decision.AlreadyApplied();
        }
        Limits.requireRoomForDataset(image, dataset);
        var held = image.datasets.get(dataset.value());
        var next = held == null ? new Dataset(dataset) : held;
        Limits.requireRoomForVersion(image, next);
        var restsOn = new ArrayList<Entity>(List.of(new Entity.Request(requestId), new Entity.Numbers(dataset)));
        @Nullable VersionId parent = null;
        if (spec.grow()) {
            restsOn.add(new Entity.SealedVersions(dataset));
            parent = next.latest().map(latest -> latest.id).orElse(null);
        }
        return Decision.append(
                image, restsOn, List.of(new Change.VersionBegun(dataset, next.nextVersion(), requestId, spec, parent)));
    }

    @Override
    public VersionRecord answer(Image image) {
        return image.reads().versionOfRequest(requestId);
    }
}
