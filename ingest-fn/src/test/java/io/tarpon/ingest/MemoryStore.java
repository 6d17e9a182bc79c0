package io.tarpon.ingest;

import io.tarpon.store.AbandonedUpload;
import io.tarpon.store.AbandonedVisitor;
import io.tarpon.store.NoSuchObjectException;
import io.tarpon.store.ObjectStore;
import io.tarpon.store.StoreVisitor;
import io.tarpon.store.StoredObject;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.TreeMap;

/// A store without a disk, for tests that plan hundreds of versions.
final class MemoryStore implements ObjectStore {
    private final TreeMap<String, byte[]> objects = new TreeMap<>();

    private final List<Integer> refused = new ArrayList<>();
    private int uploads;

    /// From now on the uploads of these numbers, counted from 0, do not come to their end.
    void refuseUploads(Integer... numbers) {
        refused.addAll(List.of(numbers));
    }

    @Override
    public synchronized OptionalLong size(String key) {
        var held = objects.get(key);
        return held == null ? OptionalLong.empty() : OptionalLong.of(held.length);
    }

    @Override
    public InputStream open(String key, long offset, long lengthBytes) throws IOException {
        return new ByteArrayInputStream(read(key, Integer.MAX_VALUE), (int) offset, (int) lengthBytes);
    }

    @Override
    public synchronized byte[] read(String key, int maxBytes) throws IOException {
        var held = objects.get(key);
        if (held == null) {
            throw new NoSuchObjectException(key);
        }
        return held.clone();
    }

    @Override
    public synchronized void write(String key, byte[] bytes) {
        objects.put(key, bytes.clone());
    }

    @Override
    public Upload upload(String key) {
        var bytes = new ByteArrayOutputStream();
        return new Upload() {
            @Override
            public void write(ByteBuffer more) {
                bytes.write(more.array(), more.arrayOffset() + more.position(), more.remaining());
                more.position(more.limit());
            }

            @Override
            public void complete() throws IOException {
                if (refused.contains(uploads++)) {
                    throw new IOException("the store is away");
                }
                MemoryStore.this.write(key, bytes.toByteArray());
            }

            @Override
            public void close() {
                // Nothing is open.
            }
        };
    }

    @Override
    public void list(String prefix, StoreVisitor visitor) throws IOException {
        List<Map.Entry<String, byte[]>> found;
        synchronized (this) {
            found = objects.entrySet().stream()
                    .filter(entry -> entry.getKey().startsWith(prefix))
                    .toList();
        }
        for (var entry : found) {
            visitor.visit(new StoredObject(entry.getKey(), entry.getValue().length));
        }
    }

    @Override
    public synchronized void delete(String key) {
        objects.remove(key);
    }

    @Override
    public void abandoned(Duration olderThan, AbandonedVisitor visitor) {
        // An upload is never half done here.
    }

    @Override
    public void abandon(AbandonedUpload upload) {
        throw new AssertionError("there is no such upload: " + upload);
    }

    @Override
    public void close() {
        // Nothing is open.
    }
}
