package io.tarpon.metadata.replica;

import io.tarpon.metadata.image.Command;
import io.tarpon.metadata.image.HeapStore;
import io.tarpon.metadata.image.Image;
import io.tarpon.metadata.log.SimulatedLog;
import io.tarpon.metadata.sequential.Answer;
import io.tarpon.metadata.sequential.Ask;
import io.tarpon.metadata.sequential.View;
import io.tarpon.metadata.snapshot.HeapSnapshots;
import io.tarpon.wire.DatasetName;
import io.tarpon.wire.SplitName;
import io.tarpon.wire.http.TarponException;
import io.tarpon.wire.metadata.VersionState;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;

/// Several proposers with replicas of their own over one simulated log: random commands, also inside each other's
/// appends, replicas that lag, processes that die and start again. One thread, one seed. Every promise on the log
/// is checked after every step, and in the end whether one order explains all that clients were answered.
final class Simulation {
    private static final int SITES = 3;
    private static final int MAX_DEPTH = 2;
    /// They cost as much as all else, and who came apart stays so.
    private static final int STEPS_BETWEEN_DIGESTS = 4;

    private final Random random;
    private final SimulatedLog log;
    private final Plant plant;
    private final Judge judge;
    private final Traffic traffic;
    private final Recorder recorder = new Recorder();
    private final HeapSnapshots snapshots = new HeapSnapshots();
    private final List<Site> sites = new ArrayList<>();
    private int depth;
    private int trims;
    private int loads;
    private long clockSeconds;

    Simulation(long seed) {
        this(seed, Plant.NOTHING, new Judge());
    }

    Simulation(long seed, Plant plant, Judge judge) {
        this.random = new Random(seed);
        this.log = new SimulatedLog(random.nextLong());
        this.plant = plant;
        this.judge = judge;
        this.traffic = new Traffic(random, judge);
        for (int i = 0; i < SITES; i++) {
            sites.add(site(new HeapStore()));
        }
        log.meanwhile(this::meanwhile);
        log.again(plant::again);
    }

    private Site site(HeapStore store) {
        return new Site(
                log.appender(),
                store,
                snapshots,
                () -> loads++,
                plant,
                this::now,
                new Proposer.Levels(_ -> random.nextInt(20) == 0, this::newLogId));
    }

    private void restart(int number) {
        sites.set(number, site(sites.get(number).left()));
    }

    /// Of sites that find the log without one at the same time, each has its own.
    private String newLogId() {
        var bits = new byte[16];
        random.nextBytes(bits);
        return HexFormat.of().formatHex(bits);
    }

    private Instant now() {
        return Instant.EPOCH.plusSeconds(clockSeconds);
    }

    Judge judge() {
        return judge;
    }

    SimulatedLog log() {
        return log;
    }

    /// So many things happen, then everything arrives everywhere, and all must know the same.
    Simulation run(int steps) throws IOException, InterruptedException {
        for (int step = 0; step < steps; step++) {
            step();
        }
        settle();
        recorder.check(judge::isBegunBy);
        return this;
    }

    /// One thing happens.
    private void step() throws IOException, InterruptedException {
        clockSeconds++;
        var number = random.nextInt(SITES);
        switch (random.nextInt(36)) {
            case 0 -> restart(number);
            case 13 -> trim();
            case 14 -> snapshot(number);
            case 1, 2, 3 -> log.deliverOne();
            case 4, 5, 6, 7, 8 -> sites.get(number).catchUp();
            case 9, 10, 11, 12 -> look(number, traffic.look());
            default -> propose(number);
        }
        judge.look(log.entries());
        if (clockSeconds % STEPS_BETWEEN_DIGESTS == 0) {
            judgeSites();
        }
    }

    /// Up to what every process has saved.
    private void trim() {
        trim(sites.stream().mapToLong(site -> site.replica.revision()).min().orElseThrow());
    }

    private void trim(long upTo) {
        var appender = log.appender();
        if (upTo > appender.begin()) {
            appender.trim(upTo);
            trims++;
        }
    }

    /// Perhaps the log is cut behind it, whoever is behind that. Not where something is planted, which may keep a
    /// replica from all that makes it whole again.
    private void snapshot(int number) throws IOException {
        if (!plant.equals(Plant.NOTHING)) {
            propose(number);
            return;
        }
        var furthest = sites.stream()
                .max(Comparator.comparingLong(site -> site.replica.revision()))
                .orElseThrow();
        try (var image = furthest.replica.read(Image::saved).value()) {
            if (image.revision() > 0) {
                snapshots.write(image);
                if (random.nextBoolean()) {
                    trim(image.revision() - 1);
                }
            }
        }
    }

    /// How often the beginning of the log was cut off.
    int trims() {
        return trims;
    }

    /// How often a replica came from a snapshot.
    int loads() {
        return loads;
    }

    private void settle() throws IOException, InterruptedException {
        log.calm();
        log.deliverAll();
        // Nobody does anything any more, also where a replica asks for the end of the log.
        depth = MAX_DEPTH;
        for (var site : sites) {
            site.catchUp();
        }
        judge.look(log.entries());
        judgeSites();
        judge.checkEnd(digests());
    }

    List<String> digests() {
        return sites.stream()
                .map(site -> site.replica.read(Image::digest).value())
                .toList();
    }

    private void judgeSites() {
        sites.forEach(site -> site.judgedBy(judge));
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
            execute(number, site, traffic.command(now()));
        } catch (SimulatedLog.Crash e) {
            restart(number);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        } finally {
            site.proposing = false;
        }
    }

    private <A> void execute(int number, Site site, Command<A> command) throws InterruptedException {
        var call = recorder.call(number, command);
        site.log.by(call);
        try {
            var executed = site.proposer.execute(command, null);
            var answer = executed.answer().value();
            call.answered(executed.changed(), answer);
            if (!executed.changed()) {
                judge.repeated(log.entries(), command);
            }
            judge.answered(log.entries(), command, answer);
        } catch (TarponException e) {
            if (e.type().status() < 500) {
                call.refused(e.type());
                judge.refused(log.entries(), command, e.type());
            } else {
                // Given up after faults: nothing is promised then.
                call.failed();
            }
        } catch (SimulatedLog.Crash e) {
            call.died();
            throw e;
        }
    }

    /// A read with `read=latest`.
    private void look(int number, Ask ask) throws InterruptedException {
        var began = recorder.now();
        var site = sites.get(number);
        try {
            var _ = site.replica.awaitLatest(Duration.ZERO);
            recorder.saw(
                    number,
                    ask,
                    began,
                    new Answer.Seen(site.replica.read(image -> view(image, ask)).value()));
        } catch (TarponException e) {
            if (e.type().status() < 500) {
                recorder.saw(number, ask, began, new Answer.Refused(e.type()));
            }
        }
    }

    private static View view(Image image, Ask ask) {
        return switch (ask) {
            case Ask.SeeDataset see -> View.Dataset.of(image.reads().dataset(see.dataset()));
            case Ask.SeeShards see -> shards(image, see.dataset());
            case Ask.SeeVersion see -> View.Version.of(image.reads().version(see.dataset(), see.version()));
            case Ask.SeeShard see -> View.Shard.of(image.reads().shard(see.shard()));
            case Ask.SeeNode see -> new View.Node(image.reads().node(see.node()));
            case Ask.Do _ -> throw new IllegalArgumentException(ask + " is no look");
        };
    }

    private static View.Shards shards(Image image, DatasetName dataset) {
        var versions = new TreeMap<Integer, Map<SplitName, List<View.Shard>>>();
        for (var version : image.reads().dataset(dataset).versions()) {
            if (version.state() != VersionState.REMOVED) {
                var splits = new LinkedHashMap<SplitName, List<View.Shard>>();
                for (var split : version.splits()) {
                    splits.put(
                            split.name(),
                            image
                                    .reads()
                                    .shards(dataset, version.version(), split.name(), 0, split.shards())
                                    .shards()
                                    .stream()
                                    .map(View.Shard::of)
                                    .toList());
                }
                versions.put(version.version().number(), splits);
            }
        }
        return new View.Shards(versions);
    }
}
