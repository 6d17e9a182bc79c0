package io.tarpon.gateway.epoch;

import io.tarpon.gateway.body.LaidOutShard;
import io.tarpon.gateway.body.Segment;
import io.tarpon.gateway.catalog.NodeWatch;
import io.tarpon.gateway.client.WantedNotices;
import io.tarpon.wire.block.WantedBlocks;
import java.time.Duration;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jboss.logging.Logger;

/// Tells block services which blocks open epoch streams read next, so that cold ones are on their way before
/// they are asked for. Nothing waits for it: what is not told is read as ever.
///
/// Threads: event loops begin and end streams, under the lock, which is held for no more than that; one
/// thread of its own looks ahead, every few milliseconds while there are streams that have something left to
/// tell. All the work of looking is done there, so that a stream pays one ordinary write for each sample.
public final class PlanPrefetch implements AutoCloseable {
    private static final Logger LOG = Logger.getLogger(PlanPrefetch.class);
    private static final Duration EVERY = Duration.ofMillis(20);

    /// Blocks of one stream in a turn: streams take turns, so that the soonest blocks of all come first.
    private static final int BLOCKS_A_TURN = 8;

    private final NodeWatch nodes;
    private final WantedNotices notices;
    private final int blocks;
    private final long mostBytes;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final Set<BlocksAhead> streams = new LinkedHashSet<>();
    private final Thread thread =
            Thread.ofPlatform().daemon().name("plan-prefetch").unstarted(this::run);
    private long bytes;
    private long followed;
    private boolean closed;

    /// @param blocks of one stream that were told of and not reached yet, at most
    /// @param mostBytes of heap for all streams
    public PlanPrefetch(NodeWatch nodes, WantedNotices notices, int blocks, long mostBytes) {
        this.nodes = nodes;
        this.notices = notices;
        this.blocks = blocks;
        this.mostBytes = mostBytes;
    }

    public void start() {
        thread.start();
    }

    /// Looks ahead of a body, if it is an epoch's and there is memory for it.
    ///
    /// @return to be run when the body is over
    public Runnable follow(Iterator<Segment> segments) {
        if (!(segments instanceof EpochBytes.Samples samples)) {
            return () -> {};
        }
        var ahead = samples.ahead();
        lock.lock();
        try {
            if (closed || bytes + ahead.memoryBytes(blocks) > mostBytes) {
                return () -> {};
            }
            bytes += ahead.memoryBytes(blocks);
            streams.add(ahead);
            followed++;
            changed.signal();
        } finally {
            lock.unlock();
        }
        return () -> leave(ahead);
    }

    /// Streams that are followed.
    int following() {
        lock.lock();
        try {
            return streams.size();
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void close() {
        lock.lock();
        try {
            closed = true;
            changed.signal();
        } finally {
            lock.unlock();
        }
    }

    private void leave(BlocksAhead ahead) {
        lock.lock();
        try {
            if (streams.remove(ahead)) {
                bytes -= ahead.memoryBytes(blocks);
            }
        } finally {
            lock.unlock();
        }
    }

    private void run() {
        try {
            var goesOn = false;
            for (var open = next(goesOn); !open.isEmpty(); open = next(goesOn)) {
                goesOn = open.stream().filter(this::look).count() > 0;
                notices.send();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /// The streams to look at, at once or in a moment, or when there are some; none at the end.
    private List<BlocksAhead> next(boolean atOnce) throws InterruptedException {
        lock.lock();
        try {
            if (!atOnce && !streams.isEmpty()) {
                pause();
            }
            while (!closed && streams.isEmpty()) {
                changed.await();
            }
            return closed ? List.of() : List.copyOf(streams);
        } finally {
            lock.unlock();
        }
    }

    /// A moment, or until there is one stream more.
    private void pause() throws InterruptedException {
        var before = followed;
        for (var left = EVERY.toNanos(); left > 0 && !closed && followed == before; ) {
            left = changed.awaitNanos(left);
        }
    }

    /// Whether it would go on at once.
    private boolean look(BlocksAhead ahead) {
        var goesOn = false;
        try {
            goesOn = ahead.look(blocks, BLOCKS_A_TURN, this::tell);
            if (ahead.isAtEnd()) {
                leave(ahead);
            }
        } catch (RuntimeException | VirtualMachineError e) {
            LOG.warn("stream not followed any more", e);
            leave(ahead);
        }
        return goesOn;
    }

    private void tell(LaidOutShard laidOut, int block) {
        var shard = laidOut.shard();
        var id = laidOut.blockId(block);
        var owners = nodes.nodes().owners(id, shard.replicas());
        if (!owners.isEmpty()) {
            var wanted = new WantedBlocks.Wanted(id.hex(), shard.ref().path(), block);
            notices.add(owners.getFirst(), wanted);
        }
    }
}
