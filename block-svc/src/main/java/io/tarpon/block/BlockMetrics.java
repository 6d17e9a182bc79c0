package io.tarpon.block;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.function.Supplier;

/// The node's counters, by the names of the contract.
public final class BlockMetrics {
    /// How a read found its block.
    public enum Read {
        /// It was here.
        HIT,
        /// It had to be filled.
        MISS,
        /// It was here and damaged.
        BAD;

        private String wireName() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    private final Map<Read, Counter> reads = new EnumMap<>(Read.class);
    private final Counter fromPeer;
    private final Counter fromStore;

    public BlockMetrics(MeterRegistry registry, Supplier<Number> storedBytes) {
        for (var read : Read.values()) {
            reads.put(read, registry.counter("tarpon.block.reads", "result", read.wireName()));
        }
        fromPeer = registry.counter("tarpon.block.fill.bytes", "from", "peer");
        fromStore = registry.counter("tarpon.block.fill.bytes", "from", "store");
        Gauge.builder("tarpon.block.stored.bytes", storedBytes).register(registry);
    }

    /// How many disks fare how.
    static void watch(MeterRegistry registry, Disks disks) {
        for (var state : Disk.State.values()) {
            Gauge.builder("tarpon.block.disks", () -> disks.count(state))
                    .tag("state", state.wireName())
                    .register(registry);
        }
    }

    public void read(Read read) {
        Objects.requireNonNull(reads.get(read)).increment();
    }

    public void filledFromPeer(long bytes) {
        fromPeer.increment((double) bytes);
    }

    public void filledFromStore(long bytes) {
        fromStore.increment((double) bytes);
    }
}
