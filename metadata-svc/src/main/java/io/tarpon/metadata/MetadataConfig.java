package io.tarpon.metadata;

import io.quarkus.runtime.configuration.MemorySize;
import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import io.tarpon.service.stream.KafkaLoginConfig;
import io.tarpon.service.stream.TopicsConfig;
import io.tarpon.store.StoreConfig;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/// Everything metadata-svc can be told. A key below `tarpon` that is not here stops the start; bounds are
/// checked by [Bounds].
@ConfigMapping(prefix = "tarpon")
public interface MetadataConfig {
    /// Address to listen on; anything but loopback opens the service to others.
    @WithDefault("127.0.0.1")
    String bind();

    /// File with the write token, which may be replaced. Absent: every command is refused.
    Optional<Path> tokenFile();

    /// The group `tarpon.metadata`.
    Metadata metadata();

    /// The group `tarpon.store`: where the objects of versions are, for collecting garbage, and where
    /// snapshots are. Not set: none is collected, and none is written, so that the log is never cut.
    StoreConfig store();

    /// The group `tarpon.gc`.
    Gc gc();

    /// The group `tarpon.topics`: what becomes of topics that are missing.
    TopicsConfig topics();

    /// By what the brokers let in.
    KafkaLoginConfig kafka();

    /// State, log, nodes and events.
    interface Metadata {
        /// Where the log is: `local`, in the state folder, or `kafka`, in a topic.
        @WithDefault("local")
        LogKind log();

        /// The group `tarpon.metadata.kafka`: the topic of the log.
        Kafka kafka();

        /// State folder; made where there is none.
        @WithDefault("metadata")
        Path dir();

        /// Silence after which a node counts as lost; 100 ms to 10 min.
        @WithDefault("PT5S")
        Duration nodeTimeout();

        /// Silence of all of several nodes after which all count as lost: that long the fault may be with this
        /// service's own hearing. 0, which is no such doubt, to 1 h.
        @WithDefault("PT30S")
        Duration deafTimeout();

        /// How long who asks for changes of the nodes may wait for one, whatever he asks for; 0 to 10 min.
        @WithDefault("PT30S")
        Duration watchWait();

        /// Who may wait for a change of the nodes at a time, each with a connection and some KiB of heap; more are
        /// answered at once. 0 to 100,000.
        @WithDefault("4096")
        int watchers();

        /// Pause between two looks which nodes live, and after each change before the next one is told; 10 ms to 10 s.
        @WithDefault("PT0.25S")
        Duration watchInterval();

        /// How often one command is decided when others come first; 1 to 1,000.
        @WithDefault("16")
        int attempts();

        /// How long the log may take for an entry; then it is not known whether it is there, and the command is
        /// decided once more to find out. 100 ms to 10 min.
        @WithDefault("PT10S")
        Duration appendTimeout();

        /// How long an appended entry may take to be replayed; 100 ms to 1 min.
        @WithDefault("PT5S")
        Duration replayTimeout();

        /// How long a question waits for a revision: the one it names, or the log's end, where it asks for that or
        /// is to be told that something is not there. 0 to 1 min.
        @WithDefault("PT5S")
        Duration revisionTimeout();

        /// Entries that may wait for the disk; more are answered 503 `overloaded`. 1 to 65,536.
        @WithDefault("1024")
        int queuedEntries();

        /// Bytes of entries that may wait for the disk; more are answered 503 `overloaded`. 512 KiB, which is one
        /// entry as long as it may be, to 16 GiB.
        @WithDefault("64M")
        MemorySize queuedBytes();

        /// Bytes of heap that the answers to lists may have, all together: 4 MiB each. Who asks for one more
        /// waits. 4 MiB to 16 GiB; not set, an eighth of the heap, at least 4 MiB.
        Optional<MemorySize> readBytes();

        /// How long a list waits for room before it is answered 503 `overloaded`; 0 to 1 min.
        @WithDefault("PT1S")
        Duration readWait();

        /// How long a list may take to be read by who asked for it, before the connection is closed; 100 ms to 10 min.
        @WithDefault("PT10S")
        Duration readHold();

        /// Heap of the answers to look-ups of versions and datasets that are ready before somebody asks, all together;
        /// 0, which is none, to 16 GiB.
        @WithDefault("16M")
        MemorySize answerCache();

        /// How much of the view of the log, which lies in `dir`, is held in memory for reading, outside of the heap;
        /// 1 MiB to 64 GiB.
        @WithDefault("32M")
        MemorySize viewCache();

        /// Shards of all versions together: some 300 bytes of disk each in the view, no heap. More are answered 507.
        /// 1 to 1,000,000,000.
        @WithDefault("20000000")
        long maxShards();

        /// Versions of all datasets together, held in memory: some 2 KiB of heap each. More are answered 507.
        /// 1 to 10,000,000.
        @WithDefault("100000")
        long maxVersions();

        /// How long a version that was collected is still known, with the request that began it, and a node that left;
        /// 0, which is for ever, to 3,650 d.
        @WithDefault("P30D")
        Duration forgetAfter();

        /// How long a failed version stays before it is removed; 0, which is for ever, to 3,650 d.
        @WithDefault("P7D")
        Duration failedVersionExpiry();

        /// Pause between two looks for failed versions that expire; 100 ms to 1 d.
        @WithDefault("PT1M")
        Duration expiryInterval();

        /// The group `tarpon.metadata.snapshot`.
        Snapshot snapshot();

        /// The group `tarpon.metadata.events`.
        Events events();
    }

    /// When the view is written to the object store.
    interface Snapshot {
        /// Entries after which it is written by itself; 0, which is never, to 1,000,000,000.
        @WithDefault("100000")
        long entries();

        /// Pause between two looks whether there are as many, and where the log begins; 100 ms to 1 d.
        @WithDefault("PT1M")
        Duration interval();
    }

    /// A log in Kafka.
    interface Kafka {
        /// Topic of the log, with one partition; made where there is none.
        @WithDefault("tarpon.metadata")
        String topic();

        /// Topic on which replicas tell each other which nodes live and what is being read; made where there is
        /// none.
        @WithDefault("tarpon.presence")
        String presenceTopic();

        /// Brokers that a new topic lies on, 1 to 100; from 3 on, an entry must be on two to be acknowledged.
        @WithDefault("3")
        int replicas();
    }

    /// What is collected, and when.
    interface Gc {
        /// How long a removed version stays as it is: longer than a gateway may believe that it is still there; 0 to
        /// 1 d.
        @WithDefault("PT10S")
        Duration grace();

        /// How long the report of a gateway about its open reads counts; 100 ms to 10 min.
        @WithDefault("PT15S")
        Duration readerTimeout();

        /// Gateways that may report open reads; 1 to 100,000.
        @WithDefault("1000")
        int maxReaders();

        /// Age from which a half-done upload is abandoned: longer than any upload may take; 1 s to 3,650 d.
        @WithDefault("PT24H")
        Duration uploadAge();

        /// Batches of up to 200 objects deleted at a time; 1 to 256.
        @WithDefault("16")
        int deletes();

        /// How long a node may take to drop up to 10,000 blocks; 100 ms to 10 min.
        @WithDefault("PT1M")
        Duration nodeTimeout();
    }

    /// What is said on Kafka.
    interface Events {
        /// Topic that committed changes go to.
        @WithDefault("tarpon.events")
        String topic();

        /// Events held in memory for the publisher; what it misses it derives from the log again. 1 to 1,000,000.
        @WithDefault("4096")
        int tail();

        /// How long the ends of the topic must stay as they are before the first event is sent; 0 to 1 min.
        @WithDefault("PT0.25S")
        Duration settle();

        /// Pause after the broker could not be reached; 10 ms to 5 min.
        @WithDefault("PT1S")
        Duration retry();
    }
}
