package io.tarpon.wire.gateway;

import io.tarpon.wire.metadata.DatasetList;
import io.tarpon.wire.metadata.DatasetRecord;
import io.tarpon.wire.metadata.VersionRecord;
import java.util.ArrayList;
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
        var parts = new Parts();
        list.datasets().forEach(parts::add);
        return parts.document();
    }

    /// Puts one together from the parts that come page by page: of each it keeps a line for a version.
    public static final class Parts {
        private final List<Dataset> datasets = new ArrayList<>();

        /// Versions of the dataset that was added last, or of the next one.
        public void add(DatasetRecord part) {
            var added = Dataset.of(part);
            if (!datasets.isEmpty() && datasets.getLast().dataset().equals(added.dataset())) {
                added = new Dataset(
                        added.dataset(),
                        added.latest(),
                        joined(datasets.removeLast().versions(), added.versions()));
            }
            datasets.add(added);
        }

        public DatasetsDocument document() {
            return new DatasetsDocument(List.copyOf(datasets));
        }

        private static List<Version> joined(List<Version> some, List<Version> more) {
            var all = new ArrayList<>(some);
            all.addAll(more);
            return all;
        }
    }
}
