package io.tarpon.store;

/// An object that a notification names, as configuration knows it.
///
/// @param source id of the configured source that holds it
/// @param key relative to that source's prefix, never empty
public record ConfiguredObject(String source, String key) {
    public ConfiguredObject {
        if (source.isEmpty() || key.isEmpty()) {
            throw new IllegalArgumentException("not an object: source=" + source + " key=" + key);
        }
    }
}
