package io.tarpon.ingest.disk;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// Records in memory, sorted by their unsigned bytes. Grows as it fills; the chunks are kept small enough for a
/// collector with regions of 1 MiB to place them anywhere.
final class SortBuffer {
    private static final int CHUNK_SHIFT = 19;
    private static final int CHUNK_BYTES = (1 << CHUNK_SHIFT) - 64;
    private static final int MAX_CHUNKS = 1 << (31 - CHUNK_SHIFT);

    /// What a record costs beside its bytes: its length, its place, and its place in the sort's second array.
    private static final int RECORD_COST_BYTES = 3 * Integer.BYTES;

    private final long capacityBytes;
    private final List<byte[]> chunks = new ArrayList<>();
    private byte[] chunk = new byte[0];
    private int chunkUsed;
    private int[] places = new int[1024];
    private int count;
    private long usedBytes;

    SortBuffer(long capacityBytes) {
        this.capacityBytes = Math.min(capacityBytes, (long) MAX_CHUNKS * CHUNK_BYTES);
    }

    int count() {
        return count;
    }

    /// Whether the record was taken; a record that finds the buffer empty always is.
    boolean add(byte[] bytes, int from, int length) {
        if (count > 0 && usedBytes + length + RECORD_COST_BYTES > capacityBytes) {
            return false;
        }
        int needed = Integer.BYTES + length;
        if (needed > chunk.length - chunkUsed) {
            if (chunks.size() == MAX_CHUNKS) {
                return false;
            }
            chunk = new byte[CHUNK_BYTES];
            chunks.add(chunk);
            chunkUsed = 0;
        }
        if (count == places.length) {
            places = Arrays.copyOf(places, count + (count >> 1));
        }
        places[count++] = (chunks.size() - 1) << CHUNK_SHIFT | chunkUsed;
        for (int shift = 24; shift >= 0; shift -= 8) {
            chunk[chunkUsed++] = (byte) (length >>> shift);
        }
        System.arraycopy(bytes, from, chunk, chunkUsed, length);
        chunkUsed += length;
        usedBytes += length + RECORD_COST_BYTES;
        return true;
    }

    /// Sorts the places: runs that are in order already, as a listing's are, are only looked at.
    void sort() {
        sort(places, new int[count], 0, count);
    }

    Records open() {
        return new BufferRecords();
    }

    private void sort(int[] at, int[] spare, int from, int to) {
        if (to - from < 2) {
            return;
        }
        int middle = (from + to) >>> 1;
        sort(at, spare, from, middle);
        sort(at, spare, middle, to);
        if (compare(at[middle - 1], at[middle]) <= 0) {
            return;
        }
        System.arraycopy(at, from, spare, from, middle - from);
        int left = from;
        int right = middle;
        for (int out = from; left < middle; out++) {
            boolean takeRight = right < to && compare(at[right], spare[left]) < 0;
            at[out] = takeRight ? at[right++] : spare[left++];
        }
    }

    private int compare(int a, int b) {
        var left = chunks.get(a >>> CHUNK_SHIFT);
        var right = chunks.get(b >>> CHUNK_SHIFT);
        int leftFrom = bytesFrom(a);
        int rightFrom = bytesFrom(b);
        return Arrays.compareUnsigned(
                left,
                leftFrom,
                leftFrom + length(left, leftFrom),
                right,
                rightFrom,
                rightFrom + length(right, rightFrom));
    }

    private static int bytesFrom(int place) {
        return (place & ((1 << CHUNK_SHIFT) - 1)) + Integer.BYTES;
    }

    private static int length(byte[] chunk, int bytesFrom) {
        return (chunk[bytesFrom - 4] & 0xff) << 24
                | (chunk[bytesFrom - 3] & 0xff) << 16
                | (chunk[bytesFrom - 2] & 0xff) << 8
                | (chunk[bytesFrom - 1] & 0xff);
    }

    private final class BufferRecords implements Records {
        private int next;
        private byte[] bytes = new byte[0];
        private int from;

        @Override
        public boolean next() {
            if (next == count) {
                return false;
            }
            int place = places[next++];
            bytes = chunks.get(place >>> CHUNK_SHIFT);
            from = bytesFrom(place);
            return true;
        }

        @Override
        public byte[] bytes() {
            return bytes;
        }

        @Override
        public int from() {
            return from;
        }

        @Override
        public int length() {
            return SortBuffer.length(bytes, from);
        }
    }
}
