package io.tarpon.ingest;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.micrometer.core.instrument.MeterRegistry;
import io.opentelemetry.api.OpenTelemetry;
import io.quarkus.runtime.ShutdownEvent;
import io.quarkus.runtime.Startup;
import io.quarkus.vertx.http.runtime.filters.Filters;
import io.smallrye.common.annotation.Identifier;
import io.tarpon.ingest.UploadAcceptance.UploadMessages;
import io.tarpon.ingest.disk.SpoolArea;
import io.tarpon.ingest.notice.NoticeReader;
import io.tarpon.ingest.upload.UploadReading;
import io.tarpon.service.WriteAccess;
import io.tarpon.service.api.FramingFilter;
import io.tarpon.service.api.rest.JsonMapping;
import io.tarpon.service.api.rest.KnownPaths;
import io.tarpon.service.disk.TokenFile;
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
import io.tarpon.store.ObjectSource;
import io.tarpon.store.ObjectStore;
import io.tarpon.store.Sources;
import io.tarpon.store.Stores;
import io.tarpon.wire.client.MetadataClient;
import io.tarpon.wire.trace.Traces;
import jakarta.enterprise.event.Observes;
import jakarta.enterprise.inject.Disposes;
import jakarta.enterprise.inject.Instance;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.eclipse.microprofile.config.Config;
import org.eclipse.microprofile.config.inject.ConfigProperty;
import org.eclipse.microprofile.health.Readiness;
import org.jboss.logging.Logger;

/// Puts the parts together from the configuration. A value out of its bounds stops the start and names its key.
@Singleton
public class Wiring {
    private static final Logger LOG = Logger.getLogger(Wiring.class);
    private static final Duration FIRST_PAUSE = Duration.ofMillis(250);
    private static final int UPLOAD_PARTITIONS = 4;
    private static final int MOST_MARKER_WAITS = 10;
    private static final int SECONDS_PER_DAY = 86_400;

    /// So that a version waits at most a quarter longer than it is to.
    private static final int ROUNDS_WITHIN_PATIENCE = 4;

    private final IngestConfig config;
    private final Optional<TokenFile> token;
    private final List<Rounds> rounds = new CopyOnWriteArrayList<>();

    Wiring(IngestConfig config) throws IOException {
        this.config = config;
        this.token = token(config);
    }

    @Produces
    @Singleton
    static KnownPaths knownPaths() {
        return new KnownPaths(
                "this service answers POST / with a CloudEvent, /v1/dead-letters, /q/health and /q/metrics");
    }

    @Produces
    @Singleton
    static ObjectMapper json() {
        return JsonMapping.strict();
    }

    @Produces
    @Singleton
    Clock clock() {
        return Clock.systemUTC();
    }

    @Produces
    @Singleton
    Traces traces(@ConfigProperty(name = "quarkus.otel.sdk.disabled") boolean off, Instance<OpenTelemetry> telemetry) {
        return off ? Traces.off() : Traces.to(telemetry.get());
    }

    @Produces
    @Singleton
    WriteAccess writeAccess() {
        return token.map(WriteAccess::with).orElseGet(WriteAccess::nobody);
    }

    @Produces
    @Singleton
    MetadataClient metadata() {
        var urls = config.metadata().url();
        return token.map(known -> new MetadataClient(urls, known)).orElseGet(() -> MetadataClient.readOnly(urls));
    }

    void close(@Disposes MetadataClient metadata) {
        metadata.close();
    }

    @Produces
    @Singleton
    ObjectStore store() throws IOException {
        return Stores.open(config.store());
    }

    void close(@Disposes ObjectStore store) {
        store.close();
    }

    @Produces
    @Singleton
    Sources sources() {
        return new Sources(config);
    }

    void close(@Disposes Sources sources) {
        sources.close();
    }

    @Produces
    @Singleton
    SourceOpener opener(Sources sources) {
        return new SourceOpener() {
            @Override
            public ObjectSource open(String reference) throws IOException {
                return sources.open(reference);
            }

            @Override
            public String normalise(String reference) throws IOException {
                return sources.normalise(reference);
            }
        };
    }

    @Produces
    @Singleton
    MarkerSources markerSources(Sources sources) {
        return new ConfiguredMarkers(sources);
    }

    @Produces
    @Singleton
    Shutdown shutdown() {
        return new Shutdown();
    }

    @Produces
    @Singleton
    @Identifier("ingest-fn")
    static Tenures tenures() {
        return new Tenures();
    }

    @Produces
    @Singleton
    StaticMembership membership() {
        return new StaticMembership(
                "uploads", "tarpon.ingest.instance", config.ingest().instance());
    }

    /// Beside the start, which does not wait for it.
    @Produces
    @Singleton
    @Startup
    NeededTopics topics(
            Brokers brokers,
            Patience patience,
            @ConfigProperty(name = "mp.messaging.incoming.uploads.topic") String uploads,
            @ConfigProperty(name = "mp.messaging.outgoing.plans.topic") String plans) {
        var topics = new ArrayList<NeededTopic>();
        topics.add(NeededTopic.of(uploads, UPLOAD_PARTITIONS));
        topics.add(NeededTopic.of(plans, NeededTopic.PLAN_PARTITIONS));
        DeadLetterBox.TOPICS.forEach(letters -> topics.add(NeededTopic.letters(letters)));
        return NeededTopics.look(brokers.clients(), config.topics().making(), patience, topics);
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
    UploadReading uploadReading() {
        return new UploadReading(new NoticeReader(config.ingest().eventBridgeEncodedKeys()));
    }

    @Produces
    @Singleton
    MarkerName markerName() {
        return new MarkerName(config.ingest().marker());
    }

    /// At start, so that every outcome shows as 0.
    @Produces
    @Singleton
    @Startup
    NoticeCounts noticeCounts(MeterRegistry meters) {
        return new NoticeCounts(meters);
    }

    @Produces
    @Singleton
    MarkerRequests markerRequests(
            MarkerSources sources, MetadataClient metadata, UploadMessages messages, Patience patience) {
        return new MarkerRequests(sources, metadata, messages, patience);
    }

    @Produces
    @Singleton
    UploadNotices uploadNotices(
            MarkerSources sources,
            MarkerName name,
            MarkerRequests requests,
            NoticeCounts counts,
            Clock clock,
            Shutdown shutdown) {
        var ingest = config.ingest();
        var waits = ingest.markerWaits();
        boundedSeconds("marker-waits", waits.stream().reduce(Duration.ZERO, Duration::plus), 0, 600);
        if (waits.size() > MOST_MARKER_WAITS || waits.stream().anyMatch(Duration::isNegative)) {
            throw new IllegalArgumentException(
                    "tarpon.ingest.marker-waits=" + waits + " are not at most " + MOST_MARKER_WAITS + " waits");
        }
        var fresh = boundedSeconds("marker-fresh", ingest.markerFresh(), 0, SECONDS_PER_DAY);
        var search = new MarkerSearch(sources, waits, fresh, clock, shutdown);
        return new UploadNotices(sources, name, search, requests, counts);
    }

    @Produces
    @Singleton
    BesidePlans besidePlans() {
        return new BesidePlans((int) bounded("notices", config.ingest().notices(), 1, 1_000));
    }

    @Produces
    @Singleton
    NoticeAcceptance noticeAcceptance(UploadNotices notices, UploadMessages messages) {
        return new NoticeAcceptance(notices, messages);
    }

    @Produces
    @Singleton
    @Startup
    MarkerRounds rounds(
            MarkerSources sources, MarkerName name, MarkerRequests requests, NoticeCounts counts, Shutdown shutdown) {
        int folders = (int) bounded("reconcile-folders", config.ingest().reconcileFolders(), 1, 1_000_000);
        var every = boundedSeconds("reconcile-every", config.ingest().reconcileEvery(), 0, SECONDS_PER_DAY);
        var rounds = new MarkerRounds(sources, name, requests, counts, folders, shutdown);
        goRound("marker-rounds", every, shutdown, rounds::round);
        return rounds;
    }

    @Produces
    @Singleton
    @Startup
    StandingVersions standing(
            MetadataClient metadata, ShardMessages messages, MeterRegistry meters, Shutdown shutdown) {
        var patience = boundedSeconds("resend-after", config.ingest().resendAfter(), 0, SECONDS_PER_DAY);
        var sent = meters.counter("tarpon.ingest.resent.messages");
        var versions = new StandingVersions(metadata, messages, patience, sent);
        goRound("standing-versions", patience.dividedBy(ROUNDS_WITHIN_PATIENCE), shutdown, versions::round);
        return versions;
    }

    private void goRound(String what, Duration every, Shutdown shutdown, Shutdown.Work round) {
        if (!every.isZero()) {
            var more = new Rounds(what, shutdown, round);
            rounds.add(more);
            more.every(every);
        }
    }

    @Produces
    @Singleton
    LetterLimits letterLimits() {
        var timeout = boundedSeconds("letter-timeout", config.ingest().letterTimeout(), 1, 60);
        return new LetterLimits(
                timeout, (int) bounded("letter-scan", config.ingest().letterScan(), 1, 1_000_000));
    }

    /// Static: it needs none of this, and comes before any of it is there.
    static void frame(@Observes Filters filters) {
        new FramingFilter(UploadReading.MAX_BYTES).register(filters);
    }

    /// Before the connections of anything are closed.
    void stop(@Observes ShutdownEvent event, Shutdown shutdown) {
        shutdown.begin();
        rounds.forEach(Rounds::close);
        token.ifPresent(TokenFile::close);
        LOG.info("no more uploads are taken; what is not done is handed back");
    }

    @Produces
    @Singleton
    UploadAcceptance acceptance(SourceOpener sources, UploadMessages messages, Clock clock) {
        return new UploadAcceptance(sources, messages, clock);
    }

    @Produces
    @Singleton
    ShardMessages shardMessages(MetadataClient metadata, PlanMessages messages, Clock clock) {
        return new ShardMessages(metadata, messages, clock);
    }

    /// At start, so that a bad value shows at once.
    @Produces
    @Singleton
    @Startup
    VersionPlanning planning(
            MetadataClient metadata,
            SourceOpener sources,
            ObjectStore store,
            ShardMessages messages,
            Patience patience,
            MeterRegistry meters,
            Traces traces)
            throws IOException {
        var ingest = config.ingest();
        long sortMemory = bounded("sort-memory", ingest.sortMemory().asLongValue(), 1 << 20, 1 << 30);
        long capacity = bounded("spool-capacity", ingest.spoolCapacity().asLongValue(), 1 << 20, Long.MAX_VALUE);
        int parallel = (int) bounded("parallel", ingest.parallel(), 1, 8);
        int maxShards = (int) bounded("max-shards", ingest.maxShards(), 1, 200_000);
        var spool = new SpoolArea(Path.of(ingest.spoolDir()), capacity);
        return new VersionPlanning(
                metadata,
                sources,
                new PlanFreezing(store, spool, sortMemory / parallel, maxShards, patience),
                new VersionFiles(store),
                messages,
                patience,
                boundedSeconds("ask-every", ingest.askEvery(), 1, 600),
                meters.counter("tarpon.ingest.planned.samples"),
                traces);
    }

    @Produces
    @Singleton
    Waits waits() {
        return new Waits();
    }

    @Produces
    @Singleton
    @Readiness
    WaitsReady waitsForNothing(Waits waits) {
        return new WaitsReady(waits);
    }

    @Produces
    @Singleton
    Patience patience(Waits waits, Shutdown shutdown) {
        var longest = boundedSeconds("longest-pause", config.ingest().longestPause(), 1, Pauses.MOST.toSeconds());
        return new Patience(new Pauses(FIRST_PAUSE, longest), Trouble::mayPass, waits, shutdown::isUnwanted);
    }

    private static Optional<TokenFile> token(IngestConfig config) throws IOException {
        if (config.tokenFile().isEmpty()) {
            LOG.warn("no write token configured: uploads by HTTP are refused and no version can be begun"
                    + " key=tarpon.token-file");
            return Optional.empty();
        }
        return Optional.of(TokenFile.open(Path.of(config.tokenFile().get())));
    }

    private static Duration boundedSeconds(String key, Duration value, long least, long most) {
        if (value.compareTo(Duration.ofSeconds(least)) < 0 || value.compareTo(Duration.ofSeconds(most)) > 0) {
            throw new IllegalArgumentException(
                    "tarpon.ingest." + key + "=" + value + " is not between " + least + " and " + most + " s");
        }
        return value;
    }

    private static long bounded(String key, long value, long least, long most) {
        if (value < least || value > most) {
            throw new IllegalArgumentException(
                    "tarpon.ingest." + key + "=" + value + " is not between " + least + " and " + most);
        }
        return value;
    }
}
