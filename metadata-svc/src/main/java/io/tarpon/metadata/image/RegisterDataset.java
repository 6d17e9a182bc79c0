package io.tarpon.metadata.image;

import io.tarpon.metadata.entry.Change;
import io.tarpon.metadata.entry.Entity;
import io.tarpon.wire.DatasetName;
import io.tarpon.wire.Digests;
import io.tarpon.wire.json.Json;
import io.tarpon.wire.metadata.DatasetRecord;
import io.tarpon.wire.metadata.DatasetSpec;
import java.util.List;

/// Gives a dataset its specification, new or in place of the old one. Versions begun before keep theirs.
public record RegisterDataset(DatasetName dataset, DatasetSpec spec) implements Command<DatasetRecord> {
    @Override
    public String idempotenceKey() {
        return "register/" + dataset + "/" + Digests.sha256Hex(Json.bytes(spec));
    }

    @Override
    public String scope() {
        return new Entity.Specification(dataset).toString();
    }

    @Override
    public Decision decide(Image image) {
        var held = image.datasets.get(dataset.value());
        if (held != null && spec.equals(held.spec)) {
            return new Decision.AlreadyApplied();
        }
        Limits.requireRoomForDataset(image, dataset);
        return Decision.append(
                image,
                List.of(new Entity.Specification(dataset)),
                List.of(new Change.DatasetRegistered(dataset, spec)));
    }

    @Override
    public DatasetRecord answer(Image image) {
        return image.dataset(dataset).record();
    }
}
