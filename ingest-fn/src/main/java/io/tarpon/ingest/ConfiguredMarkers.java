package io.tarpon.ingest;

import io.tarpon.store.ConfiguredObject;
import io.tarpon.store.ObjectStamp;
import io.tarpon.store.Sources;
import io.tarpon.store.UnknownSourceException;
import java.io.IOException;
import java.util.List;
import java.util.Optional;

/// The s3 sources of the configuration.
record ConfiguredMarkers(Sources sources) implements MarkerSources {
    @Override
    public boolean isConfigured(String bucket) {
        return sources.isConfigured(bucket);
    }

    @Override
    public Optional<ConfiguredObject> locate(String bucket, String key) {
        return sources.locate(bucket, key);
    }

    @Override
    public Optional<ObjectStamp> stamp(ConfiguredObject object) throws IOException {
        return sources.stamp(object);
    }

    @Override
    public String reference(String source, String folder) throws UnknownSourceException {
        return sources.reference(source, folder);
    }

    @Override
    public List<String> ids() {
        return sources.s3();
    }

    @Override
    public List<String> folders(String source, String after, int most) throws IOException {
        return sources.folders(source, after, most);
    }
}
