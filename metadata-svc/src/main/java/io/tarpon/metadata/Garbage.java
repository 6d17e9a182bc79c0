package io.tarpon.metadata;

import io.tarpon.metadata.garbage.BlockSweep;
import io.tarpon.metadata.garbage.Candidates;
import io.tarpon.metadata.garbage.Deletions;
import io.tarpon.metadata.garbage.DoomedBlocks;
import io.tarpon.metadata.garbage.ObjectSweep;
import io.tarpon.metadata.garbage.RecentRemovals;
import io.tarpon.metadata.image.CollectVersion;
import io.tarpon.metadata.image.Remains;
import io.tarpon.metadata.image.VersionName;
import io.tarpon.store.ObjectStore;
import io.tarpon.wire.ShardRef;
import io.tarpon.wire.http.ProblemType;
import io.tarpon.wire.http.TarponException;
import io.tarpon.wire.metadata.GarbageReport;
import io.tarpon.wire.metadata.GarbageReport.Waiting;
import java.io.IOException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/// The use case of collecting garbage: what only removed versions used leaves the nodes and the store, and then the
/// image; what no record of a sealed version names leaves the store ([ObjectSweep]). One collection at a time, on the
/// caller's thread, which may take minutes; of several replicas only by the one that has the duty to publish. Where
/// two believe so for a moment, they delete the same.
///
/// Who may go is looked up first, and who uses what of them after that, at one revision: [Remains] says why nothing
/// can come between. Crash points: blocks go, then objects, then the log says that the version is collected; until it
/// does, the next collection does all of it again, and finds less to do.
public final class Garbage {
    private static final Logger LOG = Logger.getLogger(Garbage.class);
    private static final int PAGE_SHARDS = 1_000;

    private final Queries queries;
    private final Commands commands;
    private final NodeWatch nodes;
    private final Readers readers;
    private final Optional<Storage> storage;
    private final RecentRemovals recent;
    private final InstantSource clock;
    private final LongSupplier nanoTime;
    private final Settings settings;
    private final BooleanSupplier isHere;
    private final ReentrantLock turn = new ReentrantLock();

    /// @param grace how long a version stays after it was removed, by the clock and by this process's steady time
    /// @param uploadAge how old a half-done upload must be
    /// @param deletes objects deleted at a time
    record Settings(Duration grace, Duration uploadAge, int deletes) {}

    /// @param storage empty where nothing is collected; closed with this, but for its store
    /// @param isHere whether this replica is the one that collects
    Garbage(
            Queries queries,
            Commands commands,
            NodeWatch nodes,
            Readers readers,
            Optional<Storage> storage,
            RecentRemovals recent,
            InstantSource clock,
            LongSupplier nanoTime,
            Settings settings,
            BooleanSupplier isHere) {
        this.queries = queries;
        this.commands = commands;
        this.nodes = nodes;
        this.readers = readers;
        this.storage = storage;
        this.recent = recent;
        this.clock = clock;
        this.nanoTime = nanoTime;
        this.settings = settings;
        this.isHere = isHere;
    }

    /// Throws `conflict` while another collection runs, `not-ready` where another replica is the one to collect, and
    /// `storage-unavailable` where the store fails: then some of
    /// it is deleted, and it is safe to collect again.
    ///
    /// @param dryRun only count
    public GarbageReport collect(boolean dryRun, @Nullable String traceparent) {
        var where = storage.orElseThrow(() -> new TarponException(
                ProblemType.STORAGE_UNAVAILABLE,
                "this service was started without an object store: set tarpon.store.* as for the other services"));
        if (!isHere.getAsBoolean()) {
            throw new TarponException(
                    ProblemType.NOT_READY,
                    "garbage is collected by the replica that publishes events, and this is another one: ask that, or"
                            + " all in turn");
        }
        if (!turn.tryLock()) {
            throw new TarponException(
                    ProblemType.CONFLICT, "garbage is being collected already: wait until that is done");
        }
        try {
            return sweep(where, dryRun, traceparent);
        } catch (IOException e) {
            throw new TarponException(
                    ProblemType.STORAGE_UNAVAILABLE,
                    "the object store failed while garbage was collected: " + e.getMessage() + "; collect again",
                    e);
        } finally {
            turn.unlock();
        }
    }

    private GarbageReport sweep(Storage where, boolean dryRun, @Nullable String traceparent) throws IOException {
        var candidates = Candidates.of(
                read(Remains::removed),
                clock.instant().minus(settings.grace()),
                recent.versions(nanoTime.getAsLong()),
                readers.open());
        var homes = read(remains -> remains.homesInUse(candidates.doomed()));
        var doomedBlocks = doomedBlocks(candidates);

        var blockSweep = new BlockSweep(where.nodes(), nodes.list(0).value().nodes(), dryRun);
        blockSweep.run(doomedBlocks.contents());
        var objectSweep = sweepObjects(where.store(), candidates.doomed(), homes.keySet(), dryRun);
        var obstacles = obstacles(homes);
        if (!dryRun) {
            candidates.uncollected().stream()
                    .filter(version -> !obstacles.containsKey(version))
                    .forEach(version ->
                            commands.execute(new CollectVersion(version.dataset(), version.version()), traceparent));
        }
        var waiting = new ArrayList<>(candidates.waiting());
        obstacles.forEach((version, why) -> waiting.add(new Waiting(version.toString(), why)));
        var report = new GarbageReport(
                dryRun,
                objectSweep.objects(),
                objectSweep.bytes(),
                uploads(where, dryRun),
                blockSweep.blocks(),
                blockSweep.bytes(),
                waiting,
                blockSweep.unreachable());
        log(report, candidates.uncollected().size() - obstacles.size());
        return report;
    }

    private DoomedBlocks doomedBlocks(Candidates candidates) {
        var doomed = new DoomedBlocks();
        candidates.uncollected().forEach(version -> forContents(version, doomed::add));
        read(Remains::uncollected).stream()
                .filter(version -> !candidates.doomed().contains(version))
                .forEach(version -> forContents(version, doomed::keep));
        return doomed;
    }

    /// Page by page, so that replay never waits long.
    private void forContents(VersionName version, Consumer<List<Remains.Content>> consumer) {
        var more = true;
        for (int from = 0; more; from += PAGE_SHARDS) {
            var start = from;
            var page = read(remains -> remains.contents(version, start, PAGE_SHARDS));
            consumer.accept(page.contents());
            more = page.more();
        }
    }

    private ObjectSweep sweepObjects(ObjectStore store, Set<VersionName> doomed, Set<ShardRef> inUse, boolean dryRun)
            throws IOException {
        try (var deletions = new Deletions(store, settings.deletes())) {
            var sweep = new ObjectSweep(
                    store,
                    doomed,
                    read(remains -> remains.keys(inUse)),
                    read(Remains::sealed),
                    key -> read(remains -> remains.isNamed(key)),
                    dryRun ? null : deletions);
            sweep.run();
            deletions.finish();
            return sweep;
        }
    }

    /// Why versions of which something had to stay are not collected. A node that could not be asked is no reason:
    /// what it keeps is found by its content only, so it is never served as something else, and goes when room is
    /// needed. Of a thousand nodes one is always away, and then nothing would ever be collected.
    private static Map<VersionName, String> obstacles(Map<ShardRef, VersionName> homes) {
        var obstacles = new LinkedHashMap<VersionName, String>();
        homes.forEach((home, user) -> obstacles.put(VersionName.of(home), Candidates.IN_USE_BY + user));
        return obstacles;
    }

    private long uploads(Storage where, boolean dryRun) throws IOException {
        var count = new long[1];
        where.store().abandoned(settings.uploadAge(), upload -> {
            if (where.ours().test(upload)) {
                count[0]++;
                if (!dryRun) {
                    where.store().abandon(upload);
                }
            }
        });
        return count[0];
    }

    private <T> T read(Function<Remains, T> reader) {
        return queries.atLeast(0, reads -> reader.apply(reads.remains())).value();
    }

    /// Afterwards nothing is deleted any more; what runs then fails.
    void close() {
        storage.ifPresent(Storage::close);
    }

    private static void log(GarbageReport report, int versions) {
        LOG.infof(
                "garbage collected dryRun=%s versions=%d objects=%d bytes=%d uploads=%d blocks=%d blockBytes=%d"
                        + " waiting=%d unreachable=%s",
                report.dryRun(),
                versions,
                report.objects(),
                report.bytes(),
                report.uploads(),
                report.blocks(),
                report.blockBytes(),
                report.waiting().size(),
                report.unreachable());
    }
}
