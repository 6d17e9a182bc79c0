package io.tarpon.k8s;

import io.tarpon.k8s.scaler.LagScaler;
import io.tarpon.k8s.scaler.Limits;
import io.tarpon.k8s.scaler.Signal;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.LockSupport;

/// One function whose processes a [LagScaler] starts and stops by the lag that the broker has, from zero on.
///
/// One thread owns the scaler and the processes, and asks the broker whenever KEDA or the HPA would. Others read the
/// steps, which are only added to. A fault ends the thread and is thrown by [#requireSound].
final class ScaledFunction implements AutoCloseable {
    private final Autoscaling scaling;
    private final Limits limits;
    private final GroupLag broker;
    private final Replicas replicas;
    private final LagScaler scaler;
    private final Instant began = Instant.now();
    private final List<Step> steps = new CopyOnWriteArrayList<>();
    private final List<Throwable> faults = new CopyOnWriteArrayList<>();
    private final Thread thread;
    private volatile boolean closed;

    /// @param factor by which every time is shorter than the manifest's
    ScaledFunction(Autoscaling scaling, int factor, GroupLag broker, Replicas replicas) {
        this.scaling = scaling;
        this.limits = scaling.limits().dividedBy(factor);
        this.broker = broker;
        this.replicas = replicas;
        this.scaler = new LagScaler(limits);
        this.thread = Thread.ofPlatform().name("scale " + scaling.function()).start(this::run);
    }

    /// A change of the number of processes.
    ///
    /// @param partitionsWithLag of the topic's
    record Step(String function, Instant at, long lag, long partitionsWithLag, int from, int to) {}

    private interface Decision {
        int of(Instant now, int replicas, List<Signal> signals);
    }

    private void run() {
        var nextPoll = began;
        var nextSync = began.plus(limits.syncing());
        try {
            while (!closed) {
                var now = Instant.now();
                if (!now.isBefore(nextPoll)) {
                    decide(now, scaler::poll);
                    nextPoll = now.plus(limits.polling());
                }
                if (!now.isBefore(nextSync)) {
                    decide(now, scaler::sync);
                    nextSync = now.plus(limits.syncing());
                }
                var next = nextPoll.isBefore(nextSync) ? nextPoll : nextSync;
                LockSupport.parkNanos(Duration.between(Instant.now(), next).toNanos());
            }
        } catch (RuntimeException | AssertionError e) {
            faults.add(e);
        }
    }

    private void decide(Instant now, Decision decision) {
        var partitions = broker.of(scaling.trigger());
        var signals = new ArrayList<>(scaling.beside());
        signals.add(scaling.trigger().signal(partitions));
        var before = replicas.count();
        var wanted = decision.of(now, before, signals);
        if (wanted != before) {
            var lags = partitions.stream().mapToLong(scaling.trigger()::lag).toArray();
            replicas.scaleTo(wanted);
            steps.add(new Step(
                    scaling.function(),
                    now,
                    Arrays.stream(lags).sum(),
                    Arrays.stream(lags).filter(lag -> lag > 0).count(),
                    before,
                    wanted));
        }
    }

    Autoscaling scaling() {
        return scaling;
    }

    List<Step> steps() {
        return List.copyOf(steps);
    }

    int count() {
        return steps.isEmpty() ? 0 : steps.getLast().to();
    }

    /// The most that there were at a time so far.
    int peak() {
        return steps.stream().mapToInt(Step::to).max().orElse(0);
    }

    void requireSound() {
        if (!faults.isEmpty()) {
            throw new AssertionError(scaling.function() + " is scaled no more", faults.getFirst());
        }
    }

    /// No process is started or stopped afterwards.
    @Override
    public void close() {
        closed = true;
        LockSupport.unpark(thread);
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
