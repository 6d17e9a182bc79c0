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
import io.tarpon.metadata.image.Image;
import io.tarpon.metadata.image.ImageStore;
import io.tarpon.metadata.node.Presence;
import io.tarpon.metadata.replica.Audience;
import io.tarpon.metadata.replica.EventFeed;
import io.tarpon.metadata.replica.EventTail;
import io.tarpon.metadata.replica.Proposer;
import io.tarpon.metadata.replica.ReadyAnswers;
import io.tarpon.metadata.replica.ReplayThread;
import io.tarpon.metadata.replica.Replica;
import io.tarpon.metadata.snapshot.Snapshots;
import io.tarpon.metadata.snapshot.StoredSnapshots;
import io.tarpon.metadata.stream.EventPublisher;
import io.tarpon.metadata.stream.PublisherSettings;
import io.tarpon.metadata.view.RocksView;
import io.tarpon.service.WriteAccess;
import io.tarpon.service.api.FramingFilter;
import io.tarpon.service.api.rest.JsonMapping;
import io.tarpon.service.api.rest.KnownPaths;
import io.tarpon.service.disk.TokenFile;
import io.tarpon.service.retry.Failures;
import io.tarpon.service.retry.Patience;
import io.tarpon.service.retry.Pauses;
import io.tarpon.service.retry.Waits;
import io.tarpon.service.stream.Brokers;
import io.tarpon.service.stream.NeededTopic;
import io.tarpon.service.stream.NeededTopics;
import io.tarpon.store.ObjectStore;
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
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import org.eclipse.microprofile.config.Config;
import org.eclipse.microprofile.config.inject.ConfigProperty;
import org.jboss.logging.Logger;

/// Opens the log and its view, replays what the view lacks, and puts the parts together; closes them in the opposite
/// order.
@Singleton
public class Wiring {
    private static final Logger LOG = Logger.getLogger(Wiring.class);
    private static final int EVENT_PARTITIONS = 4;
    private static final Pauses TOPIC_PAUSES = new Pauses(Duration.ofMillis(250), Duration.ofSeconds(30));

    private final StateFolder folder;
    private final MetadataLog log;
    private final ImageStore view;
    private final Replica replica;
    private final ReplayThread replay;
    private final EventPublisher publisher;
    private final NeededTopics topics;
    private final Optional<TokenFile> token;
    private final Queries queries;
    private final Lookups lookups;
    private final ReadBudget budget;
    private final Progress progress;
    private final Comparison comparison;
    private final Commands commands;
    private final Nodes nodes;
    private final NodeWatch nodeWatch;
    private final Readiness readiness;
    private final WatchedTime watched;
    private final Presence presence;
    private final Readers readers;
    private final Expiry expiry;
    private final Optional<ObjectStore> store;
    private final Garbage garbage;
    private final Snapshotting snapshotting;
    /// Held here, for a gauge does not hold what it reads.
    private final LongSupplier agreedUpTo;

    @Inject
    Wiring(MetadataConfig config, Config all, MeterRegistry metrics, Traces traces) throws IOException {
        Bounds.check(config);
        var brokers = Brokers.of(all);
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
        this.agreedUpTo = deployment.agreedUpTo();
        var tail = new EventTail(settings.events().tail());
        var recent = new RecentRemovals(config.gc().grace());
        this.view = RocksView.open(
                folder.view(), folder.libraries(), settings.viewCache().asLongValue());
        var image = new Image(view, settings.maxShards(), settings.maxVersions());
        beginRecent(recent, image);
        this.store = Storage.store(config);
        var snapshots = store.map(StoredSnapshots::new);
        var answers = new ReadyAnswers(settings.answerCache().asLongValue());
        this.replica = new Replica(
                log,
                folder.logId(),
                snapshots.<Snapshots>map(stored -> stored).orElse(Snapshots.NONE),
                tail,
                image,
                new Audience(
                        answers,
                        event -> recent.look(event, watched.getAsLong()),
                        new EventLines(),
                        loaded -> beginRecent(recent, loaded),
                        deployment.peers()));
        this.replay = new ReplayThread(log, replica);
        this.publisher = new EventPublisher(
                new PublisherSettings(
                        brokers,
                        settings.events().topic(),
                        settings.events().settle(),
                        settings.events().retry()),
                new EventFeed(log, replica, tail),
                deployment.duty());
        this.topics = NeededTopics.look(
                brokers.clients(),
                config.topics().making(),
                new Patience(TOPIC_PAUSES, Failures::mayPass, new Waits(), () -> false),
                List.of(NeededTopic.of(settings.events().topic(), EVENT_PARTITIONS)));
        this.readiness = new Readiness(replica, log::isWhole, publisher::trouble, topics::refused);
        var proposer = new Proposer(
                log,
                replica,
                InstantSource.system(),
                settings.attempts(),
                settings.appendTimeout(),
                settings.replayTimeout(),
                deployment.levels());
        this.queries = new Queries(replica, settings.revisionTimeout());
        this.lookups = new Lookups(replica, queries, answers);
        this.budget = new ReadBudget(
                Bounds.readBytes(settings, Runtime.getRuntime().maxMemory()), settings.readWait(), settings.readHold());
        this.progress = new Progress(queries, InstantSource.system());
        this.comparison = new Comparison(queries);
        this.commands = new Commands(proposer, metrics, traces);
        this.nodes = new Nodes(commands, queries, deployment.liveness(), deployment.time(), presence);
        this.nodeWatch = new NodeWatch(
                queries,
                deployment.liveness(),
                deployment.time(),
                new NodeWatch.Settings(settings.watchers(), settings.watchWait(), settings.watchInterval()));
        this.readers = new Readers(deployment.openReads(), deployment.time(), presence);
        this.expiry = new Expiry(
                queries,
                commands,
                readiness,
                InstantSource.system(),
                settings.failedVersionExpiry(),
                settings.forgetAfter(),
                settings.expiryInterval());
        BooleanSupplier hasDuty = settings.log() == LogKind.LOCAL ? () -> true : publisher::publishes;
        var gc = config.gc();
        this.garbage = new Garbage(
                queries,
                commands,
                nodeWatch,
                readers,
                Storage.in(store, config, token),
                recent,
                InstantSource.system(),
                watched,
                new Garbage.Settings(gc.grace(), gc.uploadAge(), gc.deletes()),
                hasDuty);
        this.snapshotting = new Snapshotting(
                log,
                replica,
                snapshots,
                InstantSource.system(),
                new Snapshotting.Settings(
                        settings.snapshot().entries(), settings.snapshot().interval()),
                hasDuty,
                publisher::publishedUpTo);
        measure(metrics);
    }

    /// All that is removed counts as removed just now.
    private void beginRecent(RecentRemovals recent, Image image) {
        recent.begin(image.reads().remains().uncollectedRemoved(), watched.getAsLong());
    }

    private void measure(MeterRegistry metrics) {
        lookups.measure(metrics);
        metrics.gauge("tarpon.metadata.revision", replica, Replica::revision);
        metrics.gauge("tarpon.metadata.agreed.revision", agreedUpTo, LongSupplier::getAsLong);
        metrics.gauge("tarpon.metadata.log.begin", snapshotting, Snapshotting::logBegin);
        metrics.gauge("tarpon.metadata.snapshot.revision", snapshotting, Snapshotting::latest);
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
        nodeWatch.start();
        publisher.start();
        expiry.start();
        snapshotting.start();
    }

    void stop(@Observes ShutdownEvent event) throws IOException, InterruptedException {
        nodeWatch.close();
        snapshotting.close();
        expiry.close();
        garbage.close();
        publisher.close();
        topics.close();
        presence.close();
        replay.close();
        watched.close();
        replica.end();
        view.close();
        store.ifPresent(ObjectStore::close);
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
    Lookups lookups() {
        return lookups;
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
    Comparison comparison() {
        return comparison;
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
    NodeWatch nodeWatch() {
        return nodeWatch;
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

    @Produces
    @Singleton
    Snapshotting snapshotting() {
        return snapshotting;
    }

    /// Empty where no token is configured.
    @Produces
    @Singleton
    WriteAccess writeAccess() {
        return token.map(WriteAccess::with).orElseGet(WriteAccess::nobody);
    }
}
