package io.tarpon.metadata.log;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// What this process appended to a topic and was acknowledged, until it is read here: a reader need not ask the broker
/// for what the broker has just taken.
///
/// Guarded by its own lock: appends put in, readers take out. An entry that finds no room, or that nobody takes, is
/// read from the broker like those of others.
final class OwnEntries {
    private final long maxBytes;
    /// By position.
    private final TreeMap<Long, byte[]> entries = new TreeMap<>();

    private long bytes;
    /// Up to here a reader has read.
    private long readUpTo;
    /// Null while nobody is to be told of what comes.
    private @Nullable Runnable watcher;

    /// @param maxBytes of the entries that are held
    OwnEntries(long maxBytes) {
        this.maxBytes = maxBytes;
    }

    synchronized void acknowledged(long position, byte[] entry) {
        if (position > readUpTo && bytes + entry.length <= maxBytes && entries.put(position, entry) == null) {
            bytes += entry.length;
            notifyAll();
            if (watcher != null) {
                watcher.run();
            }
        }
    }

    /// The entries after a position, without a gap, at most `limit`; none where the next one is not here.
    synchronized List<byte[]> take(long position, int limit) {
        var taken = new ArrayList<byte[]>();
        for (var next = entries.get(position + 1);
                next != null && taken.size() < limit;
                next = entries.get(position + taken.size() + 1)) {
            taken.add(next);
        }
        read(position + taken.size());
        return taken;
    }

    /// What lies up to here was read, or is gone: it is needed no more.
    synchronized void read(long position) {
        readUpTo = Math.max(readUpTo, position);
        while (!entries.isEmpty() && entries.firstKey() <= position) {
            bytes -= entries.pollFirstEntry().getValue().length;
        }
    }

    /// Whether there is none, so far, after what was read.
    synchronized boolean isEmpty() {
        return entries.isEmpty();
    }

    /// Waits until one after what was read is here, at most this long.
    synchronized void await(Duration patience) throws InterruptedException {
        var until = System.nanoTime() + patience.toNanos();
        for (var left = patience.toNanos(); entries.isEmpty() && left > 0; left = until - System.nanoTime()) {
            TimeUnit.NANOSECONDS.timedWait(this, left);
        }
    }

    /// From now on the watcher is told of each entry that comes; false, and it is not, where one is here already.
    synchronized boolean watch(Runnable told) {
        if (entries.isEmpty()) {
            watcher = told;
        }
        return entries.isEmpty();
    }

    synchronized void unwatch() {
        watcher = null;
    }
}
