package io.tarpon.gateway.order;

/// The 256 bits from which the permutations of one kind in one epoch come: one for every group, for a dozen
/// multiplications each.
record PermutationKey(long h0, long h1, long h2, long h3) {
    private static final long STRIDE = 0x9E3779B97F4A7C15L;

    /// The permutation of `[0, size)` for a group.
    ///
    /// @param group its number, 0 where there are no groups
    Permutation permutation(long group, long size) {
        return new Permutation(
                size,
                round(h0, group, 0),
                round(h1, group, 1),
                round(h2, group, 2),
                round(h3, group, 3),
                round(h0, group, 4),
                round(h1, group, 5));
    }

    private static long round(long hash, long group, int number) {
        return mix(hash + mix(group + number * STRIDE));
    }

    private static long mix(long value) {
        var z = (value ^ (value >>> 30)) * Permutation.FIRST;
        z = (z ^ (z >>> 27)) * Permutation.SECOND;
        return z ^ (z >>> 31);
    }
}
