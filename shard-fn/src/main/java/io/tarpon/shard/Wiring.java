package io.tarpon.shard;

import io.micrometer.core.instrument.MeterRegistry;
import io.opentelemetry.api.OpenTelemetry;
import io.quarkus.runtime.ShutdownEvent;
import io.quarkus.runtime.StartupEvent;
import io.quarkus.runtime.configuration.MemorySize;
import io.quarkus.vertx.http.runtime.filters.Filters;
import io.tarpon.service.api.FramingFilter;
import io.tarpon.service.disk.TokenFile;
import io.tarpon.shard.assembly.AssemblyLimits;
import io.tarpon.shard.assembly.ShardAssembly;
import io.tarpon.store.ObjectStore;
import io.tarpon.store.Sources;
import io.tarpon.store.Stores;
import io.tarpon.wire.client.MetadataClient;
import io.tarpon.wire.trace.Traces;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import jakarta.enterprise.inject.Disposes;
import jakarta.enterprise.inject.Instance;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import org.eclipse.microprofile.config.inject.ConfigProperty;
import org.jboss.logging.Logger;

/// Makes the parts from the configuration and ends them. At the first sign of shutdown the shards in work are
/// abandoned: nothing of them is visible, their offsets are not committed, and whoever gets the messages next
/// builds them.
@ApplicationScoped
public class Wiring {
    private static final Logger LOG = Logger.getLogger(Wiring.class);
    private static final Duration MAX_PAUSE = Duration.ofMinutes(5);

    private volatile boolean stopping;

    /// Makes everything now, so that a bad setting stops the start and not the first shard, and all metrics show.
    void start(@Observes StartupEvent event, BuildShard build, BuildReport report, ShardConfig config) {
        var shard = config.shard();
        LOG.infof(
                "shard builder ready parallel=%d readers=%d readAhead=%d attempts=%d",
                shard.parallel(), shard.readers(), shard.readAhead(), shard.attempts());
    }

    /// Static: it needs none of this, and comes before any of it is there.
    static void frame(
            @Observes Filters filters,
            @ConfigProperty(name = "quarkus.http.limits.max-body-size") MemorySize mostBody) {
        new FramingFilter(mostBody.asLongValue()).register(filters);
    }

    void stop(@Observes ShutdownEvent event) {
        stopping = true;
    }

    @Produces
    @Singleton
    Traces traces(@ConfigProperty(name = "quarkus.otel.sdk.disabled") boolean off, Instance<OpenTelemetry> telemetry) {
        return off ? Traces.off() : Traces.to(telemetry.get());
    }

    @Produces
    @Singleton
    TokenFile token(ShardConfig config) throws IOException {
        return TokenFile.open(config.tokenFile());
    }

    void close(@Disposes TokenFile token) {
        token.close();
    }

    @Produces
    @Singleton
    MetadataClient metadata(ShardConfig config, TokenFile token) {
        return new MetadataClient(config.metadata().url(), token);
    }

    void close(@Disposes MetadataClient metadata) {
        metadata.close();
    }

    @Produces
    @Singleton
    ObjectStore store(ShardConfig config) throws IOException {
        return Stores.open(config.store());
    }

    void close(@Disposes ObjectStore store) {
        store.close();
    }

    @Produces
    @Singleton
    Sources sources(ShardConfig config) {
        return new Sources(config);
    }

    void close(@Disposes Sources sources) {
        sources.close();
    }

    @Produces
    @Singleton
    ShardAssembly assembly(ShardConfig config) {
        var shard = config.shard();
        return new ShardAssembly(new AssemblyLimits(shard.readers(), shard.readAhead(), shard.parallel()));
    }

    void close(@Disposes ShardAssembly assembly) {
        assembly.close();
    }

    @Produces
    @Singleton
    BuildShard build(
            ShardConfig config, MetadataClient metadata, ObjectStore store, Sources sources, ShardAssembly assembly) {
        return new BuildShard(metadata, store, sources::open, assembly, attempts(config.shard()), () -> stopping);
    }

    @Produces
    @Singleton
    BuildReport report(MeterRegistry meters, @ConfigProperty(name = "mp.messaging.incoming.plans.topic") String topic) {
        return new BuildReport(meters, topic);
    }

    private Attempts attempts(ShardConfig.Shard shard) {
        requireBetween("tarpon.shard.attempts", shard.attempts(), 1, 100);
        requireBetween("tarpon.shard.first-pause in ms", shard.firstPause().toMillis(), 1, MAX_PAUSE.toMillis());
        requireBetween("tarpon.shard.longest-pause in ms", shard.longestPause().toMillis(), 1, MAX_PAUSE.toMillis());
        return new Attempts(
                shard.attempts(),
                shard.firstPause(),
                shard.longestPause(),
                () -> ThreadLocalRandom.current().nextLong(),
                () -> stopping);
    }

    private static void requireBetween(String key, long value, long least, long most) {
        if (value < least || value > most) {
            throw new IllegalArgumentException(key + " is " + least + " to " + most + ", not " + value);
        }
    }
}
