package io.tarpon.ingest;

import io.quarkus.runtime.configuration.MemorySize;
import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import io.tarpon.service.stream.KafkaLoginConfig;
import io.tarpon.service.stream.TopicsConfig;
import io.tarpon.store.SourcesConfig;
import io.tarpon.store.StoreConfig;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/// Settings of ingest-fn, all below `tarpon.`: these, and the sources of [SourcesConfig].
@ConfigMapping(prefix = "tarpon")
public interface IngestConfig extends SourcesConfig {
    /// Address to listen on. Anything but loopback is dangerous without TLS in front.
    @WithDefault("127.0.0.1")
    String bind();

    /// File with the write token, at least 16 characters. Without it every upload by HTTP is answered 401.
    Optional<String> tokenFile();

    Metadata metadata();

    /// Where plans and reports are kept.
    StoreConfig store();

    Ingest ingest();

    /// What becomes of topics that are missing.
    TopicsConfig topics();

    /// By what the brokers let in.
    KafkaLoginConfig kafka();

    /// The group `tarpon.metadata`.
    interface Metadata {
        /// Base URLs of the replicas of metadata-svc; the next is asked where one fails.
        @WithDefault("http://127.0.0.1:7071")
        List<URI> url();
    }

    /// The group `tarpon.ingest`.
    interface Ingest {
        /// Uploads worked on at a time, each from partitions of its own; 1 to 8.
        @WithDefault("2")
        int parallel();

        /// A name of this process that stays when it is started anew, and that no other process of the group has. With
        /// it its consumers are static members.
        Optional<String> instance();

        /// Absolute folder for scratch files while a plan is made; made when missing. Nothing in it outlives a plan.
        @WithDefault("${java.io.tmpdir}/tarpon-spool-${user.name}")
        String spoolDir();

        /// Bytes that scratch files of one plan may have together; 1 MiB or more. A plan takes 140 bytes
        /// and more for each object, one that grows from a parent up to 240.
        @WithDefault("8G")
        MemorySize spoolCapacity();

        /// Heap for records being sorted, all plans together; 1 MiB to 1 GiB. More makes fewer passes, not other plans.
        @WithDefault("48M")
        MemorySize sortMemory();

        /// Shards one version may have; 1 to 200,000, which is what metadata-svc takes. A plan keeps about 200 bytes
        /// of heap for each, and as much again for each of its parent.
        @WithDefault("50000")
        int maxShards();

        /// Longest pause between two attempts while source, store, metadata-svc or broker is away; 1 s to 5 min. How
        /// long that lasts has no limit: the upload waits, and readiness says for what.
        @WithDefault("PT15S")
        Duration longestPause();

        /// How often, while a source is listed, metadata-svc is asked whether the version is still wanted; 1 s to 10
        /// min.
        @WithDefault("PT10S")
        Duration askEvery();

        /// Name of the object in a folder of an s3 source that says that the folder is complete; without `/` and `.`.
        @WithDefault("_SUCCESS")
        String marker();

        /// How long to wait before each further look for a marker that an event told of and that is not there yet; at
        /// most 10 waits, 10 minutes together.
        @WithDefault("PT1S,PT5S,PT15S")
        List<Duration> markerWaits();

        /// Notifications acted on at a time beside the uploads in work; 1 to 1,000. Each takes up to some MiB. Where
        /// there are more, the next is acted on by the thread of its consumer, and what is behind it waits.
        @WithDefault("16")
        int notices();

        /// Events older than this are not waited for, only looked at; 0 s to 1 d.
        @WithDefault("PT15M")
        Duration markerFresh();

        /// Pause between two rounds through the folders of all s3 sources, for markers whose events got lost; 1 s to 1
        /// d, or 0: no rounds.
        @WithDefault("PT10M")
        Duration reconcileEvery();

        /// Folders of one source that a round looks into; 1 to 1,000,000. Each takes a request to the store. Where
        /// there are more, the next round goes on behind them.
        @WithDefault("10000")
        int reconcileFolders();

        /// How long no shard of a version in `building` may be sealed before the messages of its unsealed shards are
        /// sent again, in case they are lost; 1 s to 1 d, or 0: never. Twice as long before each further time.
        @WithDefault("PT5M")
        Duration resendAfter();

        /// Whether keys in EventBridge events are form-encoded, as those in other notifications of AWS are.
        @WithDefault("false")
        boolean eventBridgeEncodedKeys();

        /// Records of a dead-letter topic that one request may look through; 1 to 1,000,000.
        @WithDefault("10000")
        int letterScan();

        /// How long one request for dead letters may take; 1 s to 1 min.
        @WithDefault("PT10S")
        Duration letterTimeout();
    }
}
