package io.tarpon.shard;

import io.micrometer.core.instrument.MeterRegistry;
import io.opentelemetry.api.OpenTelemetry;
import io.quarkus.runtime.ShutdownEvent;
import io.quarkus.runtime.Startup;
import io.quarkus.runtime.StartupEvent;
import io.quarkus.runtime.configuration.MemorySize;
import io.quarkus.vertx.http.runtime.filters.Filters;
import io.smallrye.common.annotation.Identifier;
import io.tarpon.service.api.FramingFilter;
import io.tarpon.service.disk.TokenFile;
import io.tarpon.service.retry.Failures;
import io.tarpon.service.retry.Patience;
import io.tarpon.service.retry.Pauses;
import io.tarpon.service.retry.Waits;
import io.tarpon.service.retry.WaitsReady;
import io.tarpon.service.stream.Brokers;
import io.tarpon.service.stream.ChannelLogin;
import io.tarpon.service.stream.NeededTopic;
import io.tarpon.service.stream.NeededTopics;
import io.tarpon.service.stream.StaticMembership;
import io.tarpon.service.stream.Tenures;
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
import java.util.List;
import org.eclipse.microprofile.config.Config;
import org.eclipse.microprofile.config.inject.ConfigProperty;
import org.eclipse.microprofile.health.HealthCheck;
import org.eclipse.microprofile.health.Readiness;
import org.jboss.logging.Logger;

/// Makes the parts from the configuration and ends them. At the first sign of shutdown the shards in work are
/// abandoned: nothing of them is visible, their offsets are not committed, and whoever gets the messages next
/// builds them.
@ApplicationScoped
public class Wiring {
    private static final Logger LOG = Logger.getLogger(Wiring.class);
    private static final Duration LEAST_ASK_EVERY = Duration.ofSeconds(1);

    private volatile boolean stopping;

    /// Makes everything now, so that a bad setting stops the start and not the first shard, and all metrics show.
    void start(@Observes StartupEvent event, BuildShard build, BuildReport report, ShardConfig config) {
        var shard = config.shard();
        LOG.infof(
                "shard builder ready parallel=%d readers=%d readAhead=%d longestPause=%s",
                shard.parallel(), shard.readers(), shard.readAhead(), shard.longestPause());
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
    @Identifier("shard-fn")
    static Tenures tenures() {
        return new Tenures();
    }

    @Produces
    @Singleton
    static StaticMembership membership(ShardConfig config) {
        return new StaticMembership(
                "plans", "tarpon.shard.instance", config.shard().instance());
    }

    /// Beside the start, which does not wait for it.
    @Produces
    @Singleton
    @Startup
    NeededTopics topics(
            ShardConfig config,
            Brokers brokers,
            Patience patience,
            @ConfigProperty(name = "mp.messaging.incoming.plans.topic") String plans,
            @ConfigProperty(name = "mp.messaging.outgoing.plans-dlq.topic") String letters) {
        return NeededTopics.look(
                brokers.clients(),
                config.topics().making(),
                patience,
                List.of(NeededTopic.of(plans, NeededTopic.PLAN_PARTITIONS), NeededTopic.letters(letters)));
    }

    void close(@Disposes NeededTopics topics) {
        topics.close();
    }

    @Produces
    @Singleton
    static Brokers brokers(Config settings) {
        return Brokers.of(settings);
    }

    @Produces
    @Singleton
    static ChannelLogin channelLogin(Brokers brokers) {
        return new ChannelLogin(brokers);
    }

    @Produces
    @Singleton
    Waits waits() {
        return new Waits();
    }

    @Produces
    @ApplicationScoped
    @Readiness
    HealthCheck waitsReady(Waits waits) {
        return new WaitsReady(waits);
    }

    @Produces
    @Singleton
    BuildShard build(
            ShardConfig config,
            MetadataClient metadata,
            ObjectStore store,
            Sources sources,
            ShardAssembly assembly,
            Patience patience) {
        var shard = config.shard();
        requireBetween(
                "tarpon.shard.ask-every in ms",
                shard.askEvery().toMillis(),
                LEAST_ASK_EVERY.toMillis(),
                Pauses.MOST.toMillis());
        return new BuildShard(metadata, store, sources::open, assembly, patience, shard.askEvery(), () -> stopping);
    }

    @Produces
    @Singleton
    BuildReport report(MeterRegistry meters, @ConfigProperty(name = "mp.messaging.incoming.plans.topic") String topic) {
        return new BuildReport(meters, topic);
    }

    @Produces
    @Singleton
    Patience patience(ShardConfig config, Waits waits) {
        return new Patience(pauses(config.shard()), Failures::mayPass, waits, () -> stopping);
    }

    private static Pauses pauses(ShardConfig.Shard shard) {
        try {
            return new Pauses(shard.firstPause(), shard.longestPause());
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("tarpon.shard.first-pause, longest-pause: " + e.getMessage(), e);
        }
    }

    private static void requireBetween(String key, long value, long least, long most) {
        if (value < least || value > most) {
            throw new IllegalArgumentException(key + " is " + least + " to " + most + ", not " + value);
        }
    }
}
