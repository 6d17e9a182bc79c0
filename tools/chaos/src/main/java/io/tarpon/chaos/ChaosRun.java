package io.tarpon.chaos;

import io.tarpon.chaos.client.RangeReads;
import io.tarpon.chaos.disk.ChangingFolder;
import io.tarpon.chaos.disk.KnownShards;
import io.tarpon.cluster.CommandFailure;
import io.tarpon.cluster.Context;
import io.tarpon.cluster.client.IngestRequests;
import io.tarpon.cluster.console.Progress;
import io.tarpon.cluster.plan.Roster;
import io.tarpon.wire.DatasetName;
import io.tarpon.wire.client.MetadataClient;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;

/// A cluster under trouble for a while: datasets are ingested, readers read, processes die. Then everything comes back,
/// what is in work ends, and what must hold is checked.
///
/// Threads: one for the trouble, one for each dataset, some that read; the caller's waits and shows how far it is. What
/// goes wrong in any of them is a finding, never the end of the run.
public final class ChaosRun implements Trial {
    private static final int DATASETS = 3;
    private static final int READERS = 3;
    private static final int MAX_READ_PAUSE_MILLIS = 120;
    private static final int MAX_PART_BYTES = 256 << 10;
    private static final Duration TICK = Duration.ofSeconds(1);

    /// For what is in work at the end of the trouble: more than each of its waits.
    private static final Duration END_PATIENCE = Duration.ofMinutes(10);

    private final Context context;
    private final Roster roster;
    private final long seed;
    private final Duration time;
    private final Random seeds;
    private final Findings findings = new Findings();
    private final ReadCounts reads = new ReadCounts();
    private final DatasetLife.Counts versionCounts = new DatasetLife.Counts();
    private final SealedVersions versions = new SealedVersions();
    private final ExpectedEvents expected = new ExpectedEvents();
    private final List<DatasetName> datasets = new ArrayList<>();
    private final List<Path> sources = new ArrayList<>();
    private final Path work;
    private final AtomicBoolean stopReading = new AtomicBoolean();

    /// @param roster of a cluster that is up
    public ChaosRun(Context context, Roster roster, long seed, Duration time) {
        this.context = context;
        this.roster = roster;
        this.seed = seed;
        this.time = time;
        this.seeds = new Random(seed);
        this.work = context.state().paths().data("chaos");
        var tag = Long.toString(Instant.now().toEpochMilli(), Character.MAX_RADIX);
        for (int i = 0; i < DATASETS; i++) {
            datasets.add(new DatasetName("chaos-" + tag + "-" + (i + 1)));
        }
    }

    @Override
    public ChaosResult run() {
        var known = new KnownShards(work.resolve("known"));
        var trouble = new Trouble(context.cluster(), new Random(seeds.nextLong()), findings);
        try (var metadata =
                        new MetadataClient(roster.metadata(), context.state().token());
                var bytes = new RangeReads();
                var threads = Executors.newThreadPerTaskExecutor(
                        Thread.ofPlatform().name("chaos-", 1).factory())) {
            var read = new VerifiedRead(bytes, known, reads, findings);
            try {
                disturb(metadata, read, trouble, threads);
                var told =
                        check(new FinalChecks(context, roster, datasets, versions, read, expected, findings), metadata);
                if (trouble.foundEnded()) {
                    trouble.comeBack();
                }
                return result(trouble, told);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw CommandFailure.failed("interrupted", "");
            } finally {
                stopReading.set(true);
                threads.shutdownNow();
            }
        }
    }

    /// Afterwards the functions may no longer read the run's folders.
    @Override
    public List<String> leave() {
        sources.forEach(context.state()::forbidSource);
        var commands = new ArrayList<String>();
        datasets.forEach(dataset -> commands.add("./tarpon rm " + dataset));
        commands.add("./tarpon gc");
        commands.add("rm -r '" + work.toString().replace("'", "'\\''") + "'");
        return commands;
    }

    /// Checks that cannot be brought to their end are a finding: what was found and counted before is told all the
    /// same.
    private ChaosResult.Told check(FinalChecks checks, MetadataClient metadata) throws InterruptedException {
        try {
            return checks.run(metadata);
        } catch (RuntimeException e) {
            if (Thread.currentThread().isInterrupted()) {
                throw e;
            }
            findings.add("the last checks ended with " + e);
            return new ChaosResult.Told(0, 0);
        }
    }

    private void disturb(MetadataClient metadata, VerifiedRead read, Trouble trouble, ExecutorService threads)
            throws InterruptedException {
        var end = Instant.now().plus(time);
        var lives = new ArrayList<Future<?>>();
        for (var dataset : datasets) {
            var life = life(dataset, metadata);
            lives.add(start(
                    threads, dataset.value(), () -> life.run(() -> Instant.now().isAfter(end))));
        }
        var readers = new ArrayList<Future<?>>();
        for (int i = 0; i < READERS; i++) {
            var random = new Random(seeds.nextLong());
            readers.add(start(threads, "a reader", () -> readOn(read, random)));
        }
        var troubled = start(
                threads, "the trouble", () -> trouble.run(() -> Instant.now().isAfter(end)));
        show(end, trouble);
        await(List.of(troubled), "the trouble");
        trouble.foundEnded();
        trouble.comeBack();
        await(lives, "an ingest");
        stopReading.set(true);
        await(readers, "a reader");
    }

    private DatasetLife life(DatasetName dataset, MetadataClient metadata) {
        var folder = ChangingFolder.make(work.resolve(dataset.value()), new Random(seeds.nextLong()));
        sources.add(folder.path());
        context.state().allowSource(folder.path());
        return new DatasetLife(
                dataset,
                folder,
                new Random(seeds.nextLong()),
                metadata,
                new IngestRequests(
                        context.http(), roster.ingest(), context.state().token()),
                context.gateway(roster),
                versions,
                expected,
                findings,
                versionCounts);
    }

    /// What a thread does until it is over.
    private interface Task {
        void run() throws InterruptedException;
    }

    private Future<?> start(ExecutorService threads, String name, Task task) {
        return threads.submit((Callable<Boolean>) () -> {
            try {
                task.run();
            } catch (RuntimeException e) {
                findings.add(name + " ended with " + e);
            }
            return true;
        });
    }

    private void readOn(VerifiedRead read, Random random) throws InterruptedException {
        while (!stopReading.get()) {
            var version = versions.any(random);
            if (version.isPresent() && !version.get().shards().isEmpty()) {
                var shards = version.get().shards();
                one(read, version.get(), shards.get(random.nextInt(shards.size())), random);
            }
            Thread.sleep(random.nextInt(MAX_READ_PAUSE_MILLIS));
        }
    }

    private static void one(VerifiedRead read, SealedVersion version, SealedVersion.Shard shard, Random random)
            throws InterruptedException {
        if (read.knows(shard) && random.nextInt(3) > 0) {
            var from = random.nextLong(shard.bytes());
            var length = (int) Math.min(1 + random.nextInt(MAX_PART_BYTES), shard.bytes() - from);
            read.part(version, shard, from, length);
        } else {
            read.whole(version, shard);
        }
    }

    private void show(Instant end, Trouble trouble) throws InterruptedException {
        try (var progress = context.console().progress("chaos", time.toSeconds())) {
            while (Instant.now().isBefore(end)) {
                at(progress, time.minus(Duration.between(Instant.now(), end)), trouble);
                Thread.sleep(TICK);
            }
            at(progress, time, trouble);
        }
    }

    private void at(Progress progress, Duration gone, Trouble trouble) {
        progress.at(
                gone.toSeconds(),
                versionCounts.sealed + " versions, " + reads.good() + " reads, " + trouble.done() + " faults, "
                        + findings.all().size() + " wrong");
    }

    private void await(List<Future<?>> tasks, String what) throws InterruptedException {
        var deadline = Instant.now().plus(END_PATIENCE);
        for (var task : tasks) {
            try {
                task.get(
                        Math.max(1, Duration.between(Instant.now(), deadline).toMillis()),
                        java.util.concurrent.TimeUnit.MILLISECONDS);
            } catch (ExecutionException e) {
                findings.add(what + " ended with " + e.getCause());
            } catch (java.util.concurrent.TimeoutException e) {
                findings.add(what + " did not end within " + END_PATIENCE.toMinutes() + " min after the trouble");
            }
        }
    }

    private ChaosResult result(Trouble trouble, ChaosResult.Told events) {
        var counts = versionCounts;
        return new ChaosResult(
                seed,
                time.toSeconds(),
                context.state().storeKind().toString(),
                trouble.faults(),
                new ChaosResult.Versions(
                        counts.asked.get(),
                        counts.sealed.get(),
                        counts.unchanged.get(),
                        counts.failed.get(),
                        counts.removed.get()),
                reads.seen(),
                events,
                findings.all());
    }
}
