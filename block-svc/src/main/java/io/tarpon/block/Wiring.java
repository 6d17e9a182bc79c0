package io.tarpon.block;

import io.micrometer.core.instrument.MeterRegistry;
import io.opentelemetry.api.OpenTelemetry;
import io.quarkus.runtime.ShutdownEvent;
import io.quarkus.runtime.configuration.MemorySize;
import io.quarkus.vertx.http.HttpServer;
import io.quarkus.vertx.http.HttpServerStart;
import io.quarkus.vertx.http.runtime.filters.Filters;
import io.tarpon.block.NodeFacts.DiskFacts;
import io.tarpon.block.client.PeerBlocks;
import io.tarpon.block.disk.StateFolder;
import io.tarpon.blocks.SlowReaders;
import io.tarpon.service.WriteAccess;
import io.tarpon.service.api.FramingFilter;
import io.tarpon.service.disk.TokenFile;
import io.tarpon.store.ObjectStore;
import io.tarpon.store.Stores;
import io.tarpon.wire.client.MetadataClient;
import io.tarpon.wire.metadata.NodeRegistration;
import io.tarpon.wire.trace.Traces;
import jakarta.enterprise.event.Observes;
import jakarta.enterprise.event.ObservesAsync;
import jakarta.enterprise.inject.Instance;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.eclipse.microprofile.config.inject.ConfigProperty;
import org.jboss.logging.Logger;

/// Puts the node together once, before it listens, and takes it apart in the opposite order.
@Singleton
public class Wiring implements AutoCloseable {
    private static final Logger LOG = Logger.getLogger(Wiring.class);

    /// How long a stop waits for metadata-svc, which finds out by missing heartbeats otherwise.
    private static final Duration LEAVE = Duration.ofSeconds(3);

    private final BlockConfig config;
    private final Optional<TokenFile> token;
    private final ObjectStore store;
    private final List<Path> folders;
    private final Disks disks = new Disks();
    private final DiskOpening opening;
    private final BoundedPool finder;
    private final BoundedPool lookups;
    private final Fills fills;
    private final BlockReads reads;
    private final BlockDrops drops;
    private final WantedFills wanted;
    private final OpenReads open;
    private final Membership membership;
    private final ScheduledExecutorService housekeeping;

    /// Opens everything; what cannot be opened stops the start and says which key names it.
    @Inject
    public Wiring(BlockConfig config, MeterRegistry registry) throws IOException {
        this(Limits.check(config), registry, Stores.open(config.store()));
    }

    /// The same over a store that is open; the bounds of the configuration were checked.
    public Wiring(BlockConfig config, MeterRegistry registry, ObjectStore store) throws IOException {
        this.config = config;
        this.store = store;
        var block = config.block();
        token = config.tokenFile().isPresent()
                ? Optional.of(TokenFile.open(config.tokenFile().get()))
                : Optional.empty();
        var state = StateFolder.open(block.dir());
        folders = distinct(block.dataDirs().orElse(List.of(state.resolve("data"))));
        opening = new DiskOpening(
                disks, StateFolder.indexes(state), block.quarantineFiles(), DiskShare.of(block, folders.size()));
        opening.open(folders, block.diskOpenWait());
        finder = new BoundedPool("find", 2, block.verifyQueue());
        lookups = new BoundedPool("lookup", 2, block.fillQueue());
        var metrics = new BlockMetrics(registry, disks::bytes);
        BlockMetrics.watch(registry, disks);
        var nodes = new LiveNodes();
        var metadata = MetadataClient.readOnly(config.metadata().url());
        var peers = new PeerBlocks(block.peerConnectTimeout(), block.peerReadTimeout());
        var fetch = new BlockFetch(config.node().id(), nodes, peers, new ShardBytes(store), metrics);
        fills = new Fills(fetch, disks);
        var indexes = new ShardIndexes(
                metadata,
                store,
                block.tableCache().bytes(),
                Math.toIntExact(block.maxIndex().bytes()));
        reads = new BlockReads(disks, indexes, fills, finder, lookups, metrics);
        wanted = new WantedFills(disks, indexes, fills, block.wantedFills(), block.wantedQueue());
        drops = new BlockDrops(disks);
        open = new OpenReads(block.maxRequests());
        membership = new Membership(
                config.node().id(),
                token.map(secret -> new MetadataClient(config.metadata().url(), secret)),
                metadata,
                disks,
                nodes,
                block.heartbeat(),
                block.nodesWait());
        housekeeping = Executors.newSingleThreadScheduledExecutor(
                Thread.ofPlatform().daemon().name("tarpon-housekeeping").factory());
    }

    @Produces
    @Singleton
    static Traces traces(
            @ConfigProperty(name = "quarkus.otel.sdk.disabled") boolean off, Instance<OpenTelemetry> telemetry) {
        return off ? Traces.off() : Traces.to(telemetry.get());
    }

    @Produces
    @Singleton
    public BlockReads reads() {
        return reads;
    }

    @Produces
    @Singleton
    public BlockDrops drops() {
        return drops;
    }

    @Produces
    @Singleton
    public WantedFills wanted() {
        return wanted;
    }

    @Produces
    @Singleton
    public OpenReads openReads() {
        return open;
    }

    @Produces
    @Singleton
    public SlowReaders slowReaders() {
        var block = config.block();
        return new SlowReaders(
                block.slowReaderInterval(), block.slowReaderBytes().bytes());
    }

    @Produces
    @Singleton
    public Membership membership() {
        return membership;
    }

    /// Who may change state; empty where nobody may.
    @Produces
    @Singleton
    public WriteAccess writeAccess() {
        return token.map(WriteAccess::with).orElseGet(WriteAccess::nobody);
    }

    /// What this node is at the moment.
    public NodeFacts facts() {
        var node = config.node();
        return new NodeFacts(
                node.id(),
                node.host(),
                node.zone().orElse(node.host()),
                membership.registration().map(NodeRegistration::url).orElse(""),
                membership.registered(),
                disks.blocks(),
                disks.bytes(),
                config.block().capacity().bytes(),
                folders(),
                disks.all().stream().map(Wiring::facts).toList(),
                disks.openFiles(),
                open.count(),
                fills.count(),
                disks.usesAwaitingFlush());
    }

    /// Static: it needs none of this, and comes before any of it is there.
    static void frame(
            @Observes Filters filters,
            @ConfigProperty(name = "quarkus.http.limits.max-body-size") MemorySize mostBody) {
        new FramingFilter(mostBody.asLongValue()).register(filters);
    }

    void listening(@ObservesAsync HttpServerStart event, HttpServer server) {
        join(server.getPort());
    }

    void stopping(@Observes ShutdownEvent event) {
        close();
    }

    /// The node listens at a port, so it can be found.
    public void join(int port) {
        var node = config.node();
        var block = config.block();
        var url = node.url().orElseGet(() -> URI.create("http://" + bracketed(config.bind()) + ":" + port));
        var gib = block.capacity().bytes() / (double) (1L << 30);
        if (token.isEmpty()) {
            LOG.warn("no token configured, node joins nothing and refuses changes key=tarpon.token-file");
        }
        membership.start(new NodeRegistration(
                url.toString(),
                node.host(),
                node.zone().orElse(node.host()),
                block.weight().orElse(gib),
                block.capacity().bytes(),
                folders()));
        var millis = block.useFlush().toMillis();
        var _ = housekeeping.scheduleWithFixedDelay(disks::flushUses, millis, millis, TimeUnit.MILLISECONDS);
    }

    /// Begins nothing more, leaves, lets answers under way run for a while, and gives back everything that was opened.
    @Override
    public void close() {
        open.close();
        wanted.stop();
        var leaving = Thread.ofPlatform().daemon().name("tarpon-leave").start(membership::close);
        drain(leaving);
        housekeeping.shutdown();
        wanted.close();
        lookups.close();
        finder.close();
        opening.close();
        disks.close();
        store.close();
        token.ifPresent(TokenFile::close);
    }

    private void drain(Thread leaving) {
        var longest = config.block().drain();
        try {
            var left = open.drain(longest);
            if (left > 0) {
                LOG.warnf("answers broken off at the end reads=%d drainSeconds=%d", left, longest.toSeconds());
            }
            var _ = leaving.join(LEAVE);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private List<String> folders() {
        return folders.stream().map(Path::toString).toList();
    }

    private static String bracketed(String address) {
        return address.contains(":") ? "[" + address + "]" : address;
    }

    private static List<Path> distinct(List<Path> folders) {
        var absolute =
                folders.stream().map(dir -> dir.toAbsolutePath().normalize()).toList();
        if (absolute.isEmpty() || absolute.stream().distinct().count() != absolute.size()) {
            throw new IllegalArgumentException("tarpon.block.data-dirs names no folder, or one twice: " + folders);
        }
        return absolute;
    }

    private static DiskFacts facts(Disk disk) {
        var shelf = disk.shelf();
        return new DiskFacts(
                disk.folder().path().toString(),
                disk.id(),
                disk.state().wireName(),
                shelf.blocks(),
                shelf.bytes(),
                shelf.capacityBytes(),
                disk.failures());
    }
}
