package io.tarpon.ingest.stream;

import io.smallrye.common.annotation.Identifier;
import io.tarpon.ingest.DeadLetterBox;
import io.tarpon.ingest.LetterLimits;
import io.tarpon.ingest.LetterPlace;
import io.tarpon.ingest.LetterRange;
import io.tarpon.service.stream.Brokers;
import io.tarpon.wire.http.ProblemType;
import io.tarpon.wire.http.TarponException;
import io.tarpon.wire.letter.DeadLetter;
import io.tarpon.wire.letter.DeadLetterList;
import io.tarpon.wire.letter.LettersPutBack;
import jakarta.enterprise.context.ApplicationScoped;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.jboss.logging.Logger;

/// Dead-letter topics, each request with a consumer of its own that belongs to no group, so that looking changes
/// nothing. One request at a time, and bounded: in time, in letters looked through, and in memory by one fetch, since
/// a list keeps no values, or by the letters that are sent at a time.
@ApplicationScoped
public class LetterTopics implements DeadLetterBox {
    private static final Logger LOG = Logger.getLogger(LetterTopics.class);
    private static final int FETCH_BYTES = 4 << 20;

    private final Map<String, Object> broker;
    private final Brokers login;
    private final UploadLetters deadLetters;
    private final Duration timeout;
    private final int mostRecords;
    private final Semaphore turn = new Semaphore(1);

    LetterTopics(
            @Identifier("default-kafka-broker") Map<String, Object> broker,
            Brokers login,
            UploadLetters deadLetters,
            LetterLimits limits) {
        this.broker = broker;
        this.login = login;
        this.deadLetters = deadLetters;
        this.timeout = limits.timeout();
        this.mostRecords = limits.records();
    }

    @Override
    public DeadLetterList list(List<String> topics, List<LetterPlace> before, int limit) {
        return reading((records, deadline) -> {
            var columns = new ArrayList<LetterColumn>();
            for (var place : partitions(records, topics)) {
                var partition = new Partition(records.consumer(), place, deadline);
                long start = before.stream()
                        .filter(it -> it.topic().equals(place.topic()) && it.partition() == place.partition())
                        .mapToLong(LetterPlace::offset)
                        .min()
                        .orElse(Long.MAX_VALUE);
                columns.add(LetterColumn.before(start, partition, limit, mostRecords));
            }
            return LetterScan.page(columns, limit);
        });
    }

    @Override
    public Optional<DeadLetter> read(LetterPlace at) {
        return reading((records, deadline) -> {
            var place = new TopicPartition(at.topic(), at.partition());
            var record = records.record(place, at.offset()).filter(found -> !LetterRecords.isMarker(found));
            if (record.isEmpty()) {
                return Optional.empty();
            }
            var retries = new HashMap<Long, Instant>();
            var rest = new Partition(records.consumer(), place, deadline);
            rest.require(rest.read(
                    at.offset() + 1,
                    rest.end(),
                    later -> LetterRecords.noteRetry(later, at.offset(), at.offset() + 1, retries)));
            return Optional.of(LetterRecords.letter(record.get(), retries.get(at.offset()), true));
        });
    }

    @Override
    public Optional<DeadLetter> retry(LetterPlace at) {
        return reading((records, deadline) -> {
            var place = new TopicPartition(at.topic(), at.partition());
            var dead = records.record(place, at.offset()).filter(found -> !LetterRecords.isMarker(found));
            if (dead.isEmpty()) {
                return Optional.empty();
            }
            var returned = new UploadLetters.Returned(dead.get(), records.of(dead.get()));
            sending(() -> deadLetters.putBack(List.of(returned)));
            LOG.infof("dead letter put back id=%s", at);
            return Optional.of(LetterRecords.letter(dead.get(), Instant.now(), false));
        });
    }

    @Override
    public LettersPutBack retryAll(List<String> topics, List<LetterRange> rest, int most) {
        return reading((records, deadline) -> {
            var sweep = new LetterSweep(records, deadLetters, most);
            for (var range : rest.isEmpty() ? all(records, topics, deadline) : rest) {
                var place =
                        new TopicPartition(range.from().topic(), range.from().partition());
                if (records.partitions(place.topic()).contains(place)) {
                    var partition = new Partition(records.consumer(), place, deadline);
                    sending(() -> sweep.sweep(partition, range));
                }
            }
            var result = sweep.result();
            LOG.infof(
                    "dead letters put back letters=%d left=%d rest=%s",
                    result.ids().size(), result.left().size(), result.next());
            return result;
        });
    }

    private static List<LetterRange> all(LetterOriginals records, List<String> topics, long deadline) {
        return partitions(records, topics).stream()
                .map(place -> new Partition(records.consumer(), place, deadline))
                .map(partition -> new LetterRange(partition.place(partition.begin()), partition.end()))
                .toList();
    }

    private static List<TopicPartition> partitions(LetterOriginals records, List<String> topics) {
        return topics.stream()
                .flatMap(topic -> records.partitions(topic).stream())
                .toList();
    }

    private interface Sending {
        void send() throws IOException;
    }

    private static void sending(Sending sending) {
        try {
            sending.send();
        } catch (IOException e) {
            throw new TarponException(
                    ProblemType.NOT_READY, "letters may not have been put back: " + e.getMessage(), e);
        }
    }

    private interface Look<T> {
        T look(LetterOriginals records, long deadline);
    }

    private <T> T reading(Look<T> look) {
        long deadline = System.nanoTime() + timeout.toNanos();
        takeTurn();
        try (var consumer = open()) {
            return look.look(new LetterOriginals(consumer, deadline), deadline);
        } catch (KafkaException e) {
            throw new TarponException(ProblemType.NOT_READY, "the broker does not answer: " + e.getMessage(), e);
        } finally {
            turn.release();
        }
    }

    private void takeTurn() {
        try {
            if (turn.tryAcquire(timeout.toMillis(), TimeUnit.MILLISECONDS)) {
                return;
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        throw new TarponException(ProblemType.OVERLOADED, "others are looking at dead letters; ask again");
    }

    private KafkaConsumer<byte[], byte[]> open() {
        var settings = new HashMap<>(broker);
        settings.putAll(login.login());
        settings.remove("group.id");
        settings.put("enable.auto.commit", false);
        settings.put("allow.auto.create.topics", false);
        settings.put("auto.offset.reset", "earliest");
        settings.put("fetch.max.bytes", FETCH_BYTES);
        settings.put("max.partition.fetch.bytes", FETCH_BYTES / 2);
        settings.put("max.poll.records", 500);
        settings.put("default.api.timeout.ms", (int) timeout.toMillis());
        settings.put("request.timeout.ms", (int) timeout.toMillis());
        return new KafkaConsumer<>(settings, new ByteArrayDeserializer(), new ByteArrayDeserializer());
    }
}
