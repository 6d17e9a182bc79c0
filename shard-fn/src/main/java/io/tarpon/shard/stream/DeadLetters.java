package io.tarpon.shard.stream;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.smallrye.reactive.messaging.MutinyEmitter;
import io.smallrye.reactive.messaging.kafka.api.OutgoingKafkaRecordMetadata;
import io.tarpon.shard.BuildReport;
import io.tarpon.shard.DeadReason;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.Set;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.eclipse.microprofile.reactive.messaging.Channel;
import org.eclipse.microprofile.reactive.messaging.Message;
import org.jboss.logging.Logger;

/// `tarpon.plans.dlq`: the record as it came, key, bytes and headers, and in more headers why and where from.
@ApplicationScoped
public class DeadLetters {
    static final String REASON = "tarpon-reason";
    static final String DETAIL = "tarpon-detail";
    static final String TOPIC = "tarpon-topic";
    static final String PARTITION = "tarpon-partition";
    static final String OFFSET = "tarpon-offset";

    /// What ingest-fn tells letters apart by; a message that has one of them is not to become something else.
    private static final Set<String> OURS = Set.of(
            REASON, DETAIL, TOPIC, PARTITION, OFFSET, "tarpon-value-left-out", "tarpon-left-out", "tarpon-retried");

    private static final Logger LOG = Logger.getLogger(DeadLetters.class);
    private static final int MAX_DETAIL_CHARS = 4096;

    private final MutinyEmitter<byte[]> out;
    private final BuildReport report;

    DeadLetters(@Channel("plans-dlq") MutinyEmitter<byte[]> out, BuildReport report) {
        this.out = out;
        this.report = report;
    }

    /// When it returns, all replicas of the topic have the record.
    void add(ConsumerRecord<byte[], byte[]> record, DeadReason reason, String detail) {
        var headers = original(record.headers());
        headers.add(REASON, reason.wireName().getBytes(UTF_8));
        headers.add(
                DETAIL,
                detail.substring(0, Math.min(detail.length(), MAX_DETAIL_CHARS)).getBytes(UTF_8));
        headers.add(TOPIC, record.topic().getBytes(UTF_8));
        headers.add(PARTITION, Integer.toString(record.partition()).getBytes(UTF_8));
        headers.add(OFFSET, Long.toString(record.offset()).getBytes(UTF_8));
        var metadata = OutgoingKafkaRecordMetadata.<byte[]>builder()
                .withKey(record.key())
                .withHeaders(headers)
                .build();
        out.sendMessageAndAwait(Message.of(record.value()).addMetadata(metadata));
        report.deadLetter(record.topic(), reason);
        LOG.warnf(
                "dead letter topic=%s partition=%d offset=%d reason=%s",
                record.topic(), record.partition(), record.offset(), reason.wireName());
    }

    /// Those of the message whose names are not ours.
    static Headers original(Headers headers) {
        var original = new RecordHeaders();
        for (var header : headers) {
            if (!OURS.contains(header.key())) {
                original.add(header);
            }
        }
        return original;
    }
}
