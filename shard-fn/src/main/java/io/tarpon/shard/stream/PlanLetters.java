package io.tarpon.shard.stream;

import io.tarpon.service.retry.Patience;
import io.tarpon.service.stream.DeadLetters;
import io.tarpon.shard.BuildReport;
import io.tarpon.shard.DeadReason;
import jakarta.enterprise.context.ApplicationScoped;
import java.io.IOException;
import java.util.function.BooleanSupplier;
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
    private final Patience patience;

    /// The buffer has room for a letter of every consumer; `tarpon.shard.parallel` is 16 at most.
    PlanLetters(
            @Channel("plans-dlq") @OnOverflow(value = OnOverflow.Strategy.BUFFER, bufferSize = 16)
                    Emitter<byte @Nullable []> out,
            @ConfigProperty(name = "mp.messaging.outgoing.plans-dlq.topic") String topic,
            BuildReport report,
            Patience patience) {
        this.letters = new DeadLetters(topic, out);
        this.report = report;
        this.patience = patience;
    }

    /// When it returns, all replicas of the topic have the record. A broker that is away is waited for.
    ///
    /// @param abandoned besides the end of the process, what ends the wait with
    ///     [io.tarpon.service.retry.AbandonedException]: the record may be there, or not
    void add(ConsumerRecord<byte[], byte[]> record, DeadReason reason, String detail, BooleanSupplier abandoned)
            throws IOException {
        var what = "bury " + record.topic() + "/" + record.partition() + "/" + record.offset();
        var _ = patience.until(abandoned).keepTrying(what, () -> {
            letters.bury(record, reason.wireName(), detail);
            return true;
        });
        report.deadLetter(record.topic(), reason);
    }
}
