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
    private static final int MOST_AT_ONCE = 1_000;

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
        if (left.size() > MOST_AT_ONCE) {
            return some(image, left.subList(0, MOST_AT_ONCE), left.size() / MOST_AT_ONCE);
        }
        var restsOn = new ArrayList<Entity>(List.of(new Entity.Specification(dataset), new Entity.Numbers(dataset)));
        var records = new ArrayList<Change>();
        for (var version : left) {
            restsOn.add(version.life());
            records.add(removed(version));
        }
        records.add(new Change.DatasetRemoved(dataset));
        return Decision.append(image, restsOn, records);
    }

    /// An entry has a bound, and a dataset may have any number of versions: the first of them go first.
    private Decision some(Image image, List<Version> versions, int more) {
        return Decision.append(
                image,
                versions.stream().<Entity>map(Version::life).toList(),
                versions.stream().<Change>map(this::removed).toList(),
                more);
    }

    private Change.VersionRemoved removed(Version version) {
        return new Change.VersionRemoved(dataset, version.id, RemoveVersion.ON_REQUEST, null);
    }

    @Override
    public DatasetRecord answer(Image image) {
        return image.dataset(dataset).record();
    }
}
