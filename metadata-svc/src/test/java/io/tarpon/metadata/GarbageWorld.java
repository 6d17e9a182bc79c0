package io.tarpon.metadata;

import static io.tarpon.metadata.Fixtures.DEMO;
import static io.tarpon.metadata.Fixtures.TRAIN;
import static io.tarpon.metadata.Fixtures.ref;
import static java.nio.charset.StandardCharsets.UTF_8;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.tarpon.metadata.client.BlockNode;
import io.tarpon.metadata.client.NodeBlocks;
import io.tarpon.metadata.entry.MetadataLog;
import io.tarpon.metadata.garbage.OpenReads;
import io.tarpon.metadata.garbage.RecentRemovals;
import io.tarpon.metadata.image.BeginVersion;
import io.tarpon.metadata.image.CollectVersion;
import io.tarpon.metadata.image.FailVersion;
import io.tarpon.metadata.image.PlanVersion;
import io.tarpon.metadata.image.RemoveVersion;
import io.tarpon.metadata.image.SealShard;
import io.tarpon.metadata.log.LocalLog;
import io.tarpon.metadata.node.Liveness;
import io.tarpon.metadata.node.Presence;
import io.tarpon.store.ObjectStore;
import io.tarpon.wire.ObjectKeys;
import io.tarpon.wire.ShardRef;
import io.tarpon.wire.VersionId;
import io.tarpon.wire.block.BlockId;
import io.tarpon.wire.http.WriteToken;
import io.tarpon.wire.metadata.DatasetSpec;
import io.tarpon.wire.metadata.Heartbeat;
import io.tarpon.wire.metadata.ReaderReport;
import io.tarpon.wire.metadata.ShardRecord;
import io.tarpon.wire.trace.Traces;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/// A service without its HTTP, a store, and one node, with a clock that stands still until it is moved.
final class GarbageWorld implements AutoCloseable {
    static final Duration GRACE = Duration.ofSeconds(10);
    static final Duration LAPSE = Duration.ofSeconds(15);
    static final Duration NODE_TIMEOUT = Duration.ofSeconds(5);
    private static final WriteToken TOKEN = new WriteToken("test-token-0123456789");
    private static final Duration PATIENCE = Duration.ofSeconds(20);

    final ObjectStore store;
    final BlockNode node;
    final Readers readers;
    final Nodes nodes;
    private final NodeWatch watch;
    final Queries queries;
    final AtomicLong nanos = new AtomicLong();
    /// How far the clock stands from steady time.
    final AtomicLong skewNanos = new AtomicLong();
    /// Whether this is the replica that collects.
    final AtomicBoolean isHere = new AtomicBoolean(true);
    private final RecentRemovals recent = new RecentRemovals(GRACE);
    private final Running running;
    private final Commands commands;

    GarbageWorld(Path folder, ObjectStore store) throws IOException {
        this.store = store;
        this.node = BlockNode.start(TOKEN);
        this.running = new Running(
                LocalLog.open(folder.resolve("log"), folder, 64, MetadataLog.MAX_ENTRY_BYTES, Duration.ofMinutes(1)),
                1_000,
                4,
                this::now,
                event -> recent.look(event, nanos.get()));
        this.queries = new Queries(running.replica(), PATIENCE);
        this.commands = new Commands(running.proposer(), new SimpleMeterRegistry(), Traces.off());
        var liveness = new Liveness(NODE_TIMEOUT, Duration.ZERO, 0);
        this.nodes = new Nodes(commands, queries, liveness, nanos::get, Presence.ALONE);
        this.watch = new NodeWatch(
                queries, liveness, nanos::get, new NodeWatch.Settings(1, Duration.ZERO, Duration.ofSeconds(1)));
        this.readers = new Readers(new OpenReads(LAPSE, 100, 0), nanos::get, Presence.ALONE);
        nodes.join("node-1", node.registration(), null, null);
    }

    Garbage garbage() {
        return garbage(store);
    }

    /// As a process has it that started now, beside what the log says.
    Garbage garbage(ObjectStore through) {
        return new Garbage(
                queries,
                commands,
                watch,
                readers,
                Optional.of(new Storage(through, _ -> true, new NodeBlocks(TOKEN, PATIENCE))),
                recent,
                this::now,
                nanos::get,
                new Garbage.Settings(GRACE, Duration.ZERO, 4),
                isHere::get);
    }

    private Instant now() {
        return Instant.EPOCH.plusNanos(nanos.get() + skewNanos.get());
    }

    /// The node says that it lives.
    void pass(Duration time) {
        nanos.addAndGet(time.toNanos());
        nodes.heartbeat("node-1", new Heartbeat(1, 1), null);
    }

    void passGrace() {
        pass(GRACE.plus(LAPSE));
    }

    void reading(String... versions) {
        readers.report("gateway-1", new ReaderReport(List.of(versions)));
    }

    void remove(VersionId version) throws InterruptedException {
        running.run(new RemoveVersion(DEMO, version));
    }

    VersionId begin(String requestId, DatasetSpec spec) throws InterruptedException {
        return running.run(new BeginVersion(DEMO, requestId, spec)).version();
    }

    void fail(VersionId version) throws InterruptedException {
        running.run(new FailVersion(DEMO, version, "gone"));
    }

    /// Says so, whatever lies where.
    void collected(VersionId version) throws InterruptedException {
        running.run(new CollectVersion(DEMO, version));
    }

    ShardRecord record(ShardRef ref) {
        return queries.atLeast(0, reads -> reads.shard(ref)).value();
    }

    /// Seals a version and puts its objects and blocks where they belong, as it was before there were attempts.
    VersionId seal(String requestId, DatasetSpec spec, io.tarpon.wire.metadata.PlanVersion plan) throws Exception {
        return seal(requestId, spec, plan, null);
    }

    /// The same with an attempt for every shard.
    VersionId sealNamed(String requestId, DatasetSpec spec, io.tarpon.wire.metadata.PlanVersion plan) throws Exception {
        return seal(requestId, spec, plan, "0123456789abcdef");
    }

    private VersionId seal(
            String requestId, DatasetSpec spec, io.tarpon.wire.metadata.PlanVersion plan, @Nullable String attempt)
            throws Exception {
        var version = running.run(new BeginVersion(DEMO, requestId, spec)).version();
        running.run(new PlanVersion(DEMO, version, plan));
        store.write(ObjectKeys.report(DEMO, version), "report".getBytes(UTF_8));
        for (var shard : plan.splits().getFirst().shards()) {
            if (shard.kept() == null) {
                build(ref(version, TRAIN, shard.name().index()), requestId, attempt);
            }
        }
        return version;
    }

    private void build(ShardRef ref, String content, @Nullable String attempt) throws Exception {
        var seal = Fixtures.seal(ref.shard().index(), content + " " + ref.shard());
        var record = running.run(new SealShard(ref, seal.by(attempt)));
        for (var key : keys(ref, record)) {
            store.write(key, content.getBytes(UTF_8));
        }
        node.hold(blocks(ref));
    }

    static List<String> keys(ShardRef ref) {
        return List.of(ObjectKeys.plan(ref), ObjectKeys.tar(ref), ObjectKeys.index(ref));
    }

    static List<String> keys(ShardRef ref, ShardRecord record) {
        return List.of(record.planKey(ref), record.tarKey(ref), record.indexKey(ref));
    }

    /// The ids of a sealed shard's blocks.
    List<String> blocks(ShardRef ref) {
        var seal = queries.atLeast(0, reads -> reads.shard(ref)).value().sealed();
        return IntStream.range(0, seal.blocks().size())
                .mapToObj(number -> BlockId.of(seal.sha256(), number).hex())
                .toList();
    }

    List<String> keysOf(VersionId version) throws IOException {
        var keys = new ArrayList<String>();
        store.list(ObjectKeys.version(DEMO, version), object -> keys.add(object.key()));
        return keys;
    }

    Set<String> allKeys() throws IOException {
        var keys = new TreeSet<String>();
        store.list("", object -> keys.add(object.key()));
        return keys;
    }

    boolean isCollected(VersionId version) {
        return queries.atLeast(0, reads -> reads.remains().removed()).value().stream()
                .anyMatch(removed ->
                        removed.collected() && removed.name().version().equals(version));
    }

    @Override
    public void close() throws InterruptedException {
        running.close();
        node.close();
        store.close();
    }
}
