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
import io.tarpon.metadata.garbage.OpenReads;
import io.tarpon.metadata.garbage.RecentRemovals;
import io.tarpon.metadata.image.CommittedEvent;
import io.tarpon.metadata.image.Image;
import io.tarpon.metadata.log.KafkaLog;
import io.tarpon.metadata.log.KafkaSettings;
import io.tarpon.metadata.log.LocalLog;
import io.tarpon.metadata.node.Liveness;
import io.tarpon.metadata.replica.EventFeed;
import io.tarpon.metadata.replica.EventTail;
import io.tarpon.metadata.replica.Proposer;
import io.tarpon.metadata.replica.ReplayThread;
import io.tarpon.metadata.replica.Replica;
import io.tarpon.metadata.stream.EventPublisher;
import io.tarpon.metadata.stream.GroupDuty;
import io.tarpon.metadata.stream.PublisherSettings;
import io.tarpon.metadata.stream.PublishingDuty;
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
import java.time.Duration;
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
        var isLocal = settings.log() == LogKind.LOCAL;
        this.folder = isLocal ? StateFolder.open(settings.dir()) : StateFolder.openFollowing(settings.dir());
        var opened = isLocal ? localLog(settings, folder) : kafkaLog(settings, folder, brokers);
        this.log = opened.log();
        var tail = new EventTail(settings.events().tail());
        this.watched = new WatchedTime(System::nanoTime, lookEvery(config));
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
                opened.duty());
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
        this.nodes = new Nodes(
                commands,
                queries,
                new Liveness(settings.nodeTimeout(), settings.deafTimeout(), watched.getAsLong()),
                watched);
        this.readers = new Readers(
                new OpenReads(config.gc().readerTimeout(), config.gc().maxReaders(), watched.getAsLong()), watched);
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

    /// The log, and who publishes what it tells.
    private record Opened(MetadataLog log, PublishingDuty duty) {}

    private static Opened localLog(MetadataConfig.Metadata settings, StateFolder folder) throws IOException {
        var log = LocalLog.open(
                folder.log(),
                folder.libraries(),
                settings.queuedEntries(),
                settings.queuedBytes().asLongValue(),
                settings.appendTimeout());
        return new Opened(log, PublishingDuty.alone(log));
    }

    private static Opened kafkaLog(MetadataConfig.Metadata settings, StateFolder folder, String brokers)
            throws IOException {
        var topic = settings.kafka().topic();
        var kafka = new KafkaSettings(
                brokers,
                topic,
                settings.kafka().replicas(),
                settings.queuedBytes().asLongValue(),
                settings.appendTimeout());
        return new Opened(KafkaLog.open(kafka, folder.topic()), new GroupDuty(brokers, topic));
    }

    /// A tenth of the shortest silence that is judged.
    private static Duration lookEvery(MetadataConfig config) {
        var node = config.metadata().nodeTimeout();
        var reader = config.gc().readerTimeout();
        return (node.compareTo(reader) < 0 ? node : reader).dividedBy(10);
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
