package io.tarpon.block;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import io.tarpon.store.StoreConfig;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/// Everything a block service can be told. [Limits] checks the bounds at start.
@ConfigMapping(prefix = "tarpon")
public interface BlockConfig {
    /// Address to listen on; anything but loopback opens the node to others.
    @WithDefault("127.0.0.1")
    String bind();

    /// File with the write token. Absent: the node cannot join, and what changes state is refused.
    Optional<Path> tokenFile();

    /// The group `tarpon.metadata`.
    Metadata metadata();

    /// The group `tarpon.node`.
    Node node();

    /// The group `tarpon.store`: where shards and their indexes lie.
    StoreConfig store();

    /// The group `tarpon.block`.
    Block block();

    /// Where metadata-svc answers.
    interface Metadata {
        /// Absolute URLs of its replicas; the next is asked where one fails.
        @WithDefault("http://127.0.0.1:7071")
        List<URI> url();
    }

    /// Who this node is.
    interface Node {
        /// Its name for good, `[A-Za-z0-9][A-Za-z0-9._-]{0,62}`.
        @WithDefault("node-1")
        String id();

        /// The machine it is on; a gateway that says the same reads the block files itself.
        @WithDefault("localhost")
        String host();

        /// Its failure domain. Absent: its host.
        Optional<String> zone();

        /// Where others reach it. Absent: `http://<bind>:<port>`, which no other machine can use where `tarpon.bind` is
        /// all addresses: then it must be set.
        Optional<URI> url();
    }

    /// The blocks.
    interface Block {
        /// State folder of the node: format number, lock, index.
        Path dir();

        /// One folder per disk, in any order: each has its name in its file `FOLDER`, and a disk that comes or goes
        /// moves its own share of the blocks. Absent: `data` in the state folder.
        Optional<List<Path>> dataDirs();

        /// Bytes of block files kept, all data folders together, each an equal part; from 32 MiB for each.
        @WithDefault("2GiB")
        ByteSize capacity();

        /// Bytes left free on each disk: a fill that would go below is refused.
        @WithDefault("256MiB")
        ByteSize diskReserve();

        /// Share of the blocks relative to other nodes. Absent: the capacity in GiB.
        Optional<Double> weight();

        /// Time that a disk has to answer. After it the block comes from elsewhere, and a disk that gives no other
        /// answer either is left alone until it does; 10 ms to 1 min.
        @WithDefault("PT2S")
        Duration diskDeadline();

        /// Time that a start waits for all data folders, if one is open; the others come later. 0 to 1 h.
        @WithDefault("PT30S")
        Duration diskOpenWait();

        /// Block files held open; 1 to 1,000,000. Each takes a file descriptor and about 2 KiB.
        @WithDefault("1024")
        int openFiles();

        /// Time for which an open file is believed to be the one of its name, and unchanged; 0 to 1 min.
        @WithDefault("PT1S")
        Duration fileLook();

        /// Block requests answered at a time; beyond it: 503 `overloaded`. 1 to 100,000. Each holds an open file and no
        /// bytes.
        @WithDefault("1024")
        int maxRequests();

        /// Time in which a reader must take [#slowReaderBytes()] of an answer that is there for it, or is cut; 100 ms
        /// to 10 min.
        @WithDefault("PT30S")
        Duration slowReaderInterval();

        /// Bytes that a reader must take in [#slowReaderInterval()]; 1 byte to 1 GiB.
        @WithDefault("256KiB")
        ByteSize slowReaderBytes();

        /// Time that answers under way are given when the node stops; 0 to 10 min.
        @WithDefault("PT5S")
        Duration drain();

        /// Blocks filled at a time onto each data folder, each over one connection to the object store or a node,
        /// through a buffer of 64 KiB; 1 to 256.
        @WithDefault("8")
        int fillConcurrency();

        /// Fills of each data folder, and look-ups, that wait; beyond it: 503 `overloaded`. 1 to 100,000.
        @WithDefault("256")
        int fillQueue();

        /// Blocks filled at a time before anybody reads them, because a gateway said that they come next; each
        /// as one of [#fillConcurrency()], and beside them. 1 to 256.
        @WithDefault("16")
        int wantedFills();

        /// Such blocks that wait; beyond it hints are dropped. 1 to 100,000, each about 300 bytes.
        @WithDefault("1024")
        int wantedQueue();

        /// Threads that open and verify files of each data folder; 1 to 64.
        @WithDefault("2")
        int verifyThreads();

        /// Opens and verifications that wait for each data folder; beyond it: 503 `overloaded`. 1 to 100,000.
        @WithDefault("1024")
        int verifyQueue();

        /// Memory for block tables of shards; from 1 MiB.
        @WithDefault("8MiB")
        ByteSize tableCache();

        /// Largest shard index taken; at most 1 GiB.
        @WithDefault("32MiB")
        ByteSize maxIndex();

        /// Damaged block files kept for a look, per data folder; 0 to 1,000.
        @WithDefault("4")
        int quarantineFiles();

        /// Time between heartbeats, and least time between two questions for the nodes; 100 ms to 1 min.
        @WithDefault("PT1S")
        Duration heartbeat();

        /// How long metadata-svc may wait for the nodes to change before it answers, about; 0, which is not at all, to
        /// 5 min. One that stands still keeps the last nodes in force so long and 10 s.
        @WithDefault("PT10S")
        Duration nodesWait();

        /// Time between writes of last-use times to the index; 100 ms to 1 h.
        @WithDefault("PT5S")
        Duration useFlush();

        /// Time to connect to another node; 1 ms to 1 min.
        @WithDefault("PT1S")
        Duration peerConnectTimeout();

        /// Longest silence of another node; 1 ms to 5 min.
        @WithDefault("PT10S")
        Duration peerReadTimeout();
    }
}
