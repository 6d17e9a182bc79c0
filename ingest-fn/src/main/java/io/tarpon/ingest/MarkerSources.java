package io.tarpon.ingest;

import io.tarpon.store.ConfiguredObject;
import io.tarpon.store.ObjectStamp;
import io.tarpon.store.UnknownSourceException;
import java.io.IOException;
import java.util.List;
import java.util.Optional;

/// What the configured s3 sources are asked about markers. Which of them is asked, configuration says; where it is, no
/// notification does.
interface MarkerSources {
    /// Whether a source lies in the bucket of that name. Dials nothing.
    boolean isConfigured(String bucket);

    /// The object of that key as its source knows it; empty where no source holds it, or two do. Dials nothing.
    Optional<ConfiguredObject> locate(String bucket, String key);

    /// The object as it is now; empty when it is not there.
    Optional<ObjectStamp> stamp(ConfiguredObject object) throws IOException;

    /// `s3://bucket/prefix…/` of a folder in a source.
    String reference(String source, String folder) throws UnknownSourceException;

    /// Ids of the sources.
    List<String> ids();

    /// Names of the folders directly in a source, in order; of those behind `after`, where that is not empty, the first
    /// `most`.
    List<String> folders(String source, String after, int most) throws IOException;
}
