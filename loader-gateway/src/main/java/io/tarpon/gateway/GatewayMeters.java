package io.tarpon.gateway;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.tarpon.gateway.flow.BlockBytes;
import io.tarpon.gateway.flow.Traffic;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReferenceArray;

/// The gateway's counters, under the names of contracts section 8. What dashboards ask for is there from the start, as
/// zero; other statuses come as they happen.
///
/// Threads: any.
public final class GatewayMeters implements Traffic.Meters {
    private static final double NANOS_PER_SECOND = 1e9;
    private static final int STATUSES = 600;

    private static final List<Integer> FROM_THE_START = List.of(200, 206, 304, 404, 503);
    private static final List<String> ROUTES = List.of(
            "shard",
            "idx",
            "wids",
            "urls",
            "sample",
            "member",
            "epoch",
            "epoch-manifest",
            "positions",
            "batch",
            "bytes",
            "document",
            "none");

    private final MeterRegistry registry;
    private final Map<BlockBytes.Origin, Counter> bytes = new EnumMap<>(BlockBytes.Origin.class);
    private final Map<String, AtomicReferenceArray<Counter>> requests = new ConcurrentHashMap<>();
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
        ROUTES.forEach(route -> FROM_THE_START.forEach(status -> counter(route, status)));
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
        counter(route, status).increment();
    }

    /// Looked up here rather than in the registry, which would sort and hash its tags for each request.
    private Counter counter(String route, int status) {
        var of = requests.computeIfAbsent(route, _ -> new AtomicReferenceArray<>(STATUSES));
        var known = of.get(status);
        if (known != null) {
            return known;
        }
        var counter = registry.counter("tarpon.gateway.requests", "route", route, "status", Integer.toString(status));
        of.set(status, counter);
        return counter;
    }
}
