package io.tarpon.blocks;

import java.time.Duration;

/// Who takes its bytes too slowly to be served on: less than so many in one interval, all of which was spent waiting
/// for it. What the reader itself has to wait for, a fill or a disk, is not held against it, and neither is a time in
/// which this process stood still: then nobody looked.
public final class SlowReaders {
    private static final int LOOKS_AN_INTERVAL = 4;

    private final Duration interval;
    private final long leastBytes;

    /// @param leastBytes that a reader takes in each interval
    public SlowReaders(Duration interval, long leastBytes) {
        this.interval = interval;
        this.leastBytes = leastBytes;
    }

    /// How often a [Watch] is to be asked.
    public Duration lookEvery() {
        return interval.dividedBy(LOOKS_AN_INTERVAL);
    }

    /// Begins to watch a reader that has taken so many bytes.
    ///
    /// @param nanos of [System#nanoTime], as at every look
    public Watch watch(long nanos, long takenBytes) {
        return new Watch(nanos, takenBytes);
    }

    /// One reader. Owned by its event loop.
    public final class Watch {
        private long since;
        private long lookedAt;
        private long takenBytes;
        private boolean waited;

        private Watch(long nanos, long takenBytes) {
            this.since = nanos;
            this.lookedAt = nanos;
            this.takenBytes = takenBytes;
        }

        /// The reader has taken all there was.
        public void waitsForUs() {
            waited = true;
        }

        /// Whether it took too little for an interval. The interval begins anew whenever it took enough.
        public boolean isTooSlow(long nanos, long nowTakenBytes) {
            var stoodStill = nanos - lookedAt > 2 * lookEvery().toNanos();
            lookedAt = nanos;
            if (stoodStill || waited || nowTakenBytes - takenBytes >= leastBytes) {
                since = nanos;
                takenBytes = nowTakenBytes;
                waited = false;
                return false;
            }
            return nanos - since >= interval.toNanos();
        }
    }
}
