package io.tarpon.wire.index;

import java.util.Arrays;

/// Which samples have an extension, and the how-manieth each of them is. A bitmap; where fewer than one sample in 32
/// has the extension, their ordinals in order instead, so that a shard in which every sample has an extension of its
/// own stays small.
final class Presence {
    private static final int[] NO_ORDINALS = {};
    private static final long[] NO_WORDS = {};

    private final int samples;
    private final int count;
    private final long[] words;
    private final int[] rankBefore;
    private final int[] ordinals;

    private Presence(int samples, int count, long[] words, int[] ordinals) {
        this.samples = samples;
        this.count = count;
        this.words = words;
        this.ordinals = ordinals;
        this.rankBefore = new int[words.length];
        for (int i = 1; i < words.length; i++) {
            rankBefore[i] = rankBefore[i - 1] + Long.bitCount(words[i - 1]);
        }
    }

    /// The one form for `count` of `samples`: encoding is canonical.
    static boolean isSparse(int samples, int count) {
        return (long) count * 32 < samples;
    }

    /// @param ordinals ascending, each below `samples`
    static Presence of(int samples, int[] ordinals) {
        if (isSparse(samples, ordinals.length)) {
            return new Presence(samples, ordinals.length, NO_WORDS, ordinals);
        }
        long[] words = new long[(samples + 63) >>> 6];
        for (int ordinal : ordinals) {
            words[ordinal >>> 6] |= 1L << ordinal;
        }
        return new Presence(samples, ordinals.length, words, NO_ORDINALS);
    }

    boolean sparse() {
        return isSparse(samples, count);
    }

    int count() {
        return count;
    }

    /// Position of the sample among those that have the extension, or -1.
    int rank(int sample) {
        if (sparse()) {
            int found = Arrays.binarySearch(ordinals, sample);
            return found < 0 ? -1 : found;
        }
        long word = words[sample >>> 6];
        long bit = 1L << sample;
        return (word & bit) == 0 ? -1 : rankBefore[sample >>> 6] + Long.bitCount(word & (bit - 1));
    }

    /// All ordinals, ascending.
    int[] ordinals() {
        if (sparse()) {
            return ordinals.clone();
        }
        int[] all = new int[count];
        int at = 0;
        for (int i = 0; i < words.length; i++) {
            for (long rest = words[i]; rest != 0; rest &= rest - 1) {
                all[at++] = (i << 6) + Long.numberOfTrailingZeros(rest);
            }
        }
        return all;
    }

    long memoryBytes() {
        return 12L * words.length + 4L * ordinals.length + 64;
    }
}
