package io.tarpon.shard;

import io.tarpon.store.AbandonedUpload;
import io.tarpon.store.AbandonedVisitor;
import io.tarpon.store.ObjectStore;
import io.tarpon.store.StoreVisitor;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.OptionalLong;

/// A real store that fails, or stops the world, at a chosen step.
final class FaultyStore implements ObjectStore {
    /// What a step is, in the order a build takes them.
    enum Step {
        UPLOAD_WRITE,
        AFTER_PREPARE,
        BEFORE_COMPLETE,
        AFTER_COMPLETE,
        BEFORE_WRITE,
        AFTER_WRITE
    }

    /// Stands for a crash: nobody catches it.
    static final class Crash extends Error {
        private static final long serialVersionUID = 1L;
    }

    /// Called at every step; may throw.
    interface Fault {
        void at(Step step) throws IOException;
    }

    private final ObjectStore store;
    private Fault fault = step -> {};
    int uploads;

    FaultyStore(ObjectStore store) {
        this.store = store;
    }

    void inject(Fault next) {
        fault = next;
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
        fault.at(Step.BEFORE_WRITE);
        store.write(key, bytes);
        fault.at(Step.AFTER_WRITE);
    }

    @Override
    public Upload upload(String key) throws IOException {
        uploads++;
        var upload = store.upload(key);
        return new Upload() {
            @Override
            public void write(ByteBuffer bytes) throws IOException {
                fault.at(Step.UPLOAD_WRITE);
                upload.write(bytes);
            }

            @Override
            public void prepare() throws IOException {
                upload.prepare();
                fault.at(Step.AFTER_PREPARE);
            }

            @Override
            public void complete() throws IOException {
                fault.at(Step.BEFORE_COMPLETE);
                upload.complete();
                fault.at(Step.AFTER_COMPLETE);
            }

            @Override
            public void close() {
                upload.close();
            }
        };
    }

    @Override
    public void list(String prefix, StoreVisitor visitor) throws IOException {
        store.list(prefix, visitor);
    }

    @Override
    public void delete(String key) throws IOException {
        store.delete(key);
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
