package io.tarpon.k8s.scaler;

import java.time.Duration;

/// What a ScaledObject says besides its triggers.
///
/// @param least `minReplicaCount`
/// @param most `maxReplicaCount`
/// @param polling how often KEDA asks its triggers
/// @param syncing how often the HPA does
/// @param cooldown from the last active trigger to zero
public record Limits(int least, int most, Duration polling, Duration syncing, Duration cooldown, Pace up, Pace down) {
    /// `--horizontal-pod-autoscaler-sync-period`, as kube-controller-manager has it by itself.
    public static final Duration USUAL_SYNCING = Duration.ofSeconds(15);

    public Limits {
        if (least < 0 || most < Math.max(1, least)) {
            throw new IllegalArgumentException("from " + least + " to " + most + " replicas");
        }
    }

    /// The same with every time so many times shorter.
    public Limits dividedBy(int factor) {
        return new Limits(
                least,
                most,
                polling.dividedBy(factor),
                syncing.dividedBy(factor),
                cooldown.dividedBy(factor),
                up.dividedBy(factor),
                down.dividedBy(factor));
    }
}
