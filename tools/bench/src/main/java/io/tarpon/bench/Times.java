package io.tarpon.bench;

import java.io.IOException;
import java.util.Arrays;

/// How long each of many requests took, in nanoseconds.
record Times(long... nanos) {
    private static final double MILLI = 1e6;

    Times {
        if (nanos.length == 0) {
            throw new IllegalArgumentException("the times of no requests");
        }
        nanos = nanos.clone();
        Arrays.sort(nanos);
    }

    /// One request; `number` counts from 0.
    interface Timing {
        long nanos(int number) throws IOException;
    }

    static Times of(int requests, Timing timing) throws IOException {
        var nanos = new long[requests];
        for (int number = 0; number < requests; number++) {
            nanos[number] = timing.nanos(number);
        }
        return new Times(nanos);
    }

    /// Milliseconds within which that share of the requests had their answer: the nearest rank.
    ///
    /// @param share above 0, up to 1
    double millis(double share) {
        int rank = (int) Math.ceil(share * nanos.length);
        return nanos[Math.max(1, rank) - 1] / MILLI;
    }
}
