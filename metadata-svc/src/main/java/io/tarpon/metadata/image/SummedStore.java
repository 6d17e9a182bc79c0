package io.tarpon.metadata.image;

import org.jspecify.annotations.Nullable;

/// A store whose changes are summed by [Windows] on their way.
final class SummedStore implements ImageStore {
    private final ImageStore store;
    private final Windows windows;

    SummedStore(ImageStore store, Windows windows) {
        this.store = store;
        this.windows = windows;
    }

    @Override
    public byte @Nullable [] get(byte[] key) {
        return store.get(key);
    }

    @Override
    public void scan(byte[] from, byte[] to, Visitor visitor) {
        store.scan(from, to, visitor);
    }

    @Override
    public void put(byte[] key, byte[] value) {
        windows.stored(key, value);
        store.put(key, value);
    }

    @Override
    public void delete(byte[] key) {
        windows.stored(key, null);
        store.delete(key);
    }

    @Override
    public void deleteAll(byte[] from, byte[] to) {
        windows.stored(from, to);
        store.deleteAll(from, to);
    }

    @Override
    public void commit() {
        store.commit();
    }

    @Override
    public Frozen freeze() {
        return store.freeze();
    }

    @Override
    public void close() {
        store.close();
    }
}
