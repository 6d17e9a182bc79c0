package io.tarpon.service.stream;

import io.smallrye.reactive.messaging.kafka.KafkaConsumerRebalanceListener;
import io.tarpon.service.retry.AbandonedException;
import java.io.IOException;
import java.util.Collection;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.common.TopicPartition;
import org.jboss.logging.Logger;

/// Which partitions this process holds, each from its assignment until it is taken away. What is made of a partition
/// that went to another consumer is made there anew, so whoever works on it here looks at its [Tenure] and stops. A
/// function makes one a bean, with the id of its consumer group as `@Identifier`: so its consumers find it.
///
/// Called by the polling thread of each consumer, asked by those who work. A partition can go from one consumer of this
/// process to another before the first has heard that it lost it: the newer tenure ends the older, and the late word
/// of the older ends nothing.
public final class Tenures implements KafkaConsumerRebalanceListener {
    private static final Logger LOG = Logger.getLogger(Tenures.class);

    private final ConcurrentHashMap<TopicPartition, Tenure> held = new ConcurrentHashMap<>();

    /// One consumer's hold on one partition.
    ///
    /// Owned by its monitor. A thread is interrupted only while it is inside [#during], so never in what it does
    /// next.
    public static final class Tenure {
        private final Consumer<?, ?> holder;
        private final Set<Thread> workers = new HashSet<>();
        private volatile boolean over;

        private Tenure(Consumer<?, ?> holder) {
            this.holder = holder;
        }

        /// Work that may be left unfinished at any point.
        @FunctionalInterface
        public interface Work {
            void run() throws IOException;
        }

        public boolean isOver() {
            return over;
        }

        /// Does the work, unless the partition was taken away; when that comes in between, the thread is
        /// interrupted.
        ///
        /// @throws AbandonedException where nothing was begun
        public void during(Work work) throws IOException {
            enter();
            try {
                work.run();
            } finally {
                leave();
            }
        }

        private synchronized void enter() {
            if (over) {
                throw new AbandonedException("its partition was taken away");
            }
            workers.add(Thread.currentThread());
        }

        private synchronized void leave() {
            workers.remove(Thread.currentThread());
            if (over) {
                // Ours: the interrupt has done what it was for.
                var _ = Thread.interrupted();
            }
        }

        private synchronized void end() {
            over = true;
            workers.forEach(Thread::interrupt);
        }
    }

    /// Empty where the partition was taken away.
    public Optional<Tenure> of(TopicPartition partition) {
        return Optional.ofNullable(held.get(partition));
    }

    @Override
    public void onPartitionsAssigned(Consumer<?, ?> consumer, Collection<TopicPartition> partitions) {
        for (var partition : partitions) {
            var before = held.put(partition, new Tenure(consumer));
            if (before != null) {
                before.end();
            }
        }
        LOG.infof("partitions assigned partitions=%s", partitions);
    }

    /// Lost ones come here as well.
    @Override
    public void onPartitionsRevoked(Consumer<?, ?> consumer, Collection<TopicPartition> partitions) {
        for (var partition : partitions) {
            var tenure = held.get(partition);
            if (tenure != null && tenure.holder.equals(consumer) && held.remove(partition, tenure)) {
                tenure.end();
            }
        }
        LOG.infof("partitions taken away partitions=%s", partitions);
    }
}
