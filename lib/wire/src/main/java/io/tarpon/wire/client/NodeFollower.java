package io.tarpon.wire.client;

import io.tarpon.wire.http.ProblemType;
import io.tarpon.wire.http.TarponException;
import io.tarpon.wire.metadata.NodeList;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;

/// Follows the nodes: asks metadata-svc how they differ from what it said before, and the answer comes when they do. So
/// a change is known within milliseconds, and while there is none a question takes the whole wait.
///
/// Two questions begin at least `every` apart, whatever is answered and however soon; so this never asks more than one
/// who asks for the whole list every so often, which is what it does with a replica that does not tell changes yet.
///
/// Threads: one of its own asks, and tells the follower.
public final class NodeFollower implements AutoCloseable {
    private static final String NONE = "none";

    /// Who follows, on the thread that asks.
    public interface Follower {
        /// All nodes, once they are others than before, or known again after they were missed. False where they are not
        /// believed: then they are asked for and told again after `every`, and not only once they change.
        boolean told(NodeList nodes);

        /// No replica answered, or not in a way that can be understood: what was told stands.
        void missed(Throwable reason);
    }

    private final MetadataClient metadata;
    private final Duration every;
    private final Duration wait;
    private final Follower follower;
    private final CountDownLatch stop = new CountDownLatch(1);
    private final Thread thread;
    private NodeList nodes = new NodeList(0, List.of());
    /// Of these nodes; that of no list before the first answer, and where nodes have no tags.
    private String tag = NONE;

    /// Whether these nodes were told and believed.
    private boolean isSettled;

    /// @param every least time between two questions
    /// @param wait how long metadata-svc may wait for a change
    public NodeFollower(MetadataClient metadata, Duration every, Duration wait, Follower follower) {
        this.metadata = metadata;
        this.every = every;
        this.wait = wait;
        this.follower = follower;
        this.thread = Thread.ofVirtual().name("node-follower").unstarted(this::run);
    }

    public void start() {
        thread.start();
    }

    /// Returns at once; an answer that is under way may still be told.
    @Override
    public void close() {
        stop.countDown();
        thread.interrupt();
    }

    private void run() {
        try {
            long pause;
            do {
                var begun = System.nanoTime();
                var isAnswered = ask();
                // Those whose replica fails do not all come again at once.
                var apart = isAnswered ? every.toNanos() : spread(every);
                pause = begun + apart - System.nanoTime();
            } while (!stop.await(pause, TimeUnit.NANOSECONDS));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /// Whether an answer came.
    private boolean ask() {
        try {
            var isNews = update();
            if (isNews || !isSettled) {
                isSettled = false;
                isSettled = follower.told(nodes);
            }
            return true;
        } catch (IOException | RuntimeException | Error e) {
            // Whatever it is: without this thread the last nodes stand for ever.
            isSettled = false;
            if (stop.getCount() > 0) {
                follower.missed(e);
            }
            return false;
        }
    }

    /// Whether the nodes are others than before, as far as that is known.
    private boolean update() throws IOException {
        try {
            var longest = isSettled || wait.compareTo(every) < 0 ? wait : every;
            var changes = metadata.nodeChanges(tag, Duration.ofNanos(spread(longest)));
            if (changes.since() != null && !changes.since().equals(tag)) {
                throw new IOException(
                        "asked for changes since " + tag + ", answered with those since " + changes.since());
            }
            nodes = changes.after(nodes);
            tag = changes.tag();
            return !changes.changesNothing();
        } catch (TarponException e) {
            if (e.type() != ProblemType.NOT_FOUND) {
                throw e;
            }
            // A replica of an older version.
            nodes = metadata.nodes();
            tag = NONE;
            return true;
        }
    }

    /// From half of it to half as much again.
    private static long spread(Duration about) {
        var nanos = about.toNanos();
        return nanos / 2 + ThreadLocalRandom.current().nextLong(nanos + 1);
    }
}
