package io.tarpon.k8s;

import io.tarpon.store.ObjectStore;
import io.tarpon.wire.ObjectKeys;
import io.tarpon.wire.event.Events;
import io.tarpon.wire.event.TarponEvent.ShardPlanned;
import io.tarpon.wire.event.TarponEvent.ShardSealed;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/// How often each shard was built, by what every attempt leaves: a tar under a key of its own, a line in the log of its
/// process. By shard, `demo/v1/train/shard-000000`.
///
/// @param planned messages of `tarpon.plans`
/// @param tars that were written to their end
/// @param won attempts of which a process says that they became the shard
/// @param givenBack messages that a process left to others before it had sealed their shard
/// @param sealed events of `tarpon.events`
record Builds(
        Map<String, Integer> planned,
        Map<String, Integer> tars,
        Map<String, Integer> won,
        Map<String, Integer> givenBack,
        Map<String, Integer> sealed) {
    private static final Pattern WON = Pattern.compile("shard sealed event=\\S+ shard=(\\S+) ");
    private static final Pattern GIVEN_BACK =
            Pattern.compile("shard handed back topic=\\S+ partition=(\\d+) offset=(\\d+) ");
    private static final Duration POLL = Duration.ofMillis(200);

    /// @param logs of every process of shard-fn that there was
    static Builds of(String brokers, ObjectStore store, List<Path> logs) throws IOException {
        var planned = new TreeMap<String, Integer>();
        var byOffset = new HashMap<String, String>();
        for (var record : records(brokers, "tarpon.plans")) {
            if (Events.decode(record.value()).data() instanceof ShardPlanned shard) {
                count(planned, shard.subject());
                byOffset.put(record.partition() + "@" + record.offset(), shard.subject());
            }
        }
        var sealed = new TreeMap<String, Integer>();
        for (var record : records(brokers, "tarpon.events")) {
            if (Events.decode(record.value()).data() instanceof ShardSealed shard) {
                count(sealed, shard.subject());
            }
        }
        var tars = new TreeMap<String, Integer>();
        store.list("datasets/", object -> {
            if (object.key().endsWith(".tar")) {
                count(tars, ObjectKeys.shard(object.key()).orElseThrow().path());
            }
        });
        var won = new TreeMap<String, Integer>();
        var givenBack = new TreeMap<String, Integer>();
        for (var log : logs) {
            var lines = Files.exists(log) ? Files.readString(log) : "";
            WON.matcher(lines).results().forEach(it -> count(won, it.group(1)));
            GIVEN_BACK
                    .matcher(lines)
                    .results()
                    .map(it -> byOffset.getOrDefault(it.group(1) + "@" + it.group(2), "unknown"))
                    .forEach(shard -> count(givenBack, shard));
        }
        return new Builds(planned, tars, won, givenBack, sealed);
    }

    private static void count(Map<String, Integer> counts, String shard) {
        counts.merge(shard, 1, Integer::sum);
    }

    static int sum(Map<String, Integer> counts) {
        return counts.values().stream().mapToInt(Integer::intValue).sum();
    }

    /// All that a topic holds now.
    private static List<ConsumerRecord<byte[], byte[]>> records(String brokers, String topic) {
        var records = new ArrayList<ConsumerRecord<byte[], byte[]>>();
        try (var consumer = new KafkaConsumer<>(
                Map.of("bootstrap.servers", brokers), new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
            var partitions = IntStream.range(0, consumer.partitionsFor(topic).size())
                    .mapToObj(partition -> new TopicPartition(topic, partition))
                    .toList();
            var ends = consumer.endOffsets(partitions);
            consumer.assign(partitions);
            consumer.seekToBeginning(partitions);
            while (ends.entrySet().stream().anyMatch(end -> consumer.position(end.getKey()) < end.getValue())) {
                consumer.poll(POLL).forEach(records::add);
            }
        }
        return records;
    }
}
