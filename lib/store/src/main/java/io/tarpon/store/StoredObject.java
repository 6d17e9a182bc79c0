package io.tarpon.store;

/// One of our objects as a listing found it.
public record StoredObject(String key, long sizeBytes) {
    public StoredObject {
        if (key.isEmpty() || sizeBytes < 0) {
            throw new IllegalArgumentException("not an object: key=" + key + " size=" + sizeBytes);
        }
    }
}
