package io.tarpon.metadata.image;

import io.tarpon.wire.DatasetName;
import io.tarpon.wire.VersionId;
import io.tarpon.wire.http.ProblemType;
import io.tarpon.wire.http.TarponException;
import io.tarpon.wire.metadata.DatasetRecord;
import io.tarpon.wire.metadata.DatasetSpec;
import io.tarpon.wire.metadata.VersionRecord;
import io.tarpon.wire.metadata.VersionState;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// One dataset of an image, owned by it.
final class Dataset {
    final DatasetName name;

    @Nullable
    DatasetSpec spec;

    long specRevision;
    long numbersRevision;
    long sealedRevision;
    /// Those that are not forgotten, by number.
    final NavigableMap<VersionId, Version> versions = new TreeMap<>();
    /// Number of versions ever begun, so that none is given twice.
    int lastNumber;

    Dataset(DatasetName name) {
        this.name = name;
    }

    VersionId nextVersion() {
        return new VersionId(lastNumber + 1);
    }

    Optional<Version> find(VersionId id) {
        return Optional.ofNullable(versions.get(id));
    }

    Version version(VersionId id) {
        return find(id).orElseThrow(() ->
                new TarponException(ProblemType.UNKNOWN_VERSION, "dataset " + name + " has no version " + id));
    }

    /// The highest sealed version.
    Optional<Version> latest() {
        return latestBefore(nextVersion());
    }

    /// The highest sealed version with a lower number.
    Optional<Version> latestBefore(VersionId id) {
        return versions.headMap(id, false).descendingMap().values().stream()
                .filter(version -> version.state == VersionState.SEALED)
                .findFirst();
    }

    /// With its first versions, as many as a page has.
    DatasetRecord record() {
        return part(versions, new Page()).orElseThrow();
    }

    /// With those of these versions that go into the page; empty where not even the first one does. A page that is
    /// empty takes that.
    Optional<DatasetRecord> part(NavigableMap<VersionId, Version> versions, Page page) {
        var found = new ArrayList<VersionRecord>();
        var left = versions.values().iterator();
        if (left.hasNext()) {
            found.add(left.next().record());
        }
        if (!page.takes(record(found, null))) {
            return Optional.empty();
        }
        while (left.hasNext()) {
            var version = left.next().record();
            if (!page.takes(version)) {
                return Optional.of(record(found, found.getLast().version()));
            }
            found.add(version);
        }
        return Optional.of(record(found, null));
    }

    private DatasetRecord record(List<VersionRecord> versions, @Nullable VersionId next) {
        return new DatasetRecord(name, latest().map(version -> version.id).orElse(null), spec, versions, next);
    }
}
