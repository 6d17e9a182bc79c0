package io.tarpon.metadata.image;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/// The keys of an image's parts in its store: a letter, then what tells one from another of its kind; numbers are
/// big-endian, so that their order is that of the keys.
final class StoreKeys {
    /// Revision, floors and the format of all this.
    static final byte[] COUNTERS = {'c'};

    private static final byte DATASET = 'd';
    private static final byte EVENT = 'o';
    private static final byte NODE = 'n';
    private static final byte SHARD = 's';
    private static final byte VERSION = 'v';

    private StoreKeys() {}

    static byte[] dataset(String name) {
        return named(DATASET, name);
    }

    static byte[] datasets() {
        return new byte[] {DATASET};
    }

    static byte[] node(String id) {
        return named(NODE, id);
    }

    static byte[] nodes() {
        return new byte[] {NODE};
    }

    /// @param begun the revision that began it, which no other version has
    static byte[] version(long begun) {
        return ByteBuffer.allocate(1 + Long.BYTES).put(VERSION).putLong(begun).array();
    }

    static byte[] versions() {
        return new byte[] {VERSION};
    }

    /// @param begun the revision that began its version
    /// @param plan which plan of that version, counted from 0
    /// @param split where its split stands in that plan, counted from 0
    static byte[] shard(long begun, int plan, int split, int index) {
        return ByteBuffer.allocate(1 + Long.BYTES + 3 * Integer.BYTES)
                .put(SHARD)
                .putLong(begun)
                .putInt(plan)
                .putInt(split)
                .putInt(index)
                .array();
    }

    static int shardIndex(byte[] key) {
        return ByteBuffer.wrap(key).getInt(key.length - Integer.BYTES);
    }

    static byte[] event(long revision, int number) {
        return ByteBuffer.allocate(1 + Long.BYTES + Integer.BYTES)
                .put(EVENT)
                .putLong(revision)
                .putInt(number)
                .array();
    }

    static byte[] events() {
        return new byte[] {EVENT};
    }

    /// The first key after all that begin with `prefix`, whose last byte is a letter.
    static byte[] after(byte[] prefix) {
        var after = prefix.clone();
        after[after.length - 1]++;
        return after;
    }

    private static byte[] named(byte kind, String name) {
        var bytes = name.getBytes(StandardCharsets.UTF_8);
        return ByteBuffer.allocate(1 + bytes.length).put(kind).put(bytes).array();
    }
}
