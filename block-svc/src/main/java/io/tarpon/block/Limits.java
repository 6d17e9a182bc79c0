package io.tarpon.block;

import java.net.InetAddress;
import java.time.Duration;
import java.util.List;

/// The bounds of the configuration. A value outside stops the start and names its key.
final class Limits {
    private static final long MIB = 1L << 20;

    private Limits() {}

    static BlockConfig check(BlockConfig config) {
        var block = config.block();
        if (!config.node().id().matches("[A-Za-z0-9][A-Za-z0-9._-]{0,62}")) {
            throw new IllegalArgumentException("tarpon.node.id '"
                    + config.node().id() + "' is not 1 to 63 of A-Z a-z 0-9 . _ - with a letter or digit in front");
        }
        if (config.node().url().isEmpty() && isEveryAddress(config.bind())) {
            throw new IllegalArgumentException("tarpon.bind is " + config.bind()
                    + ", which others cannot connect to; set tarpon.node.url to where they reach this node");
        }
        var folders = block.dataDirs().map(List::size).orElse(1);
        between("tarpon.block.capacity", block.capacity().bytes(), folders * 32 * MIB, Long.MAX_VALUE);
        between("tarpon.block.disk-deadline", block.diskDeadline(), Duration.ofMillis(10), Duration.ofMinutes(1));
        between("tarpon.block.disk-open-wait", block.diskOpenWait(), Duration.ZERO, Duration.ofHours(1));
        between("tarpon.block.open-files", block.openFiles(), 1, 1_000_000);
        between("tarpon.block.file-look", block.fileLook(), Duration.ZERO, Duration.ofMinutes(1));
        between("tarpon.block.max-requests", block.maxRequests(), 1, 100_000);
        between(
                "tarpon.block.slow-reader-interval",
                block.slowReaderInterval(),
                Duration.ofMillis(100),
                Duration.ofMinutes(10));
        between("tarpon.block.slow-reader-bytes", block.slowReaderBytes().bytes(), 1, 1024 * MIB);
        between("tarpon.block.drain", block.drain(), Duration.ZERO, Duration.ofMinutes(10));
        between("tarpon.block.fill-concurrency", block.fillConcurrency(), 1, 256);
        between("tarpon.block.fill-queue", block.fillQueue(), 1, 100_000);
        between("tarpon.block.wanted-fills", block.wantedFills(), 1, 256);
        between("tarpon.block.wanted-queue", block.wantedQueue(), 1, 100_000);
        between("tarpon.block.verify-threads", block.verifyThreads(), 1, 64);
        between("tarpon.block.verify-queue", block.verifyQueue(), 1, 100_000);
        between("tarpon.block.table-cache", block.tableCache().bytes(), MIB, Long.MAX_VALUE);
        between("tarpon.block.max-index", block.maxIndex().bytes(), MIB, 1024 * MIB);
        between("tarpon.block.quarantine-files", block.quarantineFiles(), 0, 1000);
        between("tarpon.block.heartbeat", block.heartbeat(), Duration.ofMillis(100), Duration.ofMinutes(1));
        between("tarpon.block.nodes-wait", block.nodesWait(), Duration.ZERO, Duration.ofMinutes(5));
        between("tarpon.block.use-flush", block.useFlush(), Duration.ofMillis(100), Duration.ofHours(1));
        between(
                "tarpon.block.peer-connect-timeout",
                block.peerConnectTimeout(),
                Duration.ofMillis(1),
                Duration.ofMinutes(1));
        between("tarpon.block.peer-read-timeout", block.peerReadTimeout(), Duration.ofMillis(1), Duration.ofMinutes(5));
        return config;
    }

    private static boolean isEveryAddress(String bind) {
        try {
            return InetAddress.ofLiteral(bind).isAnyLocalAddress();
        } catch (IllegalArgumentException e) {
            return false; // a name
        }
    }

    private static void between(String key, long value, long least, long most) {
        if (value < least || value > most) {
            throw new IllegalArgumentException(key + " is " + value + ", not between " + least + " and " + most);
        }
    }

    private static void between(String key, Duration value, Duration least, Duration most) {
        if (value.compareTo(least) < 0 || value.compareTo(most) > 0) {
            throw new IllegalArgumentException(key + " is " + value + ", not between " + least + " and " + most);
        }
    }
}
