package io.tarpon.metadata.snapshot;

/// The stored form of an image's store: everything in it, in order of the keys' unsigned bytes. Big-endian; text is
/// UTF-8 after its length (u16), of which 0 says that there is none:
///
/// ```
/// "TPSN" | u32 format | u32 imageFormat | u64 revision | u64 created, in milliseconds since 1970
/// text logId | text lastEntry
/// per pair: u32 keyLength, from 1 | u32 valueLength | key | value
/// u32 0 | u64 pairs | sha256[32] of all before
/// ```
///
/// A cut, a flipped bit and a missing pair are all found by the end, and only by the end: nothing of a snapshot may
/// be believed before it was read whole.
public final class SnapshotFormat {
    /// The format number written, and the only one read.
    public static final int FORMAT = 1;

    static final String WHAT = "metadata snapshot";
    static final int MAGIC = 0x5450534e;

    /// Names of datasets and nodes are the longest, and far shorter.
    static final int MAX_KEY_BYTES = 1 << 16;

    /// A version with the homes of its shards is the longest, and far shorter.
    static final int MAX_VALUE_BYTES = 64 << 20;

    static final int SHA256_BYTES = 32;

    private SnapshotFormat() {}
}
