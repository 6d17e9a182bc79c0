package io.tarpon.blocks.disk;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLongArray;

/// Which sub-blocks of a file were read in the last few seconds, in two bits each: those of the period that runs and
/// those of the one before.
///
/// Threads: any. A bit that is set while the period changes may be lost, and the sub-block is then read once more.
final class RecentReads {
    static final long PERIOD_NANOS = Duration.ofSeconds(5).toNanos();

    private final int words;
    private final AtomicLongArray bits;
    private final long startNanos;
    private volatile long period;

    RecentReads(int subBlocks, long nowNanos) {
        this.words = (subBlocks + 63) >>> 6;
        this.bits = new AtomicLongArray(2 * words);
        this.startNanos = nowNanos;
    }

    /// All from the first to the last were read just now.
    void add(int first, int last, long nowNanos) {
        var half = half(nowNanos);
        for (var i = first; i <= last; i++) {
            var bit = 1L << i;
            if ((bits.get(half + (i >>> 6)) & bit) == 0) {
                bits.accumulateAndGet(half + (i >>> 6), bit, (held, one) -> held | one);
            }
        }
    }

    /// Whether each of them was, in this period or the one before.
    boolean has(int first, int last, long nowNanos) {
        var half = half(nowNanos);
        var other = half == 0 ? words : 0;
        for (var i = first; i <= last; i++) {
            if (((bits.get(half + (i >>> 6)) | bits.get(other + (i >>> 6))) & 1L << i) == 0) {
                return false;
            }
        }
        return true;
    }

    /// Where the bits of the running period begin, after the change to it where it has just begun.
    private int half(long nowNanos) {
        var now = (nowNanos - startNanos) / PERIOD_NANOS;
        if (now != period) {
            turn(now);
        }
        return (now & 1) == 0 ? 0 : words;
    }

    private synchronized void turn(long now) {
        if (now <= period) {
            return;
        }
        clear((now & 1) == 0 ? 0 : words);
        if (now > period + 1) {
            clear((now & 1) == 0 ? words : 0);
        }
        period = now;
    }

    private void clear(int half) {
        for (var word = 0; word < words; word++) {
            bits.set(half + word, 0);
        }
    }
}
