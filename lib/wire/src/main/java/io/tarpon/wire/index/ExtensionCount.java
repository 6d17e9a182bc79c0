package io.tarpon.wire.index;

/// How many samples of a shard have an extension, and the data bytes of those members.
public record ExtensionCount(String extension, int samples, long bytes) {
    public ExtensionCount {
        if (extension.isEmpty() || samples <= 0 || bytes < 0) {
            throw new IllegalArgumentException("not a count of an extension: " + extension);
        }
    }
}
