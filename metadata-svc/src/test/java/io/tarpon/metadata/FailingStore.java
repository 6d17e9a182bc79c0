package io.tarpon.metadata;

import io.tarpon.store.AbandonedUpload;
import io.tarpon.store.AbandonedVisitor;
import io.tarpon.store.ObjectStore;
import io.tarpon.store.StoreVisitor;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicInteger;

/// A store that dies after some deletions: that one and all later ones fail, half of them after they happened.
class FailingStore implements ObjectStore {
    private final ObjectStore store;
    private final AtomicInteger left;

    FailingStore(ObjectStore store, int deletions) {
        this.store = store;
        this.left = new AtomicInteger(deletions);
    }

    /// When a listing begins.
    void meetListing() throws InterruptedException {}

    @Override
    public void list(String prefix, StoreVisitor visitor) throws IOException {
        try {
            meetListing();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException();
        }
        store.list(prefix, visitor);
    }

    @Override
    public void delete(String key) throws IOException {
        var deletion = left.getAndDecrement();
        if (deletion > 0 || deletion % 2 != 0) {
            store.delete(key);
        }
        if (deletion <= 0) {
            throw new IOException("deleting " + key + " is meant to fail");
        }
    }

    @Override
    public OptionalLong size(String key) throws IOException {
        return store.size(key);
    }

    @Override
    public InputStream open(String key, long offset, long lengthBytes) throws IOException {
        return store.open(key, offset, lengthBytes);
    }

    @Override
    public byte[] read(String key, int maxBytes) throws IOException {
        return store.read(key, maxBytes);
    }

    @Override
    public void write(String key, byte[] bytes) throws IOException {
        store.write(key, bytes);
    }

    @Override
    public Upload upload(String key) throws IOException {
        return store.upload(key);
    }

    @Override
    public void abandoned(Duration olderThan, AbandonedVisitor visitor) throws IOException {
        store.abandoned(olderThan, visitor);
    }

    @Override
    public void abandon(AbandonedUpload upload) throws IOException {
        store.abandon(upload);
    }

    @Override
    public void close() {
        store.close();
    }
}
