package io.tarpon.k8s.scaler;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.Stream;

/// How many replicas there are to be of what one ScaledObject scales. Two decide, as on a cluster:
///
/// - [#poll] is KEDA's operator, which knows zero and not zero: `RequestScale` in KEDA's
///   `pkg/scaling/executor/scale_scaledobjects.go`. Its `fallback` and `idleReplicaCount` are not here.
/// - [#sync] is the HPA that KEDA makes, which knows one and more: `reconcileAutoscaler` and
///   `normalizeDesiredReplicasWithBehaviors` in Kubernetes' `pkg/controller/podautoscaler/horizontal.go`. It
///   does not ask which replicas are ready, for metrics of a broker.
///
/// Owned by one thread.
public final class LagScaler {
    private final Limits limits;
    private final List<Wanted> recommendations = new ArrayList<>();
    private final List<Change> changes = new ArrayList<>();

    /// As in KEDA: who was never active need not cool down.
    private Instant lastActive = Instant.MIN;

    public LagScaler(Limits limits) {
        this.limits = limits;
    }

    private record Wanted(Instant at, int replicas) {}

    /// @param by how many replicas there were more; less than zero where there were fewer
    private record Change(Instant at, int by) {}

    public int poll(Instant now, int replicas, List<Signal> signals) {
        if (signals.stream().anyMatch(Signal::isActive)) {
            lastActive = now;
            return replicas == 0 ? Math.max(1, limits.least()) : replicas;
        }
        if (replicas > 0 && limits.least() == 0) {
            return lastActive.plus(limits.cooldown()).isBefore(now) ? 0 : replicas;
        }
        return Math.max(replicas, limits.least());
    }

    public int sync(Instant now, int replicas, List<Signal> signals) {
        if (replicas == 0) {
            return 0;
        }
        var next = bounded(now, replicas, signals);
        if (next != replicas) {
            changes.add(new Change(now, next - replicas));
        }
        return next;
    }

    private int bounded(Instant now, int replicas, List<Signal> signals) {
        var least = Math.max(1, limits.least());
        if (replicas < least || replicas > limits.most()) {
            return Math.clamp(replicas, least, limits.most());
        }
        if (recommendations.isEmpty()) {
            recommendations.add(new Wanted(now, replicas));
        }
        var wanted = signals.stream()
                .mapToInt(signal -> signal.wanted(replicas))
                .max()
                .orElse(replicas);
        var settled = settled(now, replicas, wanted);
        recommendations.add(new Wanted(now, wanted));
        forget(now);
        if (settled > replicas) {
            var most = limits.up().steps().stream()
                    .mapToInt(step -> step.up(before(now, replicas, step)))
                    .max()
                    .orElse(replicas);
            return Math.min(settled, Math.min(Math.max(most, replicas), limits.most()));
        }
        var fewest = limits.down().steps().stream()
                .mapToInt(step -> step.down(before(now, replicas, step)))
                .min()
                .orElse(replicas);
        return Math.max(settled, Math.max(Math.min(fewest, replicas), least));
    }

    /// The lowest of what was wanted lately on the way up, the highest on the way down.
    private int settled(Instant now, int replicas, int wanted) {
        var isUp = wanted >= replicas;
        var since = now.minus((isUp ? limits.up() : limits.down()).window());
        var lately = recommendations.stream()
                .filter(it -> it.at().isAfter(since))
                .mapToInt(Wanted::replicas)
                .summaryStatistics();
        if (lately.getCount() == 0) {
            return wanted;
        }
        return isUp ? Math.min(wanted, lately.getMin()) : Math.max(wanted, lately.getMax());
    }

    /// What no window and no period reaches back to.
    private void forget(Instant now) {
        var windows = now.minus(
                Collections.max(List.of(limits.up().window(), limits.down().window())));
        recommendations.removeIf(it -> !it.at().equals(now) && !it.at().isAfter(windows));
        var periods = now.minus(Stream.of(limits.up(), limits.down())
                .flatMap(pace -> pace.steps().stream())
                .map(Pace.Step::period)
                .max(Duration::compareTo)
                .orElseThrow());
        changes.removeIf(it -> !it.at().isAfter(periods));
    }

    /// How many there were when the period of a step began.
    private int before(Instant now, int replicas, Pace.Step step) {
        var since = now.minus(step.period());
        return replicas
                - changes.stream()
                        .filter(it -> it.at().isAfter(since))
                        .mapToInt(Change::by)
                        .sum();
    }
}
