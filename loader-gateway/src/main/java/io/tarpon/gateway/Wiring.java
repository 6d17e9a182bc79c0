package io.tarpon.gateway;

import io.micrometer.core.instrument.MeterRegistry;
import io.quarkus.runtime.ShutdownEvent;
import io.quarkus.runtime.Startup;
import io.tarpon.gateway.api.PublicUrl;
import io.tarpon.gateway.catalog.Indexes;
import io.tarpon.gateway.catalog.KeySearch;
import io.tarpon.gateway.catalog.NodeWatch;
import io.tarpon.gateway.catalog.ShardLists;
import io.tarpon.gateway.catalog.Versions;
import io.tarpon.gateway.client.NodeBlocks;
import io.tarpon.gateway.client.NodeNotices;
import io.tarpon.gateway.disk.LocalBlocks;
import io.tarpon.gateway.disk.OpenFiles;
import io.tarpon.gateway.disk.TokenFile;
import io.tarpon.gateway.flow.StoreBlocks;
import io.tarpon.gateway.flow.Traffic;
import io.tarpon.store.ObjectStore;
import io.tarpon.store.Stores;
import io.tarpon.wire.block.BlockId;
import io.tarpon.wire.client.MetadataClient;
import io.tarpon.wire.metadata.NodeRecord;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.util.Optional;
import java.util.function.BiConsumer;
import org.jboss.logging.Logger;

/// Puts the gateway together, and takes it apart.
@Startup
@ApplicationScoped
public class Wiring {
    private static final Logger LOG = Logger.getLogger(Wiring.class);

    private final GatewayConfig config;
    private final Workers workers;
    private final ObjectStore store;
    private final MetadataClient metadata;
    private final Optional<NodeNotices> notices;
    private final OpenFiles files;
    private final NodeWatch nodes;
    private final GatewayMeters meters;
    private final Indexes indexes;
    private final Versions versions;
    private final Traffic traffic;

    Wiring(GatewayConfig config, MeterRegistry registry) throws IOException {
        this.config = config;
        var gateway = config.gateway();
        Limits.check(gateway);
        this.workers = new Workers(gateway.diskThreads(), gateway.storeThreads());
        this.store = Stores.open(config.store());
        this.metadata = MetadataClient.readOnly(config.metadata().url());
        this.notices = notices(config);
        this.files = new OpenFiles(gateway.openFiles(), gateway.openFileIdle());
        this.nodes = new NodeWatch(metadata, gateway.nodesEvery());
        this.meters = new GatewayMeters(registry);
        this.indexes = new Indexes(store, workers.store(), gateway.indexCache().asLongValue());
        this.versions = new Versions(metadata, workers.virtual(), System::nanoTime);
        this.traffic = new Traffic(gateway.maxStreams(), gateway.buffers().asLongValue(), meters);
        nodes.start();
        notices.ifPresent(NodeNotices::start);
        LOG.infof(
                "gateway reads metadata=%s host=%s",
                config.metadata().url(), config.node().host().orElse("-"));
    }

    void stop(@Observes ShutdownEvent event) {
        nodes.close();
        notices.ifPresent(NodeNotices::close);
        workers.close();
        files.close();
        metadata.close();
        store.close();
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
        var lists = new ShardLists(
                metadata, workers.virtual(), config.gateway().shardCache().asLongValue());
        var keys = new KeySearch(indexes, config.gateway().keyCache().asLongValue());
        return new ByteBodies(
                new SealedVersions(versions), lists, indexes, keys, new ListBodies(indexes, workers.virtual()));
    }

    @Produces
    @Singleton
    BodyStreams bodyStreams() {
        var gateway = config.gateway();
        BiConsumer<NodeRecord, BlockId> damaged = (node, block) -> notices.ifPresent(to -> to.damaged(node, block));
        var sources = new ReadSources(
                nodes,
                config.node().host(),
                new LocalBlocks(files, workers.disk(), damaged),
                new NodeBlocks(traffic, gateway.nodeTimeout(), gateway.avoid(), damaged),
                new StoreBlocks(store, workers.store(), traffic),
                notices);
        return new BodyStreams(traffic, indexes, sources, gateway.windowBlocks());
    }

    private static Optional<NodeNotices> notices(GatewayConfig config) throws IOException {
        var file = config.tokenFile();
        if (file.isEmpty()) {
            LOG.warn("no write token, nodes are not told of use and damage key=tarpon.token-file");
            return Optional.empty();
        }
        return Optional.of(new NodeNotices(TokenFile.read(file.get())));
    }
}
