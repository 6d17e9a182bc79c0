package io.tarpon.gateway;

import io.quarkus.runtime.configuration.MemorySize;
import java.time.Duration;
import java.util.regex.Pattern;

/// Bounds of the configuration. A value out of bounds stops the start and names its key.
final class Limits {
    private static final long MIB = 1 << 20;
    private static final Duration SHORT = Duration.ofMillis(100);
    private static final Pattern BASE_URL = Pattern.compile("https?://[A-Za-z0-9._:\\[\\]-]+(/[A-Za-z0-9._/-]*)?");

    private Limits() {}

    static void check(GatewayConfig.Gateway config) {
        within("window-blocks", config.windowBlocks(), 1, 64);
        within("max-reads", config.maxReads(), 1, 10_000);
        within("open-files", config.openFiles(), 1, 100_000);
        within("disk-threads", config.diskThreads(), 1, 256);
        within("plan-threads", config.planThreads(), 1, 256);
        within("batch-threads", config.batchThreads(), 1, 256);
        within("store-threads", config.storeThreads(), 1, 256);
        within("prefetch.blocks", config.prefetch().blocks(), 1, 4096);
        atLeastMib("prefetch.memory", config.prefetch().memory());
        atLeastMib("buffers", config.buffers());
        atLeastMib("index-cache", config.indexCache());
        atLeastMib("shard-layout-cache", config.shardLayoutCache());
        atLeastMib("layout-cache", config.layoutCache());
        atLeastMib("plan-cache", config.planCache());
        atLeastMib("layout-files", config.layoutFiles());
        atLeastMib("plan-files", config.planFiles());
        atLeastMib("shard-cache", config.shardCache());
        atLeastMib("key-cache", config.keyCache());
        atLeastMib("batch-memory", config.batchMemory());
        within("open-file-idle", config.openFileIdle(), Duration.ofSeconds(1), Duration.ofHours(1));
        within("node-timeout", config.nodeTimeout(), Duration.ofMillis(100), Duration.ofMinutes(5));
        within("avoid", config.avoid(), Duration.ZERO, Duration.ofMinutes(10));
        within("disk-timeout", config.diskTimeout(), Duration.ofMillis(100), Duration.ofMinutes(5));
        within("avoid-most", config.avoidMost(), config.avoid(), Duration.ofHours(1));
        within("nodes-doubt", config.nodesDoubt(), Duration.ZERO, Duration.ofMinutes(10));
        within("nodes-wait", config.nodesWait(), Duration.ZERO, Duration.ofMinutes(5));
        within("nodes-every", config.nodesEvery(), Duration.ofMillis(10), Duration.ofMinutes(1));
        within("report-every", config.reportEvery(), Duration.ofMillis(10), Duration.ofSeconds(5));
        check(config.clients());
        config.publicUrl().ifPresent(Limits::requireUrl);
    }

    private static void check(GatewayConfig.Clients clients) {
        within("max-connections", clients.maxConnections(), 1, 1_000_000);
        within("max-connections-per-address", clients.maxConnectionsPerAddress(), 0, 1_000_000);
        within("max-request-line", clients.maxRequestLine().asLongValue(), 256, MIB);
        within("max-headers", clients.maxHeaders().asLongValue(), 1024, MIB);
        within("header-timeout", clients.headerTimeout(), SHORT, Duration.ofMinutes(10));
        within("body-timeout", clients.bodyTimeout(), SHORT, Duration.ofHours(1));
        within("idle", clients.idle(), SHORT, Duration.ofDays(1));
        within("stall-crowded", clients.stallCrowded(), SHORT, Duration.ofDays(1));
        within("stall", clients.stall(), clients.stallCrowded(), Duration.ofDays(1));
        within("min-read-rate", clients.minReadRate().asLongValue(), 0, Integer.MAX_VALUE);
        within("drain", clients.drain(), Duration.ZERO, Duration.ofHours(1));
        within("drain-notice", clients.drainNotice(), Duration.ZERO, Duration.ofMinutes(5));
    }

    private static void requireUrl(String url) {
        if (!BASE_URL.matcher(url).matches()) {
            throw new IllegalArgumentException("tarpon.gateway.public-url '" + url + "' is not http://host:port");
        }
    }

    private static void within(String key, long value, long least, long most) {
        if (value < least || value > most) {
            throw new IllegalArgumentException(
                    "tarpon.gateway." + key + " " + value + " is not between " + least + " and " + most);
        }
    }

    private static void within(String key, Duration value, Duration least, Duration most) {
        if (value.compareTo(least) < 0 || value.compareTo(most) > 0) {
            throw new IllegalArgumentException(
                    "tarpon.gateway." + key + " " + value + " is not between " + least + " and " + most);
        }
    }

    private static void atLeastMib(String key, MemorySize value) {
        if (value.asLongValue() < MIB) {
            throw new IllegalArgumentException("tarpon.gateway." + key + " " + value.asLongValue() + " is below 1 MiB");
        }
    }
}
