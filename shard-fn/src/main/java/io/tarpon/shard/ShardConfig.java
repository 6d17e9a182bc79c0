package io.tarpon.shard;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import io.tarpon.service.stream.KafkaLoginConfig;
import io.tarpon.service.stream.TopicsConfig;
import io.tarpon.store.SourcesConfig;
import io.tarpon.store.StoreConfig;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/// All settings of shard-fn, below `tarpon.`; with them `tarpon.sources.*`, `tarpon.directory-roots` and
/// `tarpon.directory-roots-file`.
@ConfigMapping(prefix = "tarpon")
public interface ShardConfig extends SourcesConfig {
    /// Address to listen on.
    @WithDefault("127.0.0.1")
    String bind();

    /// File with the token that metadata-svc wants; it may be replaced.
    Path tokenFile();

    /// Where metadata-svc is.
    Metadata metadata();

    /// Where plans are read and tars and indexes are written.
    StoreConfig store();

    /// How shards are built.
    Shard shard();

    /// What becomes of topics that are missing.
    TopicsConfig topics();

    /// By what the brokers let in.
    KafkaLoginConfig kafka();

    /// The group `tarpon.metadata`.
    interface Metadata {
        /// Base URLs of its replicas; the next is asked where one fails.
        @WithDefault("http://127.0.0.1:7071")
        List<URI> url();
    }

    /// The group `tarpon.shard`.
    interface Shard {
        /// Shards in work at a time, 1 to 16; each takes the memory of its index beside what is said below. The default
        /// stands in `application.properties`, since the consumers of `tarpon.plans` are made by it, too.
        int parallel();

        /// Members read at a time, of all shards in work together, 1 to 256. As many requests are under way where the
        /// source is S3.
        @WithDefault("64")
        int readers();

        /// Bytes read ahead of the writers, of all shards in work together, held as direct memory; at least 128 KiB a
        /// reader, at most 1 GiB.
        @WithDefault("33554432")
        long readAhead();

        /// Pause before what failed and may pass is tried again, 1 ms to 5 min; it doubles from there and is cut by up
        /// to half at random. It is tried without a limit of time.
        @WithDefault("PT0.25S")
        Duration firstPause();

        /// Longest pause between two attempts, from the first pause to 5 min.
        @WithDefault("PT30S")
        Duration longestPause();

        /// How often metadata-svc is asked whether a shard in work is still wanted, 1 s to 5 min. So long at most
        /// does a cancelled version's shard go on.
        @WithDefault("PT10S")
        Duration askEvery();

        /// A name of this process that stays when it is started anew, and that no other process of the group has. With
        /// it its consumers are static members.
        Optional<String> instance();
    }
}
