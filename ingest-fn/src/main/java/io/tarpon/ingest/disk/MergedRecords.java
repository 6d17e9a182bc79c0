package io.tarpon.ingest.disk;

import java.util.Arrays;
import java.util.List;

/// Several sorted runs as one, by a binary heap of their first records.
final class MergedRecords implements Records {
    private final Records[] heap;
    private int size;
    private boolean started;

    MergedRecords(List<Records> runs) throws SpoolException {
        this.heap = new Records[runs.size()];
        for (var run : runs) {
            if (run.next()) {
                heap[size++] = run;
            }
        }
        for (int i = size / 2 - 1; i >= 0; i--) {
            siftDown(i);
        }
    }

    @Override
    public boolean next() throws SpoolException {
        if (size > 0 && started) {
            if (!heap[0].next()) {
                heap[0] = heap[--size];
            }
            siftDown(0);
        }
        started = true;
        return size > 0;
    }

    @Override
    public byte[] bytes() {
        return heap[0].bytes();
    }

    @Override
    public int from() {
        return heap[0].from();
    }

    @Override
    public int length() {
        return heap[0].length();
    }

    private void siftDown(int start) {
        int at = start;
        var moving = heap[at];
        while (2 * at + 1 < size) {
            int child = 2 * at + 1;
            if (child + 1 < size && compare(heap[child + 1], heap[child]) < 0) {
                child++;
            }
            if (compare(heap[child], moving) >= 0) {
                break;
            }
            heap[at] = heap[child];
            at = child;
        }
        heap[at] = moving;
    }

    private static int compare(Records a, Records b) {
        return Arrays.compareUnsigned(
                a.bytes(), a.from(), a.from() + a.length(), b.bytes(), b.from(), b.from() + b.length());
    }
}
