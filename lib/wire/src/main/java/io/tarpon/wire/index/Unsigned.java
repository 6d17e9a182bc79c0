package io.tarpon.wire.index;

import java.nio.IntBuffer;

/// Search in ascending columns of unsigned ints.
final class Unsigned {
    private Unsigned() {}

    /// Position of the largest of the first `count` values that is `<= value`; 0 where there is none.
    static int floor(IntBuffer ascending, int count, long value) {
        int low = 0;
        int high = count - 1;
        while (low < high) {
            int middle = (low + high + 1) >>> 1;
            if (Integer.toUnsignedLong(ascending.get(middle)) <= value) {
                low = middle;
            } else {
                high = middle - 1;
            }
        }
        return low;
    }
}
