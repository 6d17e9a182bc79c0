package io.tarpon.wire.index;

import java.nio.IntBuffer;
import java.util.function.UnaryOperator;

/// One extension of a shard: who has it and how many bytes each. Sizes are ints where all fit 32 unsigned bits, else
/// pairs of them, the high half first.
final class ExtensionColumn {
    private static final long MAX_NARROW = 0xffff_ffffL;

    private final String extension;
    private final Presence presence;
    private final boolean wide;
    private final IntBuffer sizes;
    private final long bytes;

    private ExtensionColumn(String extension, Presence presence, boolean wide, IntBuffer sizes, long bytes) {
        this.extension = extension;
        this.presence = presence;
        this.wide = wide;
        this.sizes = sizes;
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
        boolean wide = largest > MAX_NARROW;
        IntBuffer column = IntBuffer.allocate(wide ? Math.multiplyExact(2, sizes.length) : sizes.length);
        for (long size : sizes) {
            if (wide) {
                column.put((int) (size >>> 32));
            }
            column.put((int) size);
        }
        return new ExtensionColumn(extension, presence, wide, column.flip(), total);
    }

    /// The same over columns that `place` gives for these.
    ExtensionColumn over(UnaryOperator<IntBuffer> place) {
        return new ExtensionColumn(extension, presence.over(place), wide, place.apply(sizes), bytes);
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
        return wide ? Long.BYTES : Integer.BYTES;
    }

    /// Size of the sample's member, or -1.
    long size(int sample) {
        int rank = presence.rank(sample);
        return rank < 0 ? -1 : sizeAt(rank);
    }

    long sizeAt(int rank) {
        return wide
                ? (long) sizes.get(2 * rank) << 32 | Integer.toUnsignedLong(sizes.get(2 * rank + 1))
                : Integer.toUnsignedLong(sizes.get(rank));
    }

    long columnBytes() {
        return presence.columnBytes() + 4L * sizes.limit();
    }
}
