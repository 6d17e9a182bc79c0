package io.tarpon.metadata;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.opentelemetry.api.OpenTelemetry;
import io.quarkus.runtime.ShutdownEvent;
import io.quarkus.runtime.StartupEvent;
import io.quarkus.runtime.configuration.MemorySize;
import io.quarkus.vertx.http.runtime.filters.Filters;
import io.tarpon.metadata.disk.StateFolder;
import io.tarpon.metadata.entry.MetadataLog;
import io.tarpon.metadata.garbage.RecentRemovals;
import io.tarpon.metadata.image.CommittedEvent;
import io.tarpon.metadata.image.Image;
import io.tarpon.metadata.node.Presence;
import io.tarpon.metadata.replica.EventFeed;
import io.tarpon.metadata.replica.EventTail;
import io.tarpon.metadata.replica.Proposer;
import io.tarpon.metadata.replica.ReplayThread;
import io.tarpon.metadata.replica.Replica;
import io.tarpon.metadata.stream.EventPublisher;
import io.tarpon.metadata.stream.PublisherSettings;
import io.tarpon.service.WriteAccess;
import io.tarpon.service.api.FramingFilter;
import io.tarpon.service.api.rest.JsonMapping;
import io.tarpon.service.api.rest.KnownPaths;
import io.tarpon.service.disk.TokenFile;
import io.tarpon.wire.metadata.VersionState;
import io.tarpon.wire.trace.Traces;
import jakarta.enterprise.event.Observes;
import jakarta.enterprise.inject.Instance;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.eclipse.microprofile.config.inject.ConfigProperty;
import org.jboss.logging.Logger;

/// Opens the log, replays it, and puts the parts together; closes them in the opposite order.
@Singleton
public class Wiring {
    private static final Logger LOG = Logger.getLogger(Wiring.class);

    private final StateFolder folder;
    private final MetadataLog log;
    private final Replica replica;
    private final ReplayThread replay;
    private final EventPublisher publisher;
    private final Optional<TokenFile> token;
    private final Queries queries;
    private final ReadBudget budget;
    private final Progress progress;
    private final Commands commands;
    private final Nodes nodes;
    private final Readiness readiness;
    private final WatchedTime watched;
    private final Presence presence;
    private final Readers readers;
    private final Expiry expiry;
    private final Garbage garbage;

    @Inject
    Wiring(
            MetadataConfig config,
            @ConfigProperty(name = "kafka.bootstrap.servers") String brokers,
            MeterRegistry metrics,
            Traces traces)
            throws IOException {
        Bounds.check(config);
        var settings = config.metadata();
        this.token = config.tokenFile().isPresent()
                ? Optional.of(TokenFile.open(config.tokenFile().get()))
                : Optional.empty();
        this.watched = new WatchedTime(System::nanoTime, Deployment.lookEvery(config));
        this.folder = settings.log() == LogKind.LOCAL
                ? StateFolder.open(settings.dir())
                : StateFolder.openFollowing(settings.dir());
        var deployment = settings.log() == LogKind.LOCAL
                ? Deployment.alone(config, folder, watched)
                : Deployment.oneOfSeveral(config, folder, brokers);
        this.log = deployment.log();
        this.presence = deployment.presence();
        var tail = new EventTail(settings.events().tail());
        var recent = new RecentRemovals(config.gc().grace());
        Consumer<CommittedEvent> seen = event -> recent.look(event, watched.getAsLong());
        this.replica = new Replica(
                log,
                tail,
                new Image(Bounds.maxShards(settings, Runtime.getRuntime().maxMemory()), settings.maxVersions()),
                seen,
                new EventLines());
        this.replay = new ReplayThread(log, replica);
        this.publisher = new EventPublisher(
                new PublisherSettings(
                        brokers,
                        settings.events().topic(),
                        settings.events().settle(),
                        settings.events().retry()),
                new EventFeed(log, replica, tail),
                deployment.duty());
        this.readiness = new Readiness(replica, log::isWhole, publisher::trouble);
        var proposer = new Proposer(
                log,
                replica,
                InstantSource.system(),
                settings.attempts(),
                settings.appendTimeout(),
                settings.replayTimeout());
        this.queries = new Queries(replica, settings.revisionTimeout());
        this.budget = new ReadBudget(
                Bounds.readBytes(settings, Runtime.getRuntime().maxMemory()), settings.readWait(), settings.readHold());
        this.progress = new Progress(queries, InstantSource.system());
        this.commands = new Commands(proposer, metrics, traces);
        this.nodes = new Nodes(commands, queries, deployment.liveness(), deployment.time(), presence);
        this.readers = new Readers(deployment.openReads(), deployment.time(), presence);
        this.expiry = new Expiry(
                queries,
                commands,
                readiness,
                InstantSource.system(),
                settings.failedVersionExpiry(),
                settings.forgetAfter(),
                settings.expiryInterval());
        var gc = config.gc();
        this.garbage = new Garbage(
                queries,
                commands,
                nodes,
                readers,
                Storage.open(config, token),
                recent,
                InstantSource.system(),
                watched,
                new Garbage.Settings(gc.grace(), gc.uploadAge(), gc.deletes()));
        measure(metrics);
    }

    private void measure(MeterRegistry metrics) {
        metrics.gauge("tarpon.metadata.revision", replica, Replica::revision);
        for (var state : VersionState.values()) {
            metrics.gauge("tarpon.metadata.versions", Tags.of("state", state.wireName()), replica, read ->
                    (double) read.read(image -> image.reads().count(state)).value());
        }
        for (var state : List.of(VersionState.PLANNING, VersionState.BUILDING)) {
            metrics.gauge(
                    "tarpon.metadata.version.still.seconds",
                    Tags.of("state", state.wireName()),
                    progress,
                    watched -> watched.longestStillSeconds(state));
        }
    }

    /// Static: it needs none of this, and comes before any of it is there.
    static void frame(
            @Observes Filters filters,
            @ConfigProperty(name = "quarkus.http.limits.max-body-size") MemorySize mostBody) {
        new FramingFilter(mostBody.asLongValue()).register(filters);
    }

    void start(@Observes StartupEvent event) {
        LOG.infof("metadata log open log=%s", log.name());
        if (token.isEmpty()) {
            LOG.warn("no write token: tarpon.token-file is not set, so every command is refused");
        }
        watched.start();
        replay.start();
        publisher.start();
        expiry.start();
    }

    void stop(@Observes ShutdownEvent event) throws IOException, InterruptedException {
        expiry.close();
        garbage.close();
        publisher.close();
        presence.close();
        replay.close();
        watched.close();
        log.close();
        folder.close();
        token.ifPresent(TokenFile::close);
        LOG.infof("metadata log closed log=%s revision=%d", log.name(), replica.revision());
    }

    /// Static: what is wired needs them.
    @Produces
    @Singleton
    static Traces traces(
            @ConfigProperty(name = "quarkus.otel.sdk.disabled") boolean off, Instance<OpenTelemetry> telemetry) {
        return off ? Traces.off() : Traces.to(telemetry.get());
    }

    @Produces
    @Singleton
    static KnownPaths knownPaths() {
        return new KnownPaths("all are described at /q/openapi");
    }

    @Produces
    @Singleton
    static ObjectMapper json() {
        return JsonMapping.strict();
    }

    @Produces
    @Singleton
    Queries queries() {
        return queries;
    }

    @Produces
    @Singleton
    ReadBudget budget() {
        return budget;
    }

    @Produces
    @Singleton
    Progress progress() {
        return progress;
    }

    @Produces
    @Singleton
    Commands commands() {
        return commands;
    }

    @Produces
    @Singleton
    Nodes nodes() {
        return nodes;
    }

    @Produces
    @Singleton
    Readiness readiness() {
        return readiness;
    }

    @Produces
    @Singleton
    Readers readers() {
        return readers;
    }

    @Produces
    @Singleton
    Garbage garbage() {
        return garbage;
    }

    /// Empty where no token is configured.
    @Produces
    @Singleton
    WriteAccess writeAccess() {
        return token.map(WriteAccess::with).orElseGet(WriteAccess::nobody);
    }
}
