package io.tarpon.shard.stream;

import io.opentelemetry.api.trace.SpanKind;
import io.quarkus.runtime.annotations.RegisterForReflection;
import io.smallrye.common.annotation.Identifier;
import io.smallrye.reactive.messaging.annotations.Blocking;
import io.smallrye.reactive.messaging.kafka.api.IncomingKafkaRecordMetadata;
import io.tarpon.service.retry.AbandonedException;
import io.tarpon.service.stream.Tenures;
import io.tarpon.service.stream.Tenures.Tenure;
import io.tarpon.shard.BuildReport;
import io.tarpon.shard.BuildShard;
import io.tarpon.shard.DeadReason;
import io.tarpon.shard.Outcome;
import io.tarpon.wire.event.Events;
import io.tarpon.wire.event.Events.Received;
import io.tarpon.wire.event.TarponEvent.ShardPlanned;
import io.tarpon.wire.trace.Step;
import io.tarpon.wire.trace.Traces;
import jakarta.enterprise.context.ApplicationScoped;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.CooperativeStickyAssignor;
import org.apache.kafka.common.TopicPartition;
import org.eclipse.microprofile.reactive.messaging.Acknowledgment;
import org.eclipse.microprofile.reactive.messaging.Acknowledgment.Strategy;
import org.eclipse.microprofile.reactive.messaging.Incoming;
import org.eclipse.microprofile.reactive.messaging.Message;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/// Records of `tarpon.plans`: one at a time of each partition, in order, and `tarpon.shard.parallel` at a time in all,
/// each by a consumer of its own, so that nothing is fetched long before it is built. A record is acknowledged when its
/// shard is sealed, was sealed, is unwanted, or its bytes are in the dead letters. Poison is one of these, so it never
/// holds up its partition.
///
/// What the process abandons because it stops is neither acknowledged nor refused, and nothing of its partition comes
/// after it: whoever gets the partition next reads the record again. What it abandons because the partition was taken
/// away is not acknowledged either, and the consumer goes on with the partitions that are left to it: an
/// acknowledgement would be taken for one of the same record where the partition has come back meanwhile. A broker
/// that does not take a dead letter is waited for like all else that may pass. Where the program itself cannot go on
/// the record is refused: the channel fails, liveness says so, and a restart reads it again.
@ApplicationScoped
@RegisterForReflection(targets = CooperativeStickyAssignor.class)
public class PlanMessages {
    private static final Logger LOG = Logger.getLogger(PlanMessages.class);

    private final BuildShard build;
    private final BuildReport report;
    private final PlanLetters deadLetters;
    private final Tenures tenures;
    private final Traces traces;

    PlanMessages(
            BuildShard build,
            BuildReport report,
            PlanLetters deadLetters,
            @Identifier("shard-fn") Tenures tenures,
            Traces traces) {
        this.build = build;
        this.report = report;
        this.deadLetters = deadLetters;
        this.tenures = tenures;
        this.traces = traces;
    }

    @Incoming("plans")
    @Blocking(value = "shard-build", ordered = true)
    @Acknowledgment(Strategy.MANUAL)
    CompletionStage<Void> take(Message<byte[]> message) {
        var record = recordOf(message);
        var tenure = tenures.of(new TopicPartition(record.topic(), record.partition()));
        if (tenure.isEmpty()) {
            handedBack(record, "its partition was taken away");
            return CompletableFuture.completedFuture(null);
        }
        try {
            end(record, tenure.get());
            return message.ack();
        } catch (AbandonedException e) {
            handedBack(record, e.getMessage());
            return tenure.get().isOver() ? CompletableFuture.completedFuture(null) : new CompletableFuture<>();
        } catch (IOException | RuntimeException e) {
            return message.nack(e);
        }
    }

    @SuppressWarnings("unchecked")
    private static ConsumerRecord<byte[], byte[]> recordOf(Message<byte[]> message) {
        return message.getMetadata(IncomingKafkaRecordMetadata.class)
                .orElseThrow(() -> new IllegalStateException("a message without its record"))
                .getRecord();
    }

    private static void handedBack(ConsumerRecord<byte[], byte[]> record, @Nullable String why) {
        LOG.infof(
                "shard handed back topic=%s partition=%d offset=%d why=%s",
                record.topic(), record.partition(), record.offset(), why);
    }

    private void end(ConsumerRecord<byte[], byte[]> record, Tenure tenure) throws IOException {
        Received<ShardPlanned> message;
        try {
            message = decode(record);
        } catch (IOException | RuntimeException e) {
            deadLetters.add(record, DeadReason.MALFORMED, "not a planned shard: " + e.getMessage(), tenure::isOver);
            return;
        }
        long start = System.nanoTime();
        var outcome = build(message, tenure);
        if (outcome instanceof Outcome.Dead(var reason, var detail)) {
            deadLetters.add(record, reason, detail, tenure::isOver);
        }
        report.ended(message.id(), message.data().ref(), outcome, Duration.ofNanos(System.nanoTime() - start));
    }

    private Outcome build(Received<ShardPlanned> message, Tenure tenure) {
        var parent = message.traceparent().orElse(null);
        return traces.begin("build shard", SpanKind.CONSUMER, parent).during(step -> {
            var outcome = build(message.data(), tenure, step);
            step.with("tarpon.result", outcome.result());
            if (outcome instanceof Outcome.Dead(var _, var detail)) {
                step.failed(detail);
            }
            return outcome;
        });
    }

    private Outcome build(ShardPlanned planned, Tenure tenure, Step step) {
        step.with("tarpon.dataset", planned.dataset().value())
                .with("tarpon.version", planned.version().toString())
                .with("tarpon.shard", planned.ref().path())
                .with("tarpon.samples", planned.samples())
                .with("tarpon.bytes", planned.bytes());
        var traced = step.traceparent().map(build::with).orElse(build).until(tenure::isOver);
        try {
            return traced.build(planned);
        } catch (AbandonedException e) {
            throw e;
        } catch (RuntimeException e) {
            return traced.broke(planned, e);
        }
    }

    private static Received<ShardPlanned> decode(ConsumerRecord<byte[], byte[]> record) throws IOException {
        if (record.value() == null) {
            throw new IOException("the record has no value");
        }
        var event = Events.decode(record.value());
        if (event.data() instanceof ShardPlanned planned) {
            return new Received<>(event.id(), event.traceparent(), planned);
        }
        throw new IOException("an event of type " + event.data().type() + " does not belong here");
    }
}
