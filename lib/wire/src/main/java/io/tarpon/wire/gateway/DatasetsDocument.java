package io.tarpon.wire.gateway;

import io.tarpon.wire.metadata.DatasetList;
import io.tarpon.wire.metadata.DatasetRecord;
import io.tarpon.wire.metadata.VersionRecord;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// `GET /v1/datasets` (contracts section 2).
public record DatasetsDocument(List<Dataset> datasets) {

    /// `latest` is the highest sealed version, null where there is none.
    public record Dataset(String dataset, @Nullable String latest, List<Version> versions) {
        static Dataset of(DatasetRecord dataset) {
            var latest = dataset.latest();
            return new Dataset(
                    dataset.dataset().value(),
                    latest == null ? null : latest.toString(),
                    dataset.versions().stream().map(Version::of).toList());
        }
    }

    /// One line of a listing.
    public record Version(String version, String state, long samples, long bytes) {
        static Version of(VersionRecord version) {
            return new Version(
                    version.version().toString(), version.state().wireName(), version.samples(), version.bytes());
        }
    }

    public static DatasetsDocument of(DatasetList list) {
        return new DatasetsDocument(list.datasets().stream().map(Dataset::of).toList());
    }
}
