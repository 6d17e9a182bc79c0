package io.tarpon.gateway.client;

import io.tarpon.wire.block.WantedBlocks;
import io.tarpon.wire.json.Json;
import io.tarpon.wire.metadata.NodeRecord;
import java.io.IOException;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import java.util.concurrent.locks.ReentrantLock;
import org.jboss.logging.Logger;

/// Tells nodes which of their blocks are read soon. One request to a node at a time; what comes meanwhile
/// waits for it, [WantedBlocks#MOST] blocks at most, and more are not told. What a node does not take is
/// lost, and so is what waits for it then.
///
/// Threads: anybody adds and sends, under the lock; the outbox delivers.
public final class WantedNotices {
    private static final Logger LOG = Logger.getLogger(WantedNotices.class);

    private final Outbox outbox;
    private final ReentrantLock lock = new ReentrantLock();
    private final Map<String, Waiting> nodes = new HashMap<>();

    public WantedNotices(Outbox outbox) {
        this.outbox = outbox;
    }

    /// The node is told of the block with the next [#send].
    public void add(NodeRecord node, WantedBlocks.Wanted block) {
        lock.lock();
        try {
            var of = nodes.computeIfAbsent(node.registration().url(), Waiting::new);
            if (of.blocks.size() < WantedBlocks.MOST) {
                of.blocks.putIfAbsent(block.id(), block);
            }
        } finally {
            lock.unlock();
        }
    }

    /// Tells every node that is not being told, and those after that. Waits for nobody. A node for which nothing waits
    /// is forgotten.
    public void send() {
        List<Waiting> all;
        lock.lock();
        try {
            nodes.values().removeIf(of -> of.blocks.isEmpty() && !outbox.isDelivering(of));
            all = List.copyOf(nodes.values());
        } finally {
            lock.unlock();
        }
        all.forEach(outbox::deliver);
    }

    /// Of one node, by its URL: a node that comes again elsewhere is another one.
    private final class Waiting implements Outbox.Mail {
        private final String url;
        private final SequencedMap<String, WantedBlocks.Wanted> blocks = new LinkedHashMap<>();

        Waiting(String url) {
            this.url = url;
        }

        @Override
        public boolean deliverOne(Outbox by) throws IOException, InterruptedException {
            var taken = take();
            if (taken.isEmpty()) {
                return false;
            }
            if (!by.post(url, "/v1/blocks/wanted", Json.bytes(new WantedBlocks(taken)))) {
                throw new IOException("it was not taken");
            }
            return true;
        }

        @Override
        public void drop(Exception why) {
            LOG.debugf("wanted blocks lost url=%s reason=%s", url, why.getMessage());
            var _ = take();
        }

        private List<WantedBlocks.Wanted> take() {
            lock.lock();
            try {
                var taken = List.copyOf(blocks.values());
                blocks.clear();
                return taken;
            } finally {
                lock.unlock();
            }
        }
    }
}
