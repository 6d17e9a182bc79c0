package io.tarpon.ingest;

import io.tarpon.store.ObjectSource;
import io.tarpon.store.SourceObject;
import java.io.InputStream;
import java.util.Optional;

/// A source whose objects planning must not touch.
abstract class ListedOnly implements ObjectSource {
    @Override
    public Optional<SourceObject> find(String key) {
        throw new AssertionError("planning looks at no object: " + key);
    }

    @Override
    public InputStream open(String key, String etag, long size) {
        throw new AssertionError("planning reads no object: " + key);
    }

    @Override
    public void close() {
        // Nothing is open.
    }
}
