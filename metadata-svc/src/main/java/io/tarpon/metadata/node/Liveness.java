package io.tarpon.metadata.node;

import io.tarpon.wire.metadata.Heartbeat;
import io.tarpon.wire.metadata.NodeRecord;
import io.tarpon.wire.metadata.NodeRegistration;
import io.tarpon.wire.metadata.NodeState;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.concurrent.ConcurrentHashMap;

/// When each node was heard last, in monotonic nanoseconds that the caller brings. Not in the log: a restart
/// forgets it, and counts every node as heard at the start, so that no node is lost only because nobody
/// listened.
///
/// Where several nodes live and none of them has been heard for half the timeout, it is the ears that are in doubt:
/// the time of judgement stands still until one is heard, or until all have been silent for `deaf`. So a listener that
/// is cut off does not take every node from every reader at once, and nodes that are all gone are lost a little
/// later.
///
/// Safe for any thread. What is heard of a node that is not joined lapses with the timeout, so that a node which joins
/// while others are listed keeps its first sign of life.
public final class Liveness {
    private final long startNanos;
    private final long timeoutNanos;
    private final long deafNanos;
    private final Map<String, Heard> heard = new ConcurrentHashMap<>();

    private record Heard(long atNanos, Heartbeat heartbeat) {}

    /// @param timeout silence after which a node counts as lost
    /// @param deaf silence of all nodes after which all count as lost
    public Liveness(Duration timeout, Duration deaf, long nowNanos) {
        this.timeoutNanos = timeout.toNanos();
        this.deafNanos = deaf.toNanos();
        this.startNanos = nowNanos;
    }

    /// The node said that it joins: it lives, and keeps what it said to hold.
    public void joined(String id, long nowNanos) {
        heard.merge(
                id, new Heard(nowNanos, new Heartbeat(0, 0)), (before, now) -> new Heard(nowNanos, before.heartbeat()));
    }

    /// The node is among those that joined, and was not before: whoever it spoke to, it lived then.
    public void appeared(String id, long nowNanos) {
        heard.putIfAbsent(id, new Heard(nowNanos, new Heartbeat(0, 0)));
    }

    public void beat(String id, Heartbeat heartbeat, long nowNanos) {
        heard.put(id, new Heard(nowNanos, heartbeat));
    }

    /// Every joined node, by id.
    public List<NodeRecord> records(SortedMap<String, NodeRegistration> joined, long nowNanos) {
        heard.entrySet()
                .removeIf(node -> !joined.containsKey(node.getKey())
                        && nowNanos - node.getValue().atNanos() > timeoutNanos);
        var judgedAt = judgedAt(joined.keySet(), nowNanos);
        return joined.entrySet().stream()
                .map(node -> record(node.getKey(), node.getValue(), judgedAt))
                .toList();
    }

    /// A node that has just been heard.
    public NodeRecord record(String id, NodeRegistration registration, long nowNanos) {
        var last = lastOf(id);
        return new NodeRecord(
                id,
                registration,
                isSilent(last, nowNanos) ? NodeState.LOST : NodeState.UP,
                last.heartbeat().blocks(),
                last.heartbeat().bytes());
    }

    private long judgedAt(Set<String> joined, long nowNanos) {
        var sinceAny = joined.stream()
                .mapToLong(id -> nowNanos - lastOf(id).atNanos())
                .min()
                .orElse(0);
        if (sinceAny <= timeoutNanos / 2 || sinceAny > deafNanos) {
            return nowNanos;
        }
        var stoodStill = nowNanos - sinceAny + timeoutNanos / 2;
        var living =
                joined.stream().filter(id -> !isSilent(lastOf(id), stoodStill)).count();
        return living > 1 ? stoodStill : nowNanos;
    }

    private Heard lastOf(String id) {
        return heard.getOrDefault(id, new Heard(startNanos, new Heartbeat(0, 0)));
    }

    private boolean isSilent(Heard last, long nowNanos) {
        return nowNanos - last.atNanos() > timeoutNanos;
    }
}
