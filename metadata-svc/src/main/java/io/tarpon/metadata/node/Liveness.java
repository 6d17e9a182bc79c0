package io.tarpon.metadata.node;

import io.tarpon.wire.metadata.Heartbeat;
import io.tarpon.wire.metadata.NodeRecord;
import io.tarpon.wire.metadata.NodeRegistration;
import io.tarpon.wire.metadata.NodeState;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/// When each node was heard last, in monotonic nanoseconds that the caller brings. Not in the log: a restart
/// forgets it, and counts every node as heard at the start, so that no node is lost only because nobody
/// listened.
///
/// Safe for any thread. A heartbeat that races with a leave may stay behind; [#forgetAllBut(Set)] clears it.
public final class Liveness {
    private final long startNanos;
    private final long timeoutNanos;
    private final Map<String, Heard> heard = new ConcurrentHashMap<>();

    private record Heard(long atNanos, Heartbeat heartbeat) {}

    /// @param timeout silence after which a node counts as lost
    public Liveness(Duration timeout, long nowNanos) {
        this.timeoutNanos = timeout.toNanos();
        this.startNanos = nowNanos;
    }

    /// The node said that it joins: it lives, and keeps what it said to hold.
    public void joined(String id, long nowNanos) {
        heard.merge(
                id, new Heard(nowNanos, new Heartbeat(0, 0)), (before, now) -> new Heard(nowNanos, before.heartbeat()));
    }

    public void beat(String id, Heartbeat heartbeat, long nowNanos) {
        heard.put(id, new Heard(nowNanos, heartbeat));
    }

    public void forgetAllBut(Set<String> joined) {
        heard.keySet().retainAll(joined);
    }

    public NodeRecord record(String id, NodeRegistration registration, long nowNanos) {
        var last = heard.getOrDefault(id, new Heard(startNanos, new Heartbeat(0, 0)));
        var state = nowNanos - last.atNanos() > timeoutNanos ? NodeState.LOST : NodeState.UP;
        return new NodeRecord(
                id,
                registration,
                state,
                last.heartbeat().blocks(),
                last.heartbeat().bytes());
    }
}
