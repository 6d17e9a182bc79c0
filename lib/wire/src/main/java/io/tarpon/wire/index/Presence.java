package io.tarpon.wire.index;

import java.nio.IntBuffer;
import java.util.function.UnaryOperator;

/// Which samples have an extension, and the how-manieth each of them is. Nothing is kept where all have it; else a
/// bitmap; and where fewer than one sample in 32 has the extension, their ordinals in order instead, so that a shard in
/// which every sample has an extension of its own stays small.
final class Presence {
    private static final IntBuffer NONE = IntBuffer.allocate(0);

    private final int samples;
    private final int count;

    /// Words of 64 bits, the low half of each first.
    private final IntBuffer bitmap;

    /// Bits set before each word.
    private final IntBuffer rankBefore;

    private final IntBuffer ordinals;

    private Presence(int samples, int count, IntBuffer bitmap, IntBuffer rankBefore, IntBuffer ordinals) {
        this.samples = samples;
        this.count = count;
        this.bitmap = bitmap;
        this.rankBefore = rankBefore;
        this.ordinals = ordinals;
    }

    /// The one form for `count` of `samples`: encoding is canonical.
    static boolean isSparse(int samples, int count) {
        return (long) count * 32 < samples;
    }

    /// @param ordinals ascending, each below `samples`
    static Presence of(int samples, int[] ordinals) {
        if (isSparse(samples, ordinals.length)) {
            return new Presence(samples, ordinals.length, NONE, NONE, IntBuffer.wrap(ordinals));
        }
        if (ordinals.length == samples) {
            return new Presence(samples, samples, NONE, NONE, NONE);
        }
        int words = (samples + 63) >>> 6;
        int[] bitmap = new int[2 * words];
        for (int ordinal : ordinals) {
            bitmap[ordinal >>> 5] |= 1 << ordinal;
        }
        int[] rankBefore = new int[words];
        for (int i = 1; i < words; i++) {
            rankBefore[i] =
                    rankBefore[i - 1] + Integer.bitCount(bitmap[2 * i - 2]) + Integer.bitCount(bitmap[2 * i - 1]);
        }
        return new Presence(samples, ordinals.length, IntBuffer.wrap(bitmap), IntBuffer.wrap(rankBefore), NONE);
    }

    /// The same over columns that `place` gives for these.
    Presence over(UnaryOperator<IntBuffer> place) {
        return new Presence(samples, count, place.apply(bitmap), place.apply(rankBefore), place.apply(ordinals));
    }

    boolean sparse() {
        return isSparse(samples, count);
    }

    int count() {
        return count;
    }

    /// Position of the sample among those that have the extension, or -1.
    int rank(int sample) {
        if (count == samples) {
            return sample;
        }
        if (sparse()) {
            int found = Unsigned.floor(ordinals, count, sample);
            return ordinals.get(found) == sample ? found : -1;
        }
        long word = word(sample >>> 6);
        long bit = 1L << sample;
        return (word & bit) == 0 ? -1 : rankBefore.get(sample >>> 6) + Long.bitCount(word & (bit - 1));
    }

    /// All ordinals, ascending.
    int[] ordinals() {
        int[] all = new int[count];
        if (count == samples) {
            for (int i = 0; i < count; i++) {
                all[i] = i;
            }
        } else if (sparse()) {
            ordinals.get(0, all);
        } else {
            int at = 0;
            for (int i = 0; i < rankBefore.limit(); i++) {
                for (long rest = word(i); rest != 0; rest &= rest - 1) {
                    all[at++] = (i << 6) + Long.numberOfTrailingZeros(rest);
                }
            }
        }
        return all;
    }

    long columnBytes() {
        return 4L * (bitmap.limit() + rankBefore.limit() + ordinals.limit());
    }

    private long word(int number) {
        return (long) bitmap.get(2 * number + 1) << 32 | Integer.toUnsignedLong(bitmap.get(2 * number));
    }
}
