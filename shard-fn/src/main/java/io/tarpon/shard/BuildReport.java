package io.tarpon.shard;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.tarpon.wire.ShardRef;
import java.time.Duration;
import java.util.Locale;
import org.jboss.logging.Logger;

/// Says what became of each message: one log line and the metrics of contracts section 8.
public final class BuildReport {
    private static final Logger LOG = Logger.getLogger(BuildReport.class);
    private static final double MIB = 1 << 20;

    private final MeterRegistry meters;
    private final Timer build;

    /// Everything that can be counted shows from now on, as 0.
    ///
    /// @param topic whose records may become dead letters
    public BuildReport(MeterRegistry meters, String topic) {
        this.meters = meters;
        this.build = meters.timer("tarpon.shard.build");
        Outcome.RESULTS.forEach(this::built);
        for (var reason : DeadReason.values()) {
            var _ = deadLetters(topic, reason);
        }
    }

    /// A message that named a shard came to this end in this time.
    ///
    /// @param event id of the message
    public void ended(String event, ShardRef ref, Outcome outcome, Duration took) {
        built(outcome.result()).increment();
        switch (outcome) {
            case Outcome.Sealed(var samples, var bytes) -> {
                build.record(took);
                double seconds = Math.max(took.toNanos() / 1e9, 1e-9);
                LOG.infof(
                        "shard sealed event=%s shard=%s samples=%d bytes=%d seconds=%s mibPerSecond=%s",
                        event, ref, samples, bytes, decimal("%.3f", seconds), decimal("%.1f", bytes / MIB / seconds));
            }
            case Outcome.Repeated() -> LOG.infof("shard was sealed before event=%s shard=%s", event, ref);
            case Outcome.Dropped(var why) -> LOG.infof("shard dropped event=%s shard=%s why=%s", event, ref, why);
            case Outcome.Dead(var reason, var detail) ->
                LOG.errorf(
                        "shard not built event=%s shard=%s reason=%s detail=%s", event, ref, reason.wireName(), detail);
        }
    }

    /// A record went to the dead letters.
    public void deadLetter(String topic, DeadReason reason) {
        deadLetters(topic, reason).increment();
    }

    private Counter built(String result) {
        return meters.counter("tarpon.shard.built", "result", result);
    }

    private Counter deadLetters(String topic, DeadReason reason) {
        return meters.counter("tarpon.dead.letters", "topic", topic, "reason", reason.wireName());
    }

    private static String decimal(String format, double value) {
        return String.format(Locale.ROOT, format, value);
    }
}
