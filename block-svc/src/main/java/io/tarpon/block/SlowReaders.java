package io.tarpon.block;

import java.time.Duration;

/// Who takes its bytes too slowly to be served on: less than so many in one interval, all of which was spent waiting
/// for it. What the reader itself has to wait for, a fill or a disk, is not held against it.
public final class SlowReaders {
    private final Duration every;
    private final long leastBytes;

    /// @param every the interval
    /// @param leastBytes that a reader takes in each
    public SlowReaders(Duration every, long leastBytes) {
        this.every = every;
        this.leastBytes = leastBytes;
    }

    /// How often a [Watch] is to be asked.
    public Duration every() {
        return every;
    }

    /// Begins to watch a reader that has taken so many bytes.
    public Watch watch(long takenBytes) {
        return new Watch(takenBytes);
    }

    /// One reader. Owned by its event loop.
    public final class Watch {
        private long takenBytes;
        private boolean waited;

        private Watch(long takenBytes) {
            this.takenBytes = takenBytes;
        }

        /// The reader has taken all there was.
        public void waitsForUs() {
            waited = true;
        }

        /// Whether it took too little since it was last asked.
        public boolean isTooSlow(long nowTakenBytes) {
            var tooSlow = !waited && nowTakenBytes - takenBytes < leastBytes;
            takenBytes = nowTakenBytes;
            waited = false;
            return tooSlow;
        }
    }
}
