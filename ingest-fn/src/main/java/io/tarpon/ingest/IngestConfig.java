package io.tarpon.ingest;

import io.quarkus.runtime.configuration.MemorySize;
import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import io.tarpon.store.SourcesConfig;
import io.tarpon.store.StoreConfig;
import java.net.URI;
import java.time.Duration;
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

    /// The group `tarpon.metadata`.
    interface Metadata {
        /// metadata-svc.
        @WithDefault("http://127.0.0.1:7071")
        URI url();
    }

    /// The group `tarpon.ingest`.
    interface Ingest {
        /// Absolute folder for scratch files while a plan is made; made when missing. Nothing in it outlives a plan.
        @WithDefault("${java.io.tmpdir}/tarpon-spool-${user.name}")
        String spoolDir();

        /// Bytes that scratch files may have together; 1 MiB or more. A plan takes 110 bytes
        /// and more for each object.
        @WithDefault("8G")
        MemorySize spoolCapacity();

        /// Heap for records being sorted; 1 MiB to 1 GiB. More makes fewer passes, not other plans.
        @WithDefault("48M")
        MemorySize sortMemory();

        /// Shards one version may have; 1 to 200,000, which is what metadata-svc takes. A plan keeps about 200 bytes
        /// of heap for each.
        @WithDefault("50000")
        int maxShards();

        /// How long store, metadata-svc or broker may be away before an upload is given back to the topic; 1 s to 1
        /// h.
        @WithDefault("PT10M")
        Duration retryFor();
    }
}
