package io.tarpon.gateway;

import io.micrometer.core.instrument.MeterRegistry;
import io.opentelemetry.api.OpenTelemetry;
import io.quarkus.runtime.ShutdownEvent;
import io.quarkus.runtime.Startup;
import io.quarkus.runtime.configuration.MemorySize;
import io.tarpon.blocks.disk.OpenFiles;
import io.tarpon.gateway.api.PublicUrl;
import io.tarpon.gateway.batch.Batches;
import io.tarpon.gateway.catalog.Indexes;
import io.tarpon.gateway.catalog.KeySearch;
import io.tarpon.gateway.catalog.NodeWatch;
import io.tarpon.gateway.catalog.OpenReads;
import io.tarpon.gateway.catalog.SealedVersions;
import io.tarpon.gateway.catalog.ShardLayouts;
import io.tarpon.gateway.catalog.ShardLists;
import io.tarpon.gateway.catalog.ShardPlans;
import io.tarpon.gateway.catalog.SplitLayouts;
import io.tarpon.gateway.catalog.Versions;
import io.tarpon.gateway.client.NodeBlocks;
import io.tarpon.gateway.client.NodeNotices;
import io.tarpon.gateway.client.Outbox;
import io.tarpon.gateway.client.ReaderReports;
import io.tarpon.gateway.client.WantedNotices;
import io.tarpon.gateway.disk.DiskLanes;
import io.tarpon.gateway.disk.LocalBlocks;
import io.tarpon.gateway.disk.SumsFolder;
import io.tarpon.gateway.epoch.EpochBodies;
import io.tarpon.gateway.epoch.EpochPlans;
import io.tarpon.gateway.epoch.EpochPositions;
import io.tarpon.gateway.epoch.Epochs;
import io.tarpon.gateway.epoch.OpenEpochs;
import io.tarpon.gateway.epoch.PlanPrefetch;
import io.tarpon.gateway.flow.Avoidance;
import io.tarpon.gateway.flow.HeapBudget;
import io.tarpon.gateway.flow.Patience;
import io.tarpon.gateway.flow.StoreBlocks;
import io.tarpon.gateway.flow.Traffic;
import io.tarpon.service.api.rest.KnownPaths;
import io.tarpon.service.disk.TokenFile;
import io.tarpon.store.ObjectStore;
import io.tarpon.store.Stores;
import io.tarpon.wire.block.BlockId;
import io.tarpon.wire.client.MetadataClient;
import io.tarpon.wire.metadata.NodeRecord;
import io.tarpon.wire.trace.Traces;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import jakarta.enterprise.inject.Instance;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.stream.Collectors;
import org.eclipse.microprofile.config.inject.ConfigProperty;
import org.jboss.logging.Logger;

/// Puts the gateway together, and takes it apart.
@Startup
@ApplicationScoped
public class Wiring {
    private static final Logger LOG = Logger.getLogger(Wiring.class);

    /// The parts of the heap that caches may have at most.
    private static final double INDEX_SHARE = 0.05;
    private static final double SHARD_LAYOUT_SHARE = 0.1;

    private static final double LAYOUT_SHARE = 0.2;
    private static final double PLANS_SHARE = 0.05;

    private static final double SHARDS_SHARE = 0.05;
    private static final double KEYS_SHARE = 0.05;
    private static final double BATCH_SHARE = 0.15;
    private static final double PREFETCH_SHARE = 0.05;

    private final GatewayConfig config;
    private final Workers workers;
    private final ObjectStore store;
    private final MetadataClient metadata;
    private final Optional<TokenFile> token;
    private final Optional<Outbox> outbox;
    private final Optional<NodeNotices> notices;
    private final Optional<PlanPrefetch> prefetch;
    private final OpenReads reads = new OpenReads();
    private final OpenEpochs openEpochs = new OpenEpochs();
    private final OpenFiles files;
    private final DiskLanes lanes;
    private final NodeWatch nodes;
    private final GatewayMeters meters;
    private final Indexes indexes;
    private final SealedVersions versions;
    private final ShardLists lists;
    private final KeySearch keys;
    private final SplitLayouts layouts;
    private final Optional<SumsFolder> sums;
    private final Traffic traffic;

    Wiring(GatewayConfig config, MeterRegistry registry) throws IOException {
        this.config = config;
        var gateway = config.gateway();
        Limits.check(gateway);
        this.workers = new Workers(gateway.storeThreads(), gateway.planThreads(), gateway.batchThreads());
        this.store = Stores.open(config.store());
        this.token = token(config);
        var urls = config.metadata().url();
        this.metadata = token.map(t -> new MetadataClient(urls, t)).orElseGet(() -> MetadataClient.readOnly(urls));
        this.outbox = token.map(Outbox::new);
        this.notices = outbox.map(NodeNotices::new);
        this.files = new OpenFiles(gateway.openFiles(), gateway.openFileIdle(), OpenFiles.FOR_GOOD);
        this.lanes = new DiskLanes(
                gateway.diskThreads(),
                gateway.diskTimeout(),
                new Avoidance(gateway.avoid(), gateway.avoidMost(), System::nanoTime));
        this.nodes = new NodeWatch(metadata, gateway.nodesEvery(), gateway.nodesWait(), gateway.nodesDoubt());
        this.meters = new GatewayMeters(registry);
        this.indexes = new Indexes(store, workers.store(), heap(gateway.indexCache(), INDEX_SHARE));
        this.versions = new SealedVersions(new Versions(metadata, workers.virtual(), System::nanoTime));
        this.lists = new ShardLists(metadata, workers.virtual(), heap(gateway.shardCache(), SHARDS_SHARE));
        this.keys = new KeySearch(indexes, heap(gateway.keyCache(), KEYS_SHARE));
        this.layouts = layouts(gateway, indexes, workers);
        this.sums = OwnFolder.sums(gateway);
        this.traffic = traffic(gateway, meters);
        this.prefetch =
                outbox.filter(_ -> gateway.prefetch().plan()).map(by -> prefetch(gateway.prefetch(), nodes, by));
        nodes.start();
        prefetch.ifPresent(PlanPrefetch::start);
        notices.ifPresent(NodeNotices::start);
        outbox.ifPresent(by -> new ReaderReports(by, metadata, reads, gateway.reportEvery()).start());
        LOG.infof(
                "gateway reads metadata=%s host=%s reads=%d",
                urls.stream().map(URI::toString).collect(Collectors.joining(",")),
                config.node().host().orElse("-"),
                traffic.maxReads());
    }

    void stop(@Observes ShutdownEvent event) {
        prefetch.ifPresent(PlanPrefetch::close);
        nodes.close();
        outbox.ifPresent(Outbox::close);
        workers.close();
        lanes.close();
        files.close();
        metadata.close();
        store.close();
        token.ifPresent(TokenFile::close);
    }

    @Produces
    @Singleton
    static Traces traces(
            @ConfigProperty(name = "quarkus.otel.sdk.disabled") boolean off, Instance<OpenTelemetry> telemetry) {
        return off ? Traces.off() : Traces.to(telemetry.get());
    }

    @Produces
    @Singleton
    static KnownPaths knownPaths() {
        return new KnownPaths("datasets are listed at /v1/datasets", List.of("GET", "HEAD"));
    }

    @Produces
    @Singleton
    NodeWatch nodeWatch() {
        return nodes;
    }

    @Produces
    @Singleton
    GatewayMeters meters() {
        return meters;
    }

    @Produces
    @Singleton
    PublicUrl publicUrl() {
        return new PublicUrl(config.gateway().publicUrl());
    }

    @Produces
    @Singleton
    Documents documents() {
        return new Documents(metadata, store);
    }

    @Produces
    @Singleton
    ByteBodies byteBodies() {
        return new ByteBodies(versions, lists, layouts, keys, new ListBodies(indexes, workers.plans()));
    }

    @Produces
    @Singleton
    Epochs epochs() {
        var plans = new EpochPlans(workers.plans(), heap(config.gateway().planCache(), PLANS_SHARE), sums);
        var bodies = new EpochBodies(layouts, plans, workers.plans());
        var positions = new EpochPositions(layouts, new ShardPlans(store, indexes, workers.store()), workers.plans());
        return new Epochs(versions, lists, bodies, positions);
    }

    @Produces
    @Singleton
    Batches batches() {
        return new Batches(versions, lists, layouts, keys, workers.batches());
    }

    @Produces
    @Singleton
    HeapBudget heapBudget() {
        return new HeapBudget(heap(config.gateway().batchMemory(), BATCH_SHARE));
    }

    @Produces
    @Singleton
    OpenEpochs openEpochs() {
        return openEpochs;
    }

    @Produces
    @Singleton
    BodyStreams bodyStreams() {
        var gateway = config.gateway();
        BiConsumer<NodeRecord, BlockId> damaged = (node, block) -> notices.ifPresent(to -> to.damaged(node, block));
        var sources = new ReadSources(
                nodes,
                config.node().host(),
                new LocalBlocks(files, lanes, damaged),
                new NodeBlocks(traffic, gateway.nodeTimeout(), gateway.avoid(), gateway.avoidMost(), damaged),
                new StoreBlocks(store, workers.store(), traffic),
                notices);
        return new BodyStreams(traffic, reads, openEpochs, sources, gateway.windowBlocks(), prefetch);
    }

    private static SplitLayouts layouts(GatewayConfig.Gateway config, Indexes indexes, Workers workers)
            throws IOException {
        var single = new ShardLayouts(
                indexes,
                workers.store(),
                heap(config.shardLayoutCache(), SHARD_LAYOUT_SHARE),
                OwnFolder.shardLayouts(config));
        return new SplitLayouts(
                indexes,
                single,
                workers.layouts(),
                heap(config.layoutCache(), LAYOUT_SHARE),
                OwnFolder.layouts(config));
    }

    private static PlanPrefetch prefetch(GatewayConfig.Prefetch config, NodeWatch nodes, Outbox outbox) {
        var bytes = heap(config.memory(), PREFETCH_SHARE);
        return new PlanPrefetch(nodes, new WantedNotices(outbox), config.blocks(), bytes);
    }

    private static Traffic traffic(GatewayConfig.Gateway gateway, GatewayMeters meters) {
        var clients = gateway.clients();
        var patience = new Patience(
                clients.stall(), clients.stallCrowded(), clients.minReadRate().asLongValue());
        return new Traffic(
                gateway.maxReads(), gateway.buffers().asLongValue(), Traffic.Memory.ofThisProcess(), patience, meters);
    }

    /// A cache's bytes as configured, but not more than a part of the heap.
    private static long heap(MemorySize configured, double most) {
        return Math.min(configured.asLongValue(), (long) (Runtime.getRuntime().maxMemory() * most));
    }

    private static Optional<TokenFile> token(GatewayConfig config) throws IOException {
        var file = config.tokenFile();
        if (file.isEmpty()) {
            LOG.warn("no write token, neither nodes nor metadata-svc are told of what is read key=tarpon.token-file");
            return Optional.empty();
        }
        return Optional.of(TokenFile.open(Path.of(file.get())));
    }
}
