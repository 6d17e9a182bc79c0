package io.tarpon.chaos;

import io.tarpon.cluster.CommandFailure;
import io.tarpon.cluster.Context;
import io.tarpon.cluster.plan.ClusterPlan;
import io.tarpon.cluster.plan.Roster;
import io.tarpon.wire.DatasetName;
import io.tarpon.wire.client.MetadataClient;
import io.tarpon.wire.event.TarponEvent;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

/// Several replicas of metadata-svc under commands, while they and the broker are killed, paused and restarted, and
/// nothing else is. Then everything comes back, and the replicas must agree on all that was acknowledged.
///
/// Threads: one for the trouble, one for each dataset; the caller's waits and shows how far it is. What goes wrong in
/// any of them is a finding, never the end of the run.
public final class MetadataTrial implements Trial {
    private static final int DATASETS = 4;
    private static final Duration TICK = Duration.ofSeconds(1);

    /// Longer than a call has at one replica, and than the group waits for the member that publishes.
    private static final Duration PAUSE = Duration.ofSeconds(12);

    /// For the commands under way at the end of the trouble.
    private static final Duration END_PATIENCE = Duration.ofMinutes(5);

    private final Context context;
    private final Roster roster;
    private final long seed;
    private final Duration time;
    private final Random seeds;
    private final Findings findings = new Findings();
    private final AtomicInteger acknowledged = new AtomicInteger();
    private final List<DatasetName> datasets = new ArrayList<>();
    private final List<Ledger> ledgers = new ArrayList<>();

    /// @param roster of a cluster that is up
    public MetadataTrial(Context context, Roster roster, long seed, Duration time) {
        if (roster.metadata().size() < 2) {
            throw CommandFailure.failed(
                    "this cluster has one replica of metadata-svc, which leaves nothing to compare",
                    "leave --here away; or start a cluster with: ./tarpon up --metadata-replicas 3");
        }
        this.context = context;
        this.roster = roster;
        this.seed = seed;
        this.time = time;
        this.seeds = new Random(seed);
        var tag = Long.toString(Instant.now().toEpochMilli(), Character.MAX_RADIX);
        for (int i = 0; i < DATASETS; i++) {
            var dataset = new DatasetName("chaos-" + tag + "-" + (i + 1));
            datasets.add(dataset);
            ledgers.add(new Ledger(dataset));
        }
    }

    @Override
    public MetadataTrialResult run() {
        var trouble = new Trouble(
                context.cluster(),
                new Random(seeds.nextLong()),
                findings,
                member -> member.isMetadata() || member.name().equals(ClusterPlan.BROKER) ? 1 : 0,
                PAUSE);
        var clients = IntStream.range(0, DATASETS).mapToObj(this::client).toList();
        try (var threads = Executors.newThreadPerTaskExecutor(
                Thread.ofPlatform().name("chaos-", 1).factory())) {
            try {
                disturb(clients, trouble, threads);
                var checks = new MetadataChecks(context, roster, ledgers, findings);
                var replicas = checks.agree(clients.getFirst());
                var events = checks.events();
                if (trouble.foundEnded()) {
                    trouble.comeBack();
                }
                return new MetadataTrialResult(
                        seed, time.toSeconds(), trouble.faults(), commands(), replicas, events, findings.all());
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw CommandFailure.failed("interrupted", "");
            } finally {
                threads.shutdownNow();
            }
        } finally {
            clients.forEach(MetadataClient::close);
        }
    }

    /// Each begins with another replica, so that all of them take commands at a time.
    private MetadataClient client(int number) {
        var urls = new ArrayList<>(roster.metadata());
        Collections.rotate(urls, -number);
        return new MetadataClient(urls, context.state().token());
    }

    @Override
    public List<String> leave() {
        var commands = new ArrayList<String>();
        datasets.forEach(dataset -> commands.add("./tarpon rm " + dataset));
        commands.add("./tarpon gc");
        return commands;
    }

    private void disturb(List<MetadataClient> clients, Trouble trouble, ExecutorService threads)
            throws InterruptedException {
        var end = Instant.now().plus(time);
        var lives = new ArrayList<Future<?>>();
        for (int i = 0; i < DATASETS; i++) {
            var life = new CommandLife(
                    datasets.get(i),
                    new Random(seeds.nextLong()),
                    clients.get(i),
                    ledgers.get(i),
                    findings,
                    acknowledged);
            lives.add(start(threads, () -> life.run(() -> Instant.now().isAfter(end))));
        }
        var troubled = start(threads, () -> trouble.run(() -> Instant.now().isAfter(end)));
        show(end, trouble);
        await(List.of(troubled), "the trouble");
        trouble.foundEnded();
        trouble.comeBack();
        await(lives, "a series of commands");
    }

    /// What a thread does until it is over.
    private interface Task {
        void run() throws InterruptedException;
    }

    private static Future<?> start(ExecutorService threads, Task task) {
        return threads.submit((Callable<Boolean>) () -> {
            task.run();
            return true;
        });
    }

    private void await(List<Future<?>> tasks, String what) throws InterruptedException {
        var deadline = Instant.now().plus(END_PATIENCE);
        for (var task : tasks) {
            try {
                var left = Duration.between(Instant.now(), deadline);
                var _ = task.get(Math.max(1, left.toMillis()), TimeUnit.MILLISECONDS);
            } catch (ExecutionException e) {
                findings.add(what + " ended with " + e.getCause());
            } catch (TimeoutException e) {
                findings.add(what + " did not end within " + END_PATIENCE.toMinutes() + " min after the trouble");
            }
        }
    }

    private void show(Instant end, Trouble trouble) throws InterruptedException {
        try (var progress = context.console().progress("chaos", time.toSeconds())) {
            while (Instant.now().isBefore(end)) {
                var gone = time.minus(Duration.between(Instant.now(), end));
                progress.at(
                        gone.toSeconds(),
                        acknowledged + " commands, " + trouble.done() + " faults, "
                                + findings.all().size() + " wrong");
                Thread.sleep(TICK);
            }
        }
    }

    private MetadataTrialResult.Commands commands() {
        var counts = ledgers.stream().map(Ledger::counts).toList();
        return new MetadataTrialResult.Commands(
                acknowledged.get(),
                sum(counts, Ledger.BEGUN),
                sum(counts, TarponEvent.VersionPlanned.TYPE),
                sum(counts, TarponEvent.ShardSealed.TYPE),
                sum(counts, TarponEvent.VersionSealed.TYPE),
                sum(counts, TarponEvent.VersionFailed.TYPE),
                sum(counts, TarponEvent.VersionRemoved.TYPE));
    }

    private static int sum(List<Map<String, Integer>> counts, String of) {
        return counts.stream().mapToInt(each -> each.getOrDefault(of, 0)).sum();
    }
}
