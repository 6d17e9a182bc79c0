package io.tarpon.k8s;

import io.tarpon.k8s.scaler.LagTrigger;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.common.TopicPartition;

/// Asks a broker what KEDA's operator asks it: the partitions of a topic, what a group has committed, and where each
/// partition ends.
final class GroupLag implements AutoCloseable {
    private final Admin admin;

    GroupLag(String brokers) {
        admin = Admin.create(Map.<String, Object>of(AdminClientConfig.BOOTSTRAP_SERVERS_CONFIG, brokers));
    }

    int partitions(String topic) {
        return asked(() -> admin.describeTopics(List.of(topic))
                .topicNameValues()
                .get(topic)
                .get()
                .partitions()
                .size());
    }

    List<LagTrigger.Partition> of(LagTrigger trigger) {
        return asked(() -> {
            var partitions = admin
                    .describeTopics(List.of(trigger.topic()))
                    .topicNameValues()
                    .get(trigger.topic())
                    .get()
                    .partitions()
                    .stream()
                    .map(it -> new TopicPartition(trigger.topic(), it.partition()))
                    .toList();
            var committed = admin.listConsumerGroupOffsets(trigger.group())
                    .partitionsToOffsetAndMetadata()
                    .get();
            var ends = admin.listOffsets(
                            partitions.stream().collect(Collectors.toMap(it -> it, _ -> OffsetSpec.latest())))
                    .all()
                    .get();
            return partitions.stream()
                    .map(it -> {
                        var commit = committed.get(it);
                        return new LagTrigger.Partition(
                                commit == null ? LagTrigger.Partition.NO_COMMIT : commit.offset(),
                                ends.get(it).offset());
                    })
                    .toList();
        });
    }

    private interface Question<T> {
        T answer() throws InterruptedException, ExecutionException;
    }

    private static <T> T asked(Question<T> question) {
        try {
            return question.answer();
        } catch (InterruptedException | ExecutionException e) {
            throw new AssertionError("the broker does not say", e);
        }
    }

    @Override
    public void close() {
        admin.close();
    }
}
