package io.tarpon.wire.index;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.Arrays;
import java.util.OptionalInt;

/// The keys of a shard: their bytes one after another, and the ordinals in key order for search.
final class KeyColumn {
    /// Per sample, where its key begins in `bytes`, and the end of the last.
    private final int[] start;

    private final byte[] bytes;

    /// Ordinals in ascending order of their keys' bytes.
    private final int[] sorted;

    KeyColumn(int[] start, byte[] bytes, int[] sorted) {
        this.start = start;
        this.bytes = bytes;
        this.sorted = sorted;
    }

    int[] start() {
        return start;
    }

    byte[] bytes() {
        return bytes;
    }

    int[] sorted() {
        return sorted;
    }

    /// Sorts the keys; refuses two equal ones.
    static KeyColumn of(int[] start, byte[] bytes) {
        int samples = start.length - 1;
        Integer[] order = new Integer[samples];
        Arrays.setAll(order, i -> i);
        KeyColumn unsorted = new KeyColumn(start, bytes, new int[0]);
        Arrays.sort(order, unsorted::compare);
        int[] sorted = new int[samples];
        for (int i = 0; i < samples; i++) {
            sorted[i] = order[i];
            if (i > 0 && unsorted.compare(sorted[i - 1], sorted[i]) == 0) {
                throw new IllegalArgumentException("two samples of a shard have the key " + unsorted.key(sorted[i]));
            }
        }
        return new KeyColumn(start, bytes, sorted);
    }

    String key(int sample) {
        return new String(bytes, start[sample], start[sample + 1] - start[sample], UTF_8);
    }

    int compare(int a, int b) {
        return Arrays.compareUnsigned(bytes, start[a], start[a + 1], bytes, start[b], start[b + 1]);
    }

    OptionalInt find(byte[] key) {
        int low = 0;
        int high = sorted.length - 1;
        while (low <= high) {
            int middle = (low + high) >>> 1;
            int sample = sorted[middle];
            int order = Arrays.compareUnsigned(bytes, start[sample], start[sample + 1], key, 0, key.length);
            if (order == 0) {
                return OptionalInt.of(sample);
            }
            if (order < 0) {
                low = middle + 1;
            } else {
                high = middle - 1;
            }
        }
        return OptionalInt.empty();
    }

    long memoryBytes() {
        return 4L * start.length + bytes.length + 4L * sorted.length;
    }
}
