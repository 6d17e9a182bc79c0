package io.tarpon.metadata.stream;

import static org.assertj.core.api.Assertions.assertThat;

import io.tarpon.metadata.entry.EntryFormat;
import io.tarpon.metadata.entry.MetadataLog;
import io.tarpon.metadata.image.CommittedEvent;
import io.tarpon.metadata.image.HeapStore;
import io.tarpon.metadata.image.Image;
import io.tarpon.metadata.log.Entries;
import io.tarpon.service.stream.Brokers;
import io.tarpon.wire.event.Events;
import io.tarpon.wire.event.TarponEvent;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;

/// What the topic holds, as any reader sees it, beside what the log says it must hold.
final class EventLog {
    static final String TOPIC = "tarpon.events";
    private static final Duration TIMEOUT = Duration.ofSeconds(20);

    private EventLog() {}

    /// One message of the topic.
    record Message(int partition, String key, String id, Optional<String> traceparent, TarponEvent event) {}

    /// Everything in the topic, partition by partition.
    static List<Message> messages(String brokers) throws IOException {
        var messages = new ArrayList<Message>();
        try (var consumer = Clients.consumer(Brokers.at(brokers))) {
            var partitions = consumer.partitionsFor(TOPIC, TIMEOUT).stream()
                    .map(info -> new TopicPartition(TOPIC, info.partition()))
                    .toList();
            consumer.assign(partitions);
            consumer.seekToBeginning(partitions);
            var ends = consumer.endOffsets(partitions, TIMEOUT);
            while (partitions.stream().anyMatch(each -> consumer.position(each) < ends.getOrDefault(each, 0L))) {
                for (var message : consumer.poll(TIMEOUT)) {
                    messages.add(read(message));
                }
            }
        }
        return messages;
    }

    private static Message read(ConsumerRecord<byte[], byte[]> message) throws IOException {
        assertThat(new String(
                        message.headers().lastHeader("content-type").value(), java.nio.charset.StandardCharsets.UTF_8))
                .isEqualTo("application/cloudevents+json");
        var received = Events.decode(message.value());
        var key = new String(message.key(), java.nio.charset.StandardCharsets.UTF_8);
        return new Message(message.partition(), key, received.id(), received.traceparent(), received.data());
    }

    /// What a whole replay of the log tells.
    static List<CommittedEvent> committed(MetadataLog log) throws IOException {
        var image = new Image(new HeapStore());
        var events = new ArrayList<CommittedEvent>();
        while (image.revision() < log.end()) {
            for (var entry : Entries.after(log, image.revision(), 100)) {
                events.addAll(image.replay(EntryFormat.decode("log", entry)).events());
            }
        }
        return events;
    }

    /// Of the image that the first entries of the log make.
    static String digestAt(MetadataLog log, long revision) throws IOException {
        var image = new Image(new HeapStore());
        for (var entry : Entries.after(log, 0, Math.toIntExact(revision))) {
            image.replay(EntryFormat.decode("log", entry));
        }
        assertThat(image.revision()).isEqualTo(revision);
        return image.digest();
    }

    /// Every committed event is in the topic once, and those of a dataset are in order.
    static void assertExactlyOnce(List<Message> messages, List<CommittedEvent> committed) {
        assertThat(messages.stream().map(Message::id))
                .doesNotHaveDuplicates()
                .containsExactlyInAnyOrderElementsOf(
                        committed.stream().map(CommittedEvent::id).toList());
        assertThat(byDataset(messages))
                .isEqualTo(committed.stream()
                        .collect(Collectors.groupingBy(
                                event -> event.event().dataset().value(),
                                Collectors.mapping(CommittedEvent::event, Collectors.toList()))));
        assertThat(messages.stream()
                        .collect(Collectors.groupingBy(
                                Message::key, Collectors.mapping(Message::partition, Collectors.toSet()))))
                .allSatisfy((_, partitions) -> assertThat(partitions).hasSize(1));
    }

    private static Map<String, List<TarponEvent>> byDataset(List<Message> messages) {
        return messages.stream()
                .collect(Collectors.groupingBy(Message::key, Collectors.mapping(Message::event, Collectors.toList())));
    }
}
