package io.tarpon.chaos;

import io.tarpon.cluster.CommandFailure;
import io.tarpon.cluster.LocalCluster;
import io.tarpon.cluster.plan.ClusterPlan;
import io.tarpon.cluster.plan.Member;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.function.ToIntFunction;

/// Kills, pauses and restarts processes of a cluster at random, one or two at a time, and brings each back. The order
/// of what it does follows from the seed. Owned by one thread, but for its counts.
public final class Trouble {
    private static final Duration PAUSE = Duration.ofSeconds(5);
    private static final int MAX_CALM_MILLIS = 4_000;
    private static final int MAX_DEAD_MILLIS = 3_000;
    private static final int SERVICE_WEIGHT = 3;
    private static final int SERVER_WEIGHT = 1;

    private final LocalCluster cluster;
    private final Random random;
    private final Findings findings;
    private final Duration pause;
    private final List<String> lots = new ArrayList<>();
    private final Map<String, Counts> counts = new LinkedHashMap<>();
    private final AtomicInteger done = new AtomicInteger();

    private enum Act {
        KILL,
        PAUSE,
        RESTART
    }

    private static final class Counts {
        private final AtomicInteger killed = new AtomicInteger();
        private final AtomicInteger paused = new AtomicInteger();
        private final AtomicInteger restarted = new AtomicInteger();
    }

    /// What was done to one process.
    public record Faults(String process, int killed, int paused, int restarted) {}

    /// Our own services more often than the servers beside them.
    Trouble(LocalCluster cluster, Random random, Findings findings) {
        this(cluster, random, findings, Trouble::weight, PAUSE);
    }

    /// @param weights how often each is struck, relative to the others; 0 is never
    /// @param pause how long a process stands still
    Trouble(LocalCluster cluster, Random random, Findings findings, ToIntFunction<Member> weights, Duration pause) {
        this.cluster = cluster;
        this.random = random;
        this.findings = findings;
        this.pause = pause;
        for (var member : cluster.running().members()) {
            var weight = weights.applyAsInt(member);
            if (weight > 0) {
                counts.put(member.name(), new Counts());
                lots.addAll(Collections.nCopies(weight, member.name()));
            }
        }
    }

    private static int weight(Member member) {
        return member.isService() ? SERVICE_WEIGHT : SERVER_WEIGHT;
    }

    int done() {
        return done.get();
    }

    List<Faults> faults() {
        return counts.entrySet().stream()
                .map(each -> new Faults(
                        each.getKey(),
                        each.getValue().killed.get(),
                        each.getValue().paused.get(),
                        each.getValue().restarted.get()))
                .toList();
    }

    void run(BooleanSupplier isOver) throws InterruptedException {
        while (!isOver.getAsBoolean()) {
            Thread.sleep(random.nextInt(MAX_CALM_MILLIS));
            try {
                if (foundEnded()) {
                    comeBack();
                }
                strike();
            } catch (CommandFailure e) {
                findings.add(e.getMessage() + " (" + e.next() + ")");
                comeBack();
            }
        }
    }

    /// Whether a process ended by itself, which is written down.
    boolean foundEnded() {
        var ended = cluster.ended();
        if (!ended.isEmpty()) {
            findings.add("ended by itself: " + String.join(", ", ended));
        }
        return !ended.isEmpty();
    }

    /// Afterwards every process that this run stopped runs and is ready again.
    private void strike() throws InterruptedException {
        var acts = new LinkedHashMap<String, Act>();
        for (int victims = random.nextInt(4) == 0 ? 2 : 1; victims > 0; victims--) {
            acts.put(lots.get(random.nextInt(lots.size())), act());
        }
        try {
            acts.forEach(this::begin);
            if (acts.containsValue(Act.PAUSE)) {
                Thread.sleep(pause);
            } else if (acts.containsValue(Act.KILL)) {
                Thread.sleep(random.nextInt(MAX_DEAD_MILLIS));
            }
        } finally {
            acts.keySet().stream().filter(name -> acts.get(name) == Act.PAUSE).forEach(cluster::resume);
        }
        // The servers first: a service does not become ready without them.
        acts.keySet().stream()
                .filter(name -> acts.get(name) != Act.PAUSE)
                .sorted(java.util.Comparator.comparingInt(ClusterPlan::height))
                .forEach(this::restart);
        done.addAndGet(acts.size());
    }

    private void restart(String name) {
        if (cluster.restart(name).killed()) {
            findings.add(name + " did not end when it was asked to, and was killed");
        }
    }

    private Act act() {
        return switch (random.nextInt(4)) {
            case 0, 1 -> Act.KILL;
            case 2 -> Act.PAUSE;
            default -> Act.RESTART;
        };
    }

    private void begin(String name, Act act) {
        var counted = counts.get(name);
        if (counted == null) {
            throw new IllegalStateException("no process " + name);
        }
        switch (act) {
            case KILL -> {
                counted.killed.incrementAndGet();
                cluster.kill(name);
            }
            case PAUSE -> {
                counted.paused.incrementAndGet();
                cluster.pause(name);
            }
            case RESTART -> counted.restarted.incrementAndGet();
        }
    }

    /// Everything that does not run is started; what cannot be is written down.
    void comeBack() {
        try {
            cluster.running().members().forEach(member -> cluster.resume(member.name()));
            cluster.awaitNodes(cluster.up());
        } catch (CommandFailure e) {
            findings.add("the cluster does not come back: " + e.getMessage());
        }
    }
}
