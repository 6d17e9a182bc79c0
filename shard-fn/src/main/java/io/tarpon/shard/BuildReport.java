package io.tarpon.shard;

import io.micrometer.core.instrument.MeterRegistry;
import io.tarpon.wire.ShardRef;
import java.time.Duration;
import java.util.Locale;
import org.jboss.logging.Logger;

/// Says what became of each message: one log line and the metrics of contracts section 8.
public final class BuildReport {
    private static final Logger LOG = Logger.getLogger(BuildReport.class);
    private static final double MIB = 1 << 20;

    private final MeterRegistry meters;

    BuildReport(MeterRegistry meters) {
        this.meters = meters;
    }

    /// A message that named a shard came to this end in this time.
    public void ended(ShardRef ref, Outcome outcome, Duration took) {
        meters.counter("tarpon.shard.built", "result", outcome.result()).increment();
        switch (outcome) {
            case Outcome.Sealed(var samples, var bytes) -> {
                meters.timer("tarpon.shard.build").record(took);
                double seconds = Math.max(took.toNanos() / 1e9, 1e-9);
                LOG.infof(
                        "shard sealed shard=%s samples=%d bytes=%d seconds=%s mibPerSecond=%s",
                        ref, samples, bytes, decimal("%.3f", seconds), decimal("%.1f", bytes / MIB / seconds));
            }
            case Outcome.Repeated() -> LOG.infof("shard was sealed before shard=%s", ref);
            case Outcome.Dropped(var why) -> LOG.infof("shard dropped shard=%s why=%s", ref, why);
            case Outcome.Dead(var reason, var detail) ->
                LOG.errorf("shard not built shard=%s reason=%s detail=%s", ref, reason.wireName(), detail);
        }
    }

    /// A record went to the dead letters.
    public void deadLetter(String topic, DeadReason reason) {
        meters.counter("tarpon.dead.letters", "topic", topic, "reason", reason.wireName())
                .increment();
    }

    private static String decimal(String format, double value) {
        return String.format(Locale.ROOT, format, value);
    }
}
