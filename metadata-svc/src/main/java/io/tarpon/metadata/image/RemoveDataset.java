package io.tarpon.metadata.image;

import io.tarpon.metadata.entry.Change;
import io.tarpon.metadata.entry.Entity;
import io.tarpon.wire.DatasetName;
import io.tarpon.wire.metadata.DatasetRecord;
import io.tarpon.wire.metadata.VersionState;
import java.util.ArrayList;
import java.util.List;

/// Removes every version of a dataset and its specification. Its numbers stay used up.
public record RemoveDataset(DatasetName dataset) implements Command<DatasetRecord> {
    @Override
    public String idempotenceKey() {
        return "remove/" + dataset;
    }

    @Override
    public String scope() {
        return new Entity.Numbers(dataset).toString();
    }

    /// Rests on the specification, on there being no other version, and on the life of each that goes.
    @Override
    public Decision decide(Image image) {
        var held = image.dataset(dataset);
        var left = held.versions.values().stream()
                .filter(version -> version.state != VersionState.REMOVED)
                .toList();
        if (left.isEmpty() && held.spec == null) {
            return new Decision.AlreadyApplied();
        }
        left.forEach(RemoveVersion::requireEnded);
        var restsOn = new ArrayList<Entity>(List.of(new Entity.Specification(dataset), new Entity.Numbers(dataset)));
        var records = new ArrayList<Change>();
        for (var version : left) {
            restsOn.add(version.life());
            records.add(new Change.VersionRemoved(dataset, version.id, RemoveVersion.ON_REQUEST, null));
        }
        records.add(new Change.DatasetRemoved(dataset));
        return Decision.append(image, restsOn, records);
    }

    @Override
    public DatasetRecord answer(Image image) {
        return image.dataset(dataset).record();
    }
}
