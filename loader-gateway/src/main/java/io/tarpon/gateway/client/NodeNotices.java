package io.tarpon.gateway.client;

import io.quarkus.runtime.annotations.RegisterForReflection;
import io.tarpon.wire.block.BlockId;
import io.tarpon.wire.json.Json;
import io.tarpon.wire.metadata.NodeRecord;
import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import org.jboss.logging.Logger;

/// Tells nodes what a gateway on their host did behind their back: which of their blocks it read, so that they
/// stay, and which it found damaged, so that they are repaired. Notices are hints: collected, sent in batches,
/// and lost where a node does not take them. At most 10,000 blocks a node wait; more are not told.
///
/// Threads: anybody tells, under the lock; the outbox sends.
public final class NodeNotices {
    private static final Logger LOG = Logger.getLogger(NodeNotices.class);
    private static final int MOST_WAITING = 10_000;
    private static final Duration EVERY = Duration.ofSeconds(1);

    private final Outbox outbox;
    private final ReentrantLock lock = new ReentrantLock();
    private final Map<String, Waiting> nodes = new HashMap<>();

    public NodeNotices(Outbox outbox) {
        this.outbox = outbox;
    }

    /// The body of `POST /v1/blocks/used`.
    @RegisterForReflection
    record Used(List<String> ids) {}

    /// Goes on until the outbox is closed.
    public void start() {
        outbox.repeat(EVERY, this::send);
    }

    /// A block of the node was read from its file.
    public void used(NodeRecord node, BlockId block) {
        add(node, block, false);
    }

    /// A block of the node is not what was sealed.
    public void damaged(NodeRecord node, BlockId block) {
        add(node, block, true);
    }

    private void add(NodeRecord node, BlockId block, boolean isDamaged) {
        lock.lock();
        try {
            var of = nodes.computeIfAbsent(node.registration().url(), url -> new Waiting(node.id(), url));
            var set = isDamaged ? of.damaged : of.used;
            if (set.size() < MOST_WAITING) {
                set.add(block);
            }
        } finally {
            lock.unlock();
        }
    }

    /// A node for which nothing waits is forgotten.
    private void send() {
        List<Waiting> all;
        lock.lock();
        try {
            nodes.values().removeIf(of -> of.isEmpty() && !outbox.isDelivering(of));
            all = List.copyOf(nodes.values());
        } finally {
            lock.unlock();
        }
        all.forEach(outbox::deliver);
    }

    /// Of one node, by its URL: a node that comes again elsewhere is another one.
    private final class Waiting implements Outbox.Mail {
        private final String node;
        private final String url;
        private final Set<BlockId> used = new HashSet<>();
        private final Set<BlockId> damaged = new HashSet<>();

        Waiting(String node, String url) {
            this.node = node;
            this.url = url;
        }

        boolean isEmpty() {
            return used.isEmpty() && damaged.isEmpty();
        }

        /// One letter for each damaged block, and one for all that were used.
        @Override
        public boolean deliverOne(Outbox by) throws IOException, InterruptedException {
            var block = takeDamaged();
            if (block.isPresent()) {
                var _ = by.post(url, "/v1/blocks/" + block.get() + "/damaged", new byte[0]);
                return true;
            }
            var ids = takeUsed();
            if (ids.isEmpty()) {
                return false;
            }
            var _ = by.post(url, "/v1/blocks/used", Json.bytes(new Used(ids)));
            return true;
        }

        @Override
        public void drop(Exception why) {
            LOG.debugf("notices lost node=%s reason=%s", node, why.getMessage());
            lock.lock();
            try {
                used.clear();
                damaged.clear();
            } finally {
                lock.unlock();
            }
        }

        private Optional<BlockId> takeDamaged() {
            lock.lock();
            try {
                var block = damaged.stream().findFirst();
                block.ifPresent(damaged::remove);
                return block;
            } finally {
                lock.unlock();
            }
        }

        private List<String> takeUsed() {
            lock.lock();
            try {
                var ids = used.stream().map(BlockId::hex).toList();
                used.clear();
                return ids;
            } finally {
                lock.unlock();
            }
        }
    }
}
