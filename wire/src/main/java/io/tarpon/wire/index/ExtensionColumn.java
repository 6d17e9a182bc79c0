package io.tarpon.wire.index;

/// One extension of a shard: who has it and how many bytes each. Sizes are ints where all fit 32 unsigned bits.
final class ExtensionColumn {
    private static final int[] NO_INTS = {};
    private static final long[] NO_LONGS = {};
    private static final long MAX_NARROW = 0xffff_ffffL;

    private final String extension;
    private final Presence presence;
    private final int[] narrow;
    private final long[] wide;
    private final long bytes;

    private ExtensionColumn(String extension, Presence presence, int[] narrow, long[] wide, long bytes) {
        this.extension = extension;
        this.presence = presence;
        this.narrow = narrow;
        this.wide = wide;
        this.bytes = bytes;
    }

    /// @param sizes per sample that has the extension, in sample order, in bytes
    static ExtensionColumn of(String extension, Presence presence, long[] sizes) {
        long total = 0;
        long largest = 0;
        for (long size : sizes) {
            total += size;
            largest = Math.max(largest, size);
        }
        if (largest > MAX_NARROW) {
            return new ExtensionColumn(extension, presence, NO_INTS, sizes, total);
        }
        int[] narrow = new int[sizes.length];
        for (int i = 0; i < sizes.length; i++) {
            narrow[i] = (int) sizes[i];
        }
        return new ExtensionColumn(extension, presence, narrow, NO_LONGS, total);
    }

    String extension() {
        return extension;
    }

    Presence presence() {
        return presence;
    }

    /// Data bytes of all members with the extension.
    long bytes() {
        return bytes;
    }

    /// Bytes of one size in the file: 4 or 8.
    int width() {
        return wide.length > 0 ? Long.BYTES : Integer.BYTES;
    }

    /// Size of the sample's member, or -1.
    long size(int sample) {
        int rank = presence.rank(sample);
        return rank < 0 ? -1 : sizeAt(rank);
    }

    long sizeAt(int rank) {
        return wide.length > 0 ? wide[rank] : Integer.toUnsignedLong(narrow[rank]);
    }

    long memoryBytes() {
        return presence.memoryBytes() + 4L * narrow.length + 8L * wide.length + 128;
    }
}
