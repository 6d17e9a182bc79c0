package io.tarpon.wire.index;

import java.nio.IntBuffer;
import java.util.Arrays;

/// A growing column of ints.
final class IntColumn {
    private int[] values = new int[64];
    private int size;

    void add(int value) {
        if (size == values.length) {
            values = Arrays.copyOf(values, size + (size >> 1));
        }
        values[size++] = value;
    }

    int get(int index) {
        return values[index];
    }

    int size() {
        return size;
    }

    IntBuffer toBuffer() {
        return IntBuffer.wrap(toArray());
    }

    int[] toArray() {
        return Arrays.copyOf(values, size);
    }
}
