package io.tarpon.gateway.disk;

import io.tarpon.gateway.flow.Avoidance;
import java.time.Duration;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;

/// Lanes to the disks of nodes on this host: one for each node, where its files are looked for and opened, and one for
/// each data folder, where they are checked. Each has threads of its own and a memory of whether it was slow of late. A
/// disk that hangs holds up those who open files of its node, for as long as they wait, and those who read what is open
/// on it; nobody else.
///
/// What waits for a lane is bounded: no more comes while it is slow or full. A piece that gave up leaves its task
/// behind, so the pieces in work bound nothing. Names beyond a number that no host has share a lane.
///
/// Threads: any. Two that ask at once whether a lane is full may both find room for one; no more of them ask at once
/// than there are event loops.
public final class DiskLanes implements AutoCloseable {
    /// Tasks and checks that may wait for one lane, some 5 MB of heap. With page-cached samples a disk is through so
    /// many in well under a second. With one that hangs, each time it is tried again leaves some more behind.
    static final int MOST_WAITING = 10_000;

    private static final int MOST = 256;
    private static final Duration IDLE = Duration.ofMinutes(1);
    private static final Duration STOP = Duration.ofSeconds(5);

    private final int threads;
    private final Duration timeout;
    private final Avoidance slow;
    private final ReentrantLock lock = new ReentrantLock();
    private final ConcurrentMap<String, Lane> lanes = new ConcurrentHashMap<>();

    /// @param threads of one lane
    /// @param timeout longest wait for a disk before another source is asked
    /// @param slow of lanes
    public DiskLanes(int threads, Duration timeout, Avoidance slow) {
        this.threads = threads;
        this.timeout = timeout;
        this.slow = slow;
    }

    /// One node's or folder's.
    final class Lane {
        private final String name;
        private final ThreadPoolExecutor workers;
        private final Checks checks;

        private Lane(String name) {
            this.name = name;
            this.workers = new ThreadPoolExecutor(
                    threads,
                    threads,
                    IDLE.toMillis(),
                    TimeUnit.MILLISECONDS,
                    new LinkedBlockingQueue<>(),
                    Thread.ofPlatform().name("disk-", 0).daemon().factory());
            workers.allowCoreThreadTimeOut(true);
            this.checks = new Checks(workers);
        }

        /// Opens files, and closes them. That is never refused: a loop that closed one itself would wait for
        /// the disk, and no more are closed than are open. Never interrupted, since that closes a file for all
        /// who read it.
        Executor workers() {
            return workers;
        }

        Checks checks() {
            return checks;
        }

        /// Whether somebody waited for it in vain of late: then others are asked at once.
        boolean isSlow() {
            return slow.isAvoided(name);
        }

        /// Whether so much waits for it that no more may come: then others are asked at once.
        boolean isFull() {
            return workers.getQueue().size() + checks.waiting() >= MOST_WAITING;
        }

        /// Says whether that was not known.
        boolean wasSlow(Duration waited) {
            return slow.failed(name, waited);
        }

        void worked() {
            slow.worked(name);
        }

        @Override
        public String toString() {
            return name;
        }
    }

    long timeoutNanos() {
        return timeout.toNanos();
    }

    Lane of(String name) {
        var known = lanes.get(name);
        return known == null ? make(name) : known;
    }

    private Lane make(String name) {
        lock.lock();
        try {
            var key = lanes.containsKey(name) || lanes.size() < MOST
                    ? name
                    : lanes.keySet().iterator().next();
            return lanes.computeIfAbsent(key, Lane::new);
        } finally {
            lock.unlock();
        }
    }

    /// Lets what is in work come to its end: an interrupt would close files that others read. Waits no longer for a
    /// disk that hangs.
    @Override
    public void close() {
        var end = System.nanoTime() + STOP.toNanos();
        lock.lock();
        try {
            lanes.values().forEach(lane -> lane.workers.shutdown());
            for (var lane : lanes.values()) {
                await(lane.workers, end - System.nanoTime());
            }
        } finally {
            lock.unlock();
        }
    }

    private static void await(ExecutorService workers, long nanos) {
        try {
            var _ = workers.awaitTermination(Math.max(0, nanos), TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
