package io.tarpon.metadata.image;

import io.tarpon.wire.DatasetName;
import io.tarpon.wire.VersionId;
import io.tarpon.wire.http.ProblemType;
import io.tarpon.wire.http.TarponException;
import io.tarpon.wire.metadata.DatasetRecord;
import io.tarpon.wire.metadata.DatasetSpec;
import io.tarpon.wire.metadata.VersionState;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// One dataset of an image, owned by it.
final class Dataset {
    final DatasetName name;

    @Nullable
    DatasetSpec spec;

    long specRevision;
    long numbersRevision;
    long sealedRevision;
    /// Version n stands at n - 1; none ever leaves, so that no number is given twice.
    final List<Version> versions = new ArrayList<>();

    Dataset(DatasetName name) {
        this.name = name;
    }

    VersionId nextVersion() {
        return new VersionId(versions.size() + 1);
    }

    Optional<Version> find(VersionId id) {
        return id.number() > versions.size() ? Optional.empty() : Optional.of(versions.get(id.number() - 1));
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
        for (int i = id.number() - 2; i >= 0; i--) {
            if (versions.get(i).state == VersionState.SEALED) {
                return Optional.of(versions.get(i));
            }
        }
        return Optional.empty();
    }

    DatasetRecord record() {
        return new DatasetRecord(
                name,
                latest().map(version -> version.id).orElse(null),
                spec,
                versions.stream().map(Version::record).toList());
    }
}
