package io.tarpon.shard.stream;

import io.tarpon.service.stream.DeadLetters;
import io.tarpon.shard.BuildReport;
import io.tarpon.shard.DeadReason;
import jakarta.enterprise.context.ApplicationScoped;
import java.io.IOException;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.eclipse.microprofile.config.inject.ConfigProperty;
import org.eclipse.microprofile.reactive.messaging.Channel;
import org.eclipse.microprofile.reactive.messaging.Emitter;
import org.eclipse.microprofile.reactive.messaging.OnOverflow;
import org.jspecify.annotations.Nullable;

/// `tarpon.plans.dlq`: the plans that shard-fn gives up on, counted.
@ApplicationScoped
public class PlanLetters {
    private final DeadLetters letters;
    private final BuildReport report;

    /// The buffer has room for a letter of every consumer; `tarpon.shard.parallel` is 16 at most.
    PlanLetters(
            @Channel("plans-dlq") @OnOverflow(value = OnOverflow.Strategy.BUFFER, bufferSize = 16)
                    Emitter<byte @Nullable []> out,
            @ConfigProperty(name = "mp.messaging.outgoing.plans-dlq.topic") String topic,
            BuildReport report) {
        this.letters = new DeadLetters(topic, out);
        this.report = report;
    }

    /// When it returns, all replicas of the topic have the record.
    ///
    /// @throws IOException it may be there, or not
    void add(ConsumerRecord<byte[], byte[]> record, DeadReason reason, String detail) throws IOException {
        letters.bury(record, reason.wireName(), detail);
        report.deadLetter(record.topic(), reason);
    }
}
