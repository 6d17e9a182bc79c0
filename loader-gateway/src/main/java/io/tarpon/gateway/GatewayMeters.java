package io.tarpon.gateway;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.tarpon.gateway.flow.BlockBytes;
import io.tarpon.gateway.flow.Traffic;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;

/// The gateway's counters, under the names of contracts section 8.
///
/// Threads: any.
public final class GatewayMeters implements Traffic.Meters {
    private static final double NANOS_PER_SECOND = 1e9;

    private final MeterRegistry registry;
    private final Map<BlockBytes.Origin, Counter> bytes = new EnumMap<>(BlockBytes.Origin.class);
    private final Counter onClient;
    private final Counter onStorage;

    GatewayMeters(MeterRegistry registry) {
        this.registry = registry;
        for (var origin : BlockBytes.Origin.values()) {
            if (origin != BlockBytes.Origin.LITERAL) {
                var from = origin.name().toLowerCase(Locale.ROOT);
                bytes.put(origin, registry.counter("tarpon.gateway.bytes", "from", from));
            }
        }
        this.onClient = registry.counter("tarpon.gateway.wait.seconds", "on", "client");
        this.onStorage = registry.counter("tarpon.gateway.wait.seconds", "on", "storage");
    }

    @Override
    public void bytes(BlockBytes.Origin origin, long count) {
        var counter = bytes.get(origin);
        if (counter != null) {
            counter.increment((double) count);
        }
    }

    @Override
    public void waited(boolean client, Duration time) {
        (client ? onClient : onStorage).increment(time.toNanos() / NANOS_PER_SECOND);
    }

    /// One request was answered.
    ///
    /// @param route one of a few words, never a path
    public void answered(String route, int status) {
        registry.counter("tarpon.gateway.requests", "route", route, "status", Integer.toString(status))
                .increment();
    }
}
