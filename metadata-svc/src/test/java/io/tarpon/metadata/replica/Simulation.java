package io.tarpon.metadata.replica;

import static io.tarpon.metadata.Fixtures.GROWING;
import static io.tarpon.metadata.Fixtures.SPEC;
import static io.tarpon.metadata.Fixtures.VAL;
import static io.tarpon.metadata.Fixtures.forced;
import static io.tarpon.metadata.Fixtures.keeping;
import static io.tarpon.metadata.Fixtures.node;
import static io.tarpon.metadata.Fixtures.plan;

import io.tarpon.metadata.Fixtures;
import io.tarpon.metadata.entry.LogUnavailableException;
import io.tarpon.metadata.image.BeginVersion;
import io.tarpon.metadata.image.CollectVersion;
import io.tarpon.metadata.image.Command;
import io.tarpon.metadata.image.ExpireVersion;
import io.tarpon.metadata.image.FailVersion;
import io.tarpon.metadata.image.ForgetNode;
import io.tarpon.metadata.image.ForgetVersion;
import io.tarpon.metadata.image.Image;
import io.tarpon.metadata.image.JoinNode;
import io.tarpon.metadata.image.LeaveNode;
import io.tarpon.metadata.image.PlanVersion;
import io.tarpon.metadata.image.RegisterDataset;
import io.tarpon.metadata.image.RemoveDataset;
import io.tarpon.metadata.image.RemoveVersion;
import io.tarpon.metadata.image.RetryVersion;
import io.tarpon.metadata.image.SealShard;
import io.tarpon.metadata.log.SimulatedLog;
import io.tarpon.wire.DatasetName;
import io.tarpon.wire.ShardName;
import io.tarpon.wire.ShardRef;
import io.tarpon.wire.VersionId;
import io.tarpon.wire.http.TarponException;
import io.tarpon.wire.metadata.DatasetSpec;
import io.tarpon.wire.metadata.VersionState;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/// Several proposers with replicas of their own over one simulated log: random commands, also inside each other's
/// appends, replicas that lag, processes that die and start again. One thread, one seed.
final class Simulation {
    private static final int SITES = 4;
    private static final int MAX_DEPTH = 2;
    private static final List<DatasetName> DATASETS = List.of(new DatasetName("cats"), new DatasetName("dogs"));

    private final Random random;
    private final SimulatedLog log;
    private final Judge judge = new Judge();
    private final List<Site> sites = new ArrayList<>();
    private int depth;
    private long clockSeconds;

    /// One process.
    private final class Site {
        private final SimulatedLog.Appending appending = log.appender();
        private final EventTail tail = new EventTail(1 << 16);
        private final Replica replica = new Replica(appending, tail, new Image());
        private final Proposer proposer = new Proposer(
                new CaughtUpLog(appending, replica),
                replica,
                () -> Instant.EPOCH.plusSeconds(clockSeconds),
                4,
                Duration.ofDays(1),
                Duration.ZERO);
        private boolean proposing;
    }

    Simulation(long seed) {
        this.random = new Random(seed);
        this.log = new SimulatedLog(random.nextLong());
        for (int i = 0; i < SITES; i++) {
            sites.add(new Site());
        }
        log.meanwhile(this::meanwhile);
    }

    Judge judge() {
        return judge;
    }

    SimulatedLog log() {
        return log;
    }

    /// One thing happens, then every promise is checked.
    void step() throws IOException, InterruptedException {
        clockSeconds++;
        var site = random.nextInt(SITES);
        switch (random.nextInt(10)) {
            case 0 -> sites.set(site, new Site());
            case 1 -> log.deliverOne();
            case 2, 3 -> catchUp(sites.get(site));
            default -> propose(site);
        }
        check();
    }

    /// Everything arrives everywhere, and all must know the same.
    void settle() throws IOException, InterruptedException {
        log.calm();
        log.deliverAll();
        for (var site : sites) {
            site.replica.catchUp();
        }
        check();
    }

    List<String> digests() {
        return sites.stream()
                .map(site -> site.replica.read(image -> image.digest()).value())
                .toList();
    }

    private void check() throws IOException {
        judge.look(log.entries());
        for (var site : sites) {
            judge.checkReplica(site.replica);
            var told = new ArrayList<>(
                    site.tail.after(0, Integer.MAX_VALUE).orElseThrow().events());
            judge.checkTail(told, site.replica.revision());
        }
    }

    private static void catchUp(Site site) throws IOException, InterruptedException {
        site.appending.seeSome();
        try {
            site.replica.catchUp();
        } catch (LogUnavailableException e) {
            // Another time.
        }
    }

    /// Inside an append: others may do something, which is how entries come between.
    private void meanwhile() {
        if (depth < MAX_DEPTH && random.nextBoolean()) {
            depth++;
            try {
                log.deliverOne();
                propose(random.nextInt(SITES));
            } finally {
                depth--;
            }
        }
    }

    private void propose(int number) {
        var site = sites.get(number);
        if (site.proposing) {
            return;
        }
        site.proposing = true;
        try {
            execute(site);
        } catch (SimulatedLog.Crash e) {
            sites.set(number, new Site());
        } catch (TarponException e) {
            // Refused, which the judge has seen, or given up after faults: nothing is promised then.
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        } finally {
            site.proposing = false;
        }
    }

    private void execute(Site site) throws InterruptedException {
        var dataset = DATASETS.get(random.nextInt(DATASETS.size()));
        switch (random.nextInt(18)) {
            case 0 -> run(site, new RegisterDataset(dataset, random.nextBoolean() ? SPEC : DatasetSpec.of("in")));
            case 1 -> begin(site, dataset);
            case 2, 3 -> run(site, planning(dataset));
            case 5 -> run(site, new FailVersion(dataset, in(VersionState.BUILDING, dataset), "cancelled"));
            case 6 ->
                run(
                        site,
                        new JoinNode(
                                "node-" + random.nextInt(2), node(random.nextInt(2)), "process-" + random.nextInt(2)));
            case 7 -> leave(site, "node-" + random.nextInt(2));
            case 8 -> run(site, new RetryVersion(dataset, in(VersionState.FAILED, dataset)));
            case 9 -> {
                if (random.nextInt(3) == 0) {
                    remove(site, dataset);
                }
            }
            case 10 -> {
                run(site, new CollectVersion(dataset, in(VersionState.REMOVED, dataset)));
                forget(site, dataset);
            }
            default -> seal(site, dataset);
        }
    }

    private void begin(Site site, DatasetName dataset) throws InterruptedException {
        var requestId = dataset + " " + random.nextInt(30);
        judge.answered(
                requestId, run(site, new BeginVersion(dataset, requestId, random.nextBoolean() ? GROWING : SPEC)));
    }

    private void leave(Site site, String node) throws InterruptedException {
        run(site, new LeaveNode(node, random.nextBoolean() ? null : "process-" + random.nextInt(2)));
        if (random.nextInt(3) == 0) {
            run(site, new ForgetNode(node, Instant.EPOCH.plusSeconds(clockSeconds - random.nextInt(20))));
        }
    }

    /// Often one that is not collected, or was just now.
    private void forget(Site site, DatasetName dataset) throws InterruptedException {
        if (random.nextInt(3) == 0) {
            var upTo = Instant.EPOCH.plusSeconds(clockSeconds - random.nextInt(40));
            run(site, new ForgetVersion(dataset, in(VersionState.REMOVED, dataset), upTo));
        }
    }

    private void remove(Site site, DatasetName dataset) throws InterruptedException {
        switch (random.nextInt(8)) {
            case 0 -> run(site, new RemoveDataset(dataset));
            case 1 ->
                run(site, new ExpireVersion(dataset, version(dataset), Instant.EPOCH.plusSeconds(clockSeconds - 20)));
            default -> run(site, new RemoveVersion(dataset, in(VersionState.SEALED, dataset)));
        }
    }

    /// Most often of a version that is being planned, and where that grows, most often with shards of its parent.
    private PlanVersion planning(DatasetName dataset) {
        var version = in(VersionState.PLANNING, dataset);
        var kind = random.nextInt(4);
        var plan = plan("plan " + random.nextInt(6), kind, kind % 2);
        var grows = judge.versions(dataset).stream()
                .anyMatch(record -> record.version().equals(version) && record.parent() != null);
        var keeps = grows ? 1 + random.nextInt(2) : random.nextInt(8) == 0 ? 1 : 0;
        return new PlanVersion(
                dataset, version, random.nextInt(3) == 0 ? forced(keeping(plan, keeps)) : keeping(plan, keeps));
    }

    /// Most often a shard that is planned, now and then one that is not, or other content.
    private void seal(Site site, DatasetName dataset) throws InterruptedException {
        var version = in(VersionState.BUILDING, dataset);
        var planned = judge.versions(dataset).stream()
                .filter(record -> record.version().equals(version))
                .flatMap(record -> record.splits().stream())
                .filter(split -> split.sealedShards() < split.shards())
                .toList();
        var odd = planned.isEmpty() || random.nextInt(8) == 0;
        var split = odd ? VAL : planned.get(random.nextInt(planned.size())).name();
        var shard = odd ? random.nextInt(3) : random.nextInt(planned.getFirst().shards());
        var ref = new ShardRef(dataset, version, split, new ShardName(shard));
        var answer = run(site, new SealShard(ref, Fixtures.seal(shard, random.nextInt(8) == 0 ? "other" : "same")));
        judge.answered(ref, answer.sealed());
    }

    /// Most often one in this state, where there is one.
    private VersionId in(VersionState state, DatasetName dataset) {
        var there = judge.versions(dataset).stream()
                .filter(record -> record.state() == state)
                .toList();
        return there.isEmpty() || random.nextInt(8) == 0
                ? version(dataset)
                : there.get(random.nextInt(there.size())).version();
    }

    /// Most often one that there is.
    private VersionId version(DatasetName dataset) {
        var last = judge.versions(dataset).stream()
                .mapToInt(record -> record.version().number())
                .max()
                .orElse(0);
        return new VersionId(1 + random.nextInt(last + 1));
    }

    private <A> A run(Site site, Command<A> command) throws InterruptedException {
        try {
            var executed = site.proposer.execute(command, null);
            if (!executed.changed()) {
                judge.repeated(log.entries(), command);
            }
            return executed.answer().value();
        } catch (TarponException e) {
            if (e.type().status() < 500) {
                judge.refused(log.entries(), command, e.type());
            }
            throw e;
        }
    }
}
