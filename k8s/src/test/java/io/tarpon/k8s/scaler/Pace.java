package io.tarpon.k8s.scaler;

import java.time.Duration;
import java.util.List;

/// How an HPA goes in one direction: `HPAScalingRules`, whose steps are taken with `selectPolicy: Max`.
///
/// @param window what was wanted within it is wanted still, where it keeps more replicas
/// @param steps of which the longest counts
public record Pace(Duration window, List<Step> steps) {
    /// What Kubernetes does where a manifest says nothing (`pkg/apis/autoscaling/v2/defaults.go`).
    public static final Pace USUAL_UP = new Pace(
            Duration.ZERO,
            List.of(new Step(4, false, Duration.ofSeconds(15)), new Step(100, true, Duration.ofSeconds(15))));

    public static final Pace USUAL_DOWN =
            new Pace(Duration.ofMinutes(5), List.of(new Step(100, true, Duration.ofSeconds(15))));

    public Pace {
        steps = List.copyOf(steps);
        if (steps.isEmpty()) {
            throw new IllegalArgumentException("a pace without a step");
        }
    }

    /// @param value pods, or percent of those that there were when the period began
    public record Step(int value, boolean isPercent, Duration period) {
        int up(int replicas) {
            return isPercent ? (int) Math.ceil(replicas * (1 + value / 100.0)) : replicas + value;
        }

        int down(int replicas) {
            return isPercent ? (int) (replicas * (1 - value / 100.0)) : replicas - value;
        }
    }

    Pace dividedBy(int factor) {
        return new Pace(
                window.dividedBy(factor),
                steps.stream()
                        .map(it ->
                                new Step(it.value(), it.isPercent(), it.period().dividedBy(factor)))
                        .toList());
    }
}
