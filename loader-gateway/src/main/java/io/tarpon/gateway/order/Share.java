package io.tarpon.gateway.order;

import io.tarpon.gateway.target.EpochTarget;
import io.tarpon.wire.http.TarponException;

/// Which part of an epoch a URL asks for. What cannot be is refused as `bad-parameter`.
///
/// @param start the first position, from 0
/// @param count how many positions from there, cut at the end of the split; [#ALL] where the URL does not say
/// @param tail what becomes of the last positions
/// @param batch samples that a rank gets in a row
/// @param world number of ranks, `rank` from 0
/// @param workers number of one rank's loader workers, `worker` from 0; 1 and 0 for the rank's whole body
public record Share(long start, long count, Tail tail, int batch, int world, int rank, int workers, int worker) {
    /// Every position to the end.
    public static final long ALL = Long.MAX_VALUE;

    /// The most ranks, workers, pieces and samples in a batch.
    public static final int MOST = EpochTarget.MOST;

    public Share {
        notNegative("start", start);
        notNegative("count", count);
        upToMost("batch", batch);
        upToMost("world", world);
        upToMost("workers", workers);
        below("rank", rank, "world", world);
        below("worker", worker, "workers", workers);
    }

    /// The same for one of several workers.
    public Share ofWorker(int ofWorkers, int number) {
        return new Share(start, count, tail, batch, world, rank, ofWorkers, number);
    }

    /// The same over other positions.
    public Share within(Stretch stretch) {
        return new Share(stretch.start(), stretch.count(), tail, batch, world, rank, workers, worker);
    }

    /// Positions that one step of all ranks takes, at most 10^12.
    public long stepPositions() {
        return (long) world * batch;
    }

    public static void notNegative(String name, long value) {
        if (value < 0) {
            throw TarponException.badParameter(name + " " + value + " is negative; it counts from 0");
        }
    }

    public static void upToMost(String name, int value) {
        if (value < 1 || value > MOST) {
            throw TarponException.badParameter(name + " " + value + " is not from 1 to " + MOST);
        }
    }

    private static void below(String name, int value, String ofName, int of) {
        if (value < 0 || value >= of) {
            throw TarponException.badParameter(
                    name + " " + value + " does not exist with " + ofName + " " + of + "; it is from 0 to " + (of - 1));
        }
    }
}
