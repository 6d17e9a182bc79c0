package io.tarpon.metadata;

import io.tarpon.metadata.image.Reads;
import io.tarpon.metadata.node.Liveness;
import io.tarpon.metadata.node.NodeView;
import io.tarpon.metadata.replica.Versioned;
import io.tarpon.wire.http.ProblemType;
import io.tarpon.wire.http.TarponException;
import io.tarpon.wire.metadata.NodeChanges;
import io.tarpon.wire.metadata.NodeList;
import io.tarpon.wire.metadata.NodeRecord;
import io.tarpon.wire.metadata.NodeRegistration;
import io.tarpon.wire.metadata.NodeState;
import java.time.Duration;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jboss.logging.Logger;

/// Which nodes there are and which of them live, as this replica sees it, for those who ask and for those who
/// wait until that changes.
///
/// Guarded by its own monitor, under which the image is read and nothing waits for anybody who may need the
/// monitor. A thread looks as soon as a node joins or leaves, and every interval whether one fell silent or is
/// heard again; after a change it looks an interval later, so that many changes wake those who wait a few times
/// only. Those are threads of their requests, virtual ones: who waits has put in a latch under the monitor,
/// together with finding that nothing has changed, so no change is missed; and what wakes him takes all latches
/// out.
public final class NodeWatch implements AutoCloseable {
    private static final Logger LOG = Logger.getLogger(NodeWatch.class);

    /// Views that one may ask for the changes since, and nodes that left: who missed more is told the whole list.
    private static final int REMEMBERED = 1_024;

    private final Queries queries;
    private final Liveness liveness;
    private final LongSupplier nanoTime;
    private final Settings settings;
    private final Thread thread;
    private final NodeView view = new NodeView(REMEMBERED);
    private final Set<CountDownLatch> waiting = new HashSet<>();
    /// What was logged of each node last, so that a change is one line.
    private final Map<String, NodeState> said = new HashMap<>();

    private Joined joined = new Joined(-1, Collections.emptySortedMap());
    /// Of the image that the view is of.
    private long seenRevision;
    private boolean closed;

    /// @param watchers who may wait at a time; more are answered at once
    /// @param longest that anybody waits
    /// @param interval between two looks
    record Settings(int watchers, Duration longest, Duration interval) {}

    private record Joined(long revision, SortedMap<String, NodeRegistration> nodes) {}

    NodeWatch(Queries queries, Liveness liveness, LongSupplier nanoTime, Settings settings) {
        this.queries = queries;
        this.liveness = liveness;
        this.nanoTime = nanoTime;
        this.settings = settings;
        this.thread = Thread.ofPlatform().daemon().name("metadata-nodes").unstarted(this::run);
    }

    void start() {
        thread.start();
    }

    /// Every node, as of now.
    ///
    /// @param revision that the list must have at least
    public Versioned<NodeList> list(long revision) {
        queries.await(revision);
        synchronized (this) {
            var _ = look();
            return new Versioned<>(seenRevision, view.list());
        }
    }

    /// What has changed since the view of this tag, once something has, or after `patience`, in which the revision must
    /// come too. At once where as many wait as may.
    ///
    /// @param revision that the answer must have at least
    /// @param gone is given what to call when nobody waits for the answer any more; it may be called at once
    public Versioned<NodeChanges> changes(long revision, String since, Duration patience, Consumer<Runnable> gone) {
        var until = System.nanoTime() + longest(patience).toNanos();
        queries.await(revision);
        var waiter = new CountDownLatch(1);
        synchronized (this) {
            var changes = changes(revision, since);
            if (!changes.value().changesNothing() || waiting.size() >= settings.watchers() || patience.isZero()) {
                return changes;
            }
            waiting.add(waiter);
        }
        try {
            gone.accept(waiter::countDown);
            var _ = waiter.await(until - System.nanoTime(), TimeUnit.NANOSECONDS);
            return changes(revision, since);
        } catch (InterruptedException e) {
            throw Queries.stopping(e);
        } finally {
            takeOut(waiter);
        }
    }

    private Duration longest(Duration patience) {
        return patience.compareTo(settings.longest()) < 0 ? patience : settings.longest();
    }

    /// How many wait.
    public synchronized int watchers() {
        return waiting.size();
    }

    private synchronized void takeOut(CountDownLatch waiter) {
        waiting.remove(waiter);
    }

    private synchronized Versioned<NodeChanges> changes(long revision, String since) {
        if (closed) {
            throw new TarponException(ProblemType.NOT_READY, "the service is stopping");
        }
        var now = queries.now(Reads::nodesRevision);
        if (now.value() == joined.revision()) {
            seenRevision = now.revision();
        } else if (seenRevision < revision || joined.revision() < 0) {
            var _ = look();
        }
        return new Versioned<>(seenRevision, view.since(since));
    }

    private synchronized boolean look() {
        var read = queries.now(reads ->
                reads.nodesRevision() == joined.revision() ? joined : new Joined(reads.nodesRevision(), reads.nodes()));
        var now = nanoTime.getAsLong();
        if (read.value().revision() != joined.revision()) {
            var nodes = read.value().nodes();
            nodes.keySet().stream()
                    .filter(id -> !joined.nodes().containsKey(id))
                    .forEach(id -> liveness.appeared(id, now));
            said.keySet().retainAll(nodes.keySet());
            joined = read.value();
        }
        seenRevision = read.revision();
        var records = liveness.records(joined.nodes(), now);
        records.forEach(this::say);
        var isOther = view.update(joined.revision(), records);
        if (isOther) {
            wake();
        }
        return isOther;
    }

    private void say(NodeRecord record) {
        var before = said.put(record.id(), record.state());
        if (record.state() != before) {
            var registration = record.registration();
            if (record.state() == NodeState.LOST) {
                LOG.warnf("node lost node=%s host=%s url=%s", record.id(), registration.host(), registration.url());
            } else {
                LOG.infof("node up node=%s host=%s url=%s", record.id(), registration.host(), registration.url());
            }
        }
    }

    private synchronized void wake() {
        waiting.forEach(CountDownLatch::countDown);
        waiting.clear();
    }

    private void run() {
        var troubled = false;
        try {
            while (!Thread.currentThread().isInterrupted()) {
                try {
                    if (!queries.isReplayed() || look()) {
                        Thread.sleep(settings.interval());
                    } else {
                        awaitMember();
                    }
                } catch (TarponException e) {
                    // Nothing is answered any more: let those who wait find out.
                    wake();
                    Thread.sleep(settings.interval());
                } catch (RuntimeException | Error e) {
                    if (!troubled) {
                        LOG.error("nodes not looked at", e);
                    }
                    troubled = true;
                    wake();
                    Thread.sleep(settings.interval());
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /// Returns when a node joins or leaves, or after an interval.
    private void awaitMember() throws InterruptedException {
        var until = System.nanoTime() + settings.interval().toNanos();
        for (var left = settings.interval(); left.isPositive(); left = Duration.ofNanos(until - System.nanoTime())) {
            var now = queries.now(Reads::nodesRevision);
            if (now.value() != joinedRevision()) {
                return;
            }
            queries.awaitBeyond(now.revision(), left);
        }
    }

    private synchronized long joinedRevision() {
        return joined.revision();
    }

    /// Those who wait are answered `not-ready` at once, and nobody waits from here on.
    @Override
    public void close() throws InterruptedException {
        thread.interrupt();
        thread.join();
        synchronized (this) {
            closed = true;
            wake();
        }
    }
}
