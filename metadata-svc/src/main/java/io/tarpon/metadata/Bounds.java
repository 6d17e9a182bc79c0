package io.tarpon.metadata;

import io.quarkus.runtime.configuration.MemorySize;
import io.tarpon.metadata.entry.MetadataLog;
import java.time.Duration;

/// Holds every setting against its bounds, before anything is opened.
final class Bounds {
    private static final long MOST_READ_BYTES = 16L << 30;
    private static final long READ_PART_OF_HEAP = 8;

    private Bounds() {}

    /// Throws with the key and its bounds where a value is out of them.
    static void check(MetadataConfig config) {
        var metadata = config.metadata();
        between("metadata.node-timeout", metadata.nodeTimeout(), Duration.ofMillis(100), Duration.ofMinutes(10));
        between("metadata.deaf-timeout", metadata.deafTimeout(), Duration.ZERO, Duration.ofHours(1));
        between("metadata.watch-wait", metadata.watchWait(), Duration.ZERO, Duration.ofMinutes(10));
        between("metadata.watchers", metadata.watchers(), 0, 100_000);
        between("metadata.watch-interval", metadata.watchInterval(), Duration.ofMillis(10), Duration.ofSeconds(10));
        between("metadata.kafka.replicas", metadata.kafka().replicas(), 1, 100);
        between("metadata.attempts", metadata.attempts(), 1, 1_000);
        between("metadata.append-timeout", metadata.appendTimeout(), Duration.ofMillis(100), Duration.ofMinutes(10));
        between("metadata.replay-timeout", metadata.replayTimeout(), Duration.ofMillis(100), Duration.ofMinutes(1));
        between("metadata.revision-timeout", metadata.revisionTimeout(), Duration.ZERO, Duration.ofMinutes(1));
        between("metadata.queued-entries", metadata.queuedEntries(), 1, 65_536);
        between(
                "metadata.queued-bytes",
                metadata.queuedBytes().asLongValue(),
                (long) MetadataLog.MAX_ENTRY_BYTES,
                16L << 30);
        metadata.readBytes()
                .ifPresent(bytes ->
                        between("metadata.read-bytes", bytes.asLongValue(), ReadBudget.PAGE_BYTES, MOST_READ_BYTES));
        between("metadata.read-wait", metadata.readWait(), Duration.ZERO, Duration.ofMinutes(1));
        between("metadata.read-hold", metadata.readHold(), Duration.ofMillis(100), Duration.ofMinutes(10));
        between("metadata.answer-cache", metadata.answerCache().asLongValue(), 0L, 16L << 30);
        between("metadata.view-cache", metadata.viewCache().asLongValue(), 1L << 20, 64L << 30);
        between("metadata.max-shards", metadata.maxShards(), 1L, 1_000_000_000L);
        between("metadata.max-versions", metadata.maxVersions(), 1L, 10_000_000L);
        between("metadata.forget-after", metadata.forgetAfter(), Duration.ZERO, Duration.ofDays(3_650));
        between(
                "metadata.failed-version-expiry",
                metadata.failedVersionExpiry(),
                Duration.ZERO,
                Duration.ofDays(3_650));
        between("metadata.expiry-interval", metadata.expiryInterval(), Duration.ofMillis(100), Duration.ofDays(1));
        between("metadata.snapshot.entries", metadata.snapshot().entries(), 0L, 1_000_000_000L);
        between(
                "metadata.snapshot.interval",
                metadata.snapshot().interval(),
                Duration.ofMillis(100),
                Duration.ofDays(1));
        check(config.gc());
        var events = metadata.events();
        between("metadata.events.tail", events.tail(), 1, 1_000_000);
        between("metadata.events.settle", events.settle(), Duration.ZERO, Duration.ofMinutes(1));
        between("metadata.events.retry", events.retry(), Duration.ofMillis(10), Duration.ofMinutes(5));
    }

    /// What the answers to lists may have.
    ///
    /// @param heapBytes the most that the heap may have
    static long readBytes(MetadataConfig.Metadata metadata, long heapBytes) {
        return metadata.readBytes()
                .map(MemorySize::asLongValue)
                .orElse(Math.clamp(heapBytes / READ_PART_OF_HEAP, ReadBudget.PAGE_BYTES, MOST_READ_BYTES));
    }

    private static void check(MetadataConfig.Gc gc) {
        between("gc.grace", gc.grace(), Duration.ZERO, Duration.ofDays(1));
        between("gc.reader-timeout", gc.readerTimeout(), Duration.ofMillis(100), Duration.ofMinutes(10));
        between("gc.max-readers", gc.maxReaders(), 1, 100_000);
        between("gc.upload-age", gc.uploadAge(), Duration.ofSeconds(1), Duration.ofDays(3_650));
        between("gc.deletes", gc.deletes(), 1, 256);
        between("gc.node-timeout", gc.nodeTimeout(), Duration.ofMillis(100), Duration.ofMinutes(10));
    }

    private static <T extends Comparable<T>> void between(String key, T value, T least, T most) {
        if (value.compareTo(least) < 0 || value.compareTo(most) > 0) {
            throw new IllegalArgumentException(
                    "tarpon." + key + " is " + value + ": it must be from " + least + " to " + most);
        }
    }
}
