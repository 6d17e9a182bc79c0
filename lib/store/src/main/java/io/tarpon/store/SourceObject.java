package io.tarpon.store;

/// One object as a listing found it.
///
/// @param key relative to the source's root or prefix; for [Kind#UNDECODABLE] a printable stand-in that cannot be
/// opened
/// @param sizeBytes 0 unless [Kind#FILE]
/// @param etag changes when the object does; empty unless [Kind#FILE]. In a folder: modification time in ns and size,
/// in hex
public record SourceObject(String key, long sizeBytes, String etag, Kind kind) {
    /// What was found.
    public enum Kind {
        /// A regular file or object: the only kind that can be read.
        FILE,
        /// A link (not followed), pipe, socket or device (never opened), or an S3 key that ends in `/`.
        NOT_REGULAR,
        /// A name that is not valid UTF-8.
        UNDECODABLE
    }

    public SourceObject {
        if (key.isEmpty()) {
            throw new IllegalArgumentException("an object without a key");
        }
        if (sizeBytes < 0) {
            throw new IllegalArgumentException("size of " + key + " is negative: " + sizeBytes);
        }
        if (kind == Kind.FILE && etag.isEmpty()) {
            throw new IllegalArgumentException("no ETag for " + key);
        }
    }

    public static SourceObject file(String key, long sizeBytes, String etag) {
        return new SourceObject(key, sizeBytes, etag, Kind.FILE);
    }

    public static SourceObject notRegular(String key) {
        return new SourceObject(key, 0, "", Kind.NOT_REGULAR);
    }

    public static SourceObject undecodable(String printableKey) {
        return new SourceObject(printableKey, 0, "", Kind.UNDECODABLE);
    }
}
