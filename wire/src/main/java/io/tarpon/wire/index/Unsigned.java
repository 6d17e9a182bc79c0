package io.tarpon.wire.index;

/// Search in ascending columns of unsigned ints.
final class Unsigned {
    private Unsigned() {}

    /// Position of the largest of the first `count` values that is `<= value`; the first one must be.
    static int floor(int[] ascending, int count, long value) {
        int low = 0;
        int high = count - 1;
        while (low < high) {
            int middle = (low + high + 1) >>> 1;
            if (Integer.toUnsignedLong(ascending[middle]) <= value) {
                low = middle;
            } else {
                high = middle - 1;
            }
        }
        return low;
    }
}
