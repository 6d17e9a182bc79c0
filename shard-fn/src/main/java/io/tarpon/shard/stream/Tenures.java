package io.tarpon.shard.stream;

import io.quarkus.runtime.annotations.RegisterForReflection;
import io.smallrye.common.annotation.Identifier;
import io.smallrye.reactive.messaging.kafka.KafkaConsumerRebalanceListener;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.Collection;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.CooperativeStickyAssignor;
import org.apache.kafka.common.TopicPartition;
import org.jboss.logging.Logger;

/// Which partitions this process holds, each from its assignment until it is taken away. What is built of a partition
/// that went to another consumer is built there anew, so whoever builds it here looks at its [Tenure] and stops.
///
/// Called by the polling thread of each consumer, asked by builders. A partition can go from one consumer of this
/// process to another before the first has heard that it lost it: the newer tenure ends the older, and the late word
/// of the older ends nothing.
@ApplicationScoped
@Identifier("shard-fn")
@RegisterForReflection(targets = CooperativeStickyAssignor.class)
public class Tenures implements KafkaConsumerRebalanceListener {
    private static final Logger LOG = Logger.getLogger(Tenures.class);

    private final ConcurrentHashMap<TopicPartition, Tenure> held = new ConcurrentHashMap<>();

    /// One consumer's hold on one partition.
    static final class Tenure {
        private final Consumer<?, ?> holder;
        private volatile boolean over;

        private Tenure(Consumer<?, ?> holder) {
            this.holder = holder;
        }

        boolean isOver() {
            return over;
        }
    }

    /// Empty where the partition was taken away.
    Optional<Tenure> of(TopicPartition partition) {
        return Optional.ofNullable(held.get(partition));
    }

    @Override
    public void onPartitionsAssigned(Consumer<?, ?> consumer, Collection<TopicPartition> partitions) {
        for (var partition : partitions) {
            var before = held.put(partition, new Tenure(consumer));
            if (before != null) {
                before.over = true;
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
                tenure.over = true;
            }
        }
        LOG.infof("partitions taken away partitions=%s", partitions);
    }
}
