package io.tarpon.gateway;

import io.quarkus.runtime.configuration.MemorySize;
import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import io.smallrye.config.WithParentName;
import io.tarpon.store.StoreConfig;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/// Everything the gateway can be told. Bounds are checked at start by [Wiring].
@ConfigMapping(prefix = "tarpon")
public interface GatewayConfig {
    /// Address to listen on; anything but loopback opens the gateway to others.
    @WithDefault("127.0.0.1")
    String bind();

    /// File with the write token, for what the gateway tells block services. Absent: it tells them nothing.
    Optional<String> tokenFile();

    /// The group `tarpon.metadata`.
    Metadata metadata();

    /// The group `tarpon.node`.
    Node node();

    /// The group `tarpon.store`: where shards, indexes and reports lie.
    StoreConfig store();

    /// The group `tarpon.gateway`.
    Gateway gateway();

    /// Where metadata-svc answers.
    interface Metadata {
        /// Absolute URLs of its replicas; the next is asked where one fails.
        @WithDefault("http://127.0.0.1:7071")
        List<URI> url();
    }

    /// The machine the gateway is on.
    interface Node {
        /// Block files of nodes with this host are read from disk. Absent: every block comes over HTTP.
        Optional<String> host();
    }

    /// The read path.
    interface Gateway {
        /// Base of the URLs in answers, such as `http://data.example:7070`. Absent: the request's Host.
        Optional<String> publicUrl();

        /// Blocks of one response in work at once; 1 to 64.
        @WithDefault("4")
        int windowBlocks();

        /// Responses with a body in work at once; more are answered 503 `overloaded`. Fewer where the memory
        /// does not bear them: each may come to hold 24 KiB of a quarter of the heap and 160 KiB of `buffers`.
        /// 1 to 10,000.
        @WithDefault("4096")
        int maxReads();

        /// Memory for bytes in flight of all responses; at most 60 % of the direct memory counts. From 1 MiB.
        @WithDefault("160M")
        MemorySize buffers();

        /// Heap for shard indexes in which keys were found; at most 5 % of the heap counts. From 1 MiB.
        @WithDefault("64M")
        MemorySize indexCache();

        /// Heap for what reads of single shards and samples need to know of shards, as much as `layout-cache` says.
        /// At most 10 % of the heap counts. From 1 MiB.
        @WithDefault("32M")
        MemorySize shardLayoutCache();

        /// Heap for what epochs need to know of splits: about 2 KiB a shard and 24 bytes a block, and without `dir`
        /// 8 bytes a sample and 4 a member as well. At most 20 % of the heap counts. From 1 MiB.
        @WithDefault("64M")
        MemorySize layoutCache();

        /// Memory for what epochs' bodies are found again by, 8 bytes for 1,024 samples: heap, and with `dir` mapped
        /// files for all over 4 KiB. At most 5 % of the heap counts. From 1 MiB.
        @WithDefault("8M")
        MemorySize planCache();

        /// Folder for what can be computed again and is too much for the heap; made where there is none, and of one
        /// gateway. Absent: nothing is on disk.
        Optional<Path> dir();

        /// Disk below `dir` for what epochs need to know of splits, 8 bytes a sample and 4 a member; as much again
        /// while one more split is loaded, or open epochs use those that had to go. A quarter more for
        /// single shards. From 1 MiB.
        @WithDefault("4G")
        MemorySize layoutFiles();

        /// Disk below `dir` for what epochs' bodies are found again by after a restart; up to twice as much again for
        /// those in use. From 1 MiB.
        @WithDefault("64M")
        MemorySize planFiles();

        /// Heap for lists of shards; from 1 MiB.
        @WithDefault("16M")
        MemorySize shardCache();

        /// Heap for what key lookups remember of splits; from 1 MiB.
        @WithDefault("8M")
        MemorySize keyCache();

        /// Heap for batches and pages of positions, each from its first byte to the end of its answer: more are
        /// answered 503 `overloaded`. The largest batch alone may need 25 MiB. At most 15 % of the
        /// heap counts. From 1 MiB.
        @WithDefault("32M")
        MemorySize batchMemory();

        /// Block files kept open; 1 to 100,000.
        @WithDefault("512")
        int openFiles();

        /// A block file unused for so long is closed, so that a node's evictions free its disk; 1 s to 1 h.
        @WithDefault("PT15S")
        Duration openFileIdle();

        /// Longest silence of a node before another is asked; 100 ms to 5 min.
        @WithDefault("PT5S")
        Duration nodeTimeout();

        /// A node that failed is asked last for so long, or for twice the time that was waited for it, where that
        /// is longer; a disk that was slow is not asked. 0 to 10 min.
        @WithDefault("PT3S")
        Duration avoid();

        /// The same after failures in a row, each of which doubles it; at least `avoid`, up to 1 h.
        @WithDefault("PT1M")
        Duration avoidMost();

        /// Longest wait for a disk before another source is asked; kept by a look every second or so. 100 ms to 5 min.
        @WithDefault("PT2S")
        Duration diskTimeout();

        /// Threads that open the block files of one node, and as many that verify those of one data folder; 1 to 256.
        @WithDefault("4")
        int diskThreads();

        /// Threads that make epochs' plans; 1 to 256.
        @WithDefault("2")
        int planThreads();

        /// Threads that parse batches and look up their samples; 1 to 256.
        @WithDefault("4")
        int batchThreads();

        /// Threads that read the object store; 1 to 256.
        @WithDefault("8")
        int storeThreads();

        /// Reading ahead by plan.
        Prefetch prefetch();

        /// How often metadata-svc is told which versions have open reads; 10 ms to 5 s, well below the 15 s
        /// after which a report lapses.
        @WithDefault("PT3S")
        Duration reportEvery();

        /// Clients, good and bad.
        @WithParentName
        Clients clients();

        /// Least time between two questions to metadata-svc for the nodes; 10 ms to 1 min.
        @WithDefault("PT1S")
        Duration nodesEvery();

        /// How long metadata-svc may wait for the nodes to change before it answers, about; 0, which is not at all, to
        /// 5 min. One that stands still keeps the last nodes in force so long and 10 s.
        @WithDefault("PT10S")
        Duration nodesWait();

        /// How long an answer without any node is not believed after one that had some: a metadata-svc that stood
        /// still misses every node at once. 0 to 10 min.
        @WithDefault("PT15S")
        Duration nodesDoubt();
    }

    /// The group `tarpon.gateway.prefetch`: what block services are told of the blocks that open epochs read
    /// next.
    interface Prefetch {
        /// Whether they are told at all; needs the write token.
        @WithDefault("true")
        boolean plan();

        /// Blocks of one epoch stream that were told of and not reached yet; 1 to 4,096.
        @WithDefault("64")
        int blocks();

        /// Heap for what streams have told, one bit for each block of the split and 8 bytes for each of
        /// `blocks`; at most 5 % of the heap counts. Streams that find none are not followed. From 1 MiB.
        @WithDefault("8M")
        MemorySize memory();
    }

    /// What clients may do, and for how long. Times are kept by a look every second or so.
    interface Clients {
        /// Connections at once; one more is closed when it comes. 1 to 1,000,000.
        @WithDefault("16384")
        int maxConnections();

        /// Connections from one address; 0 is as many as `max-connections`. Up to 1,000,000.
        @WithDefault("0")
        int maxConnectionsPerAddress();

        /// Bytes of a request line; longer ones are answered 414. 256 B to 1 MiB.
        @WithDefault("16K")
        MemorySize maxRequestLine();

        /// Bytes of a request's headers; longer ones are answered 400. 1 KiB to 1 MiB.
        @WithDefault("32K")
        MemorySize maxHeaders();

        /// From the first byte of a request to the end of its headers; then the connection is closed. 100 ms to
        /// 10 min.
        @WithDefault("PT10S")
        Duration headerTimeout();

        /// From the end of a request's headers to the end of its body; then the connection is closed. 100 ms to
        /// 1 h.
        @WithDefault("PT60S")
        Duration bodyTimeout();

        /// A connection without a request is closed after so long. 100 ms to 1 d.
        @WithDefault("PT75S")
        Duration idle();

        /// A client that takes nothing of its response for so long is cut, while more than three quarters of
        /// `max-reads` are taken. 100 ms to 1 d.
        @WithDefault("PT30S")
        Duration stallCrowded();

        /// The same while there is room: a training loop that evaluates or saves takes nothing for minutes. At
        /// least `stall-crowded`, up to 1 d.
        @WithDefault("PT30M")
        Duration stall();

        /// A client that takes fewer bytes a second of its response, over a MiB or more, is cut; 0 cuts none.
        @WithDefault("0")
        MemorySize minReadRate();

        /// On SIGTERM open responses have so long to come to their end; then they are broken off. 0 to 1 h.
        @WithDefault("PT20S")
        Duration drain();

        /// On SIGTERM connections are taken for so long after readiness turned 503, so that balancers look
        /// elsewhere first. 0 to 5 min.
        @WithDefault("PT0S")
        Duration drainNotice();
    }
}
