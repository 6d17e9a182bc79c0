package io.tarpon.shard.stream;

import io.smallrye.reactive.messaging.annotations.Blocking;
import io.tarpon.shard.BuildReport;
import io.tarpon.shard.BuildShard;
import io.tarpon.shard.DeadReason;
import io.tarpon.shard.Outcome;
import io.tarpon.shard.assembly.AbandonedException;
import io.tarpon.wire.event.Events;
import io.tarpon.wire.event.TarponEvent.ShardPlanned;
import jakarta.enterprise.context.ApplicationScoped;
import java.io.IOException;
import java.time.Duration;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.eclipse.microprofile.reactive.messaging.Incoming;

/// One record of `tarpon.plans` at a time, in order. A record is acknowledged when this method returns: its shard is
/// sealed, was sealed, is unwanted, or its
/// bytes are in the dead letters. Poison is one of these, so it never holds up its partition. What throws stays
/// uncommitted: the process
/// stops, or the broker does not take dead letters; the channel then fails, liveness says so, and a restart reads the
/// record again.
@ApplicationScoped
public class PlanMessages {
    private final BuildShard build;
    private final BuildReport report;
    private final DeadLetters deadLetters;

    PlanMessages(BuildShard build, BuildReport report, DeadLetters deadLetters) {
        this.build = build;
        this.report = report;
        this.deadLetters = deadLetters;
    }

    @Incoming("plans")
    @Blocking(value = "shard-build", ordered = true)
    void take(ConsumerRecord<byte[], byte[]> record) {
        ShardPlanned planned;
        try {
            planned = decode(record);
        } catch (IOException | RuntimeException e) {
            deadLetters.add(record, DeadReason.MALFORMED, "not a planned shard: " + e.getMessage());
            return;
        }
        long start = System.nanoTime();
        var outcome = build(planned);
        if (outcome instanceof Outcome.Dead(var reason, var detail)) {
            deadLetters.add(record, reason, detail);
        }
        report.ended(planned.ref(), outcome, Duration.ofNanos(System.nanoTime() - start));
    }

    private Outcome build(ShardPlanned planned) {
        try {
            return build.build(planned);
        } catch (AbandonedException e) {
            throw e;
        } catch (RuntimeException e) {
            return build.broke(planned, e);
        }
    }

    private static ShardPlanned decode(ConsumerRecord<byte[], byte[]> record) throws IOException {
        if (record.value() == null) {
            throw new IOException("the record has no value");
        }
        var event = Events.decode(record.value()).data();
        if (event instanceof ShardPlanned planned) {
            return planned;
        }
        throw new IOException("an event of type " + event.type() + " does not belong here");
    }
}
