package io.tarpon.metadata.image;

import io.tarpon.metadata.entry.Change;
import io.tarpon.metadata.entry.Entity;
import io.tarpon.wire.DatasetName;
import io.tarpon.wire.http.ProblemType;
import io.tarpon.wire.http.TarponException;
import io.tarpon.wire.metadata.DatasetSpec;
import io.tarpon.wire.metadata.VersionRecord;
import java.util.List;

/// Gives a request its version: the dataset's next number, state planning. The request asked again has the same
/// version, whatever became of it and of the specification since.
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
        Limits.requireRoomForVersion(next);
        return Decision.append(
                image,
                List.of(new Entity.Request(requestId), new Entity.Numbers(dataset)),
                List.of(new Change.VersionBegun(dataset, next.nextVersion(), requestId, spec)));
    }

    @Override
    public VersionRecord answer(Image image) {
        return image.reads().versionOfRequest(requestId);
    }
}
