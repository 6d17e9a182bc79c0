package io.tarpon.k8s.scaler;

/// What one trigger of a ScaledObject says at a moment.
///
/// @param metric what the HPA is given
/// @param target how much of it is for one replica (`AverageValue`)
/// @param isActive whether KEDA takes it for a reason to leave zero, and not to go there
public record Signal(long metric, long target, boolean isActive) {
    /// `--horizontal-pod-autoscaler-tolerance`, as kube-controller-manager has it by itself.
    private static final double TOLERANCE = 0.1;

    public Signal {
        if (metric < 0 || target < 1) {
            throw new IllegalArgumentException("a metric of " + metric + ", " + target + " a replica");
        }
    }

    /// The trigger `cron`, as `GetMetricsAndActivity` of KEDA's `pkg/scalers/cron_scaler.go` has it: outside of its
    /// window it asks for one replica, below which the HPA does not go anyway.
    public static Signal cron(int desiredReplicas, boolean isWithin) {
        return new Signal(isWithin ? desiredReplicas : 1, 1, isWithin);
    }

    /// `GetExternalPerPodMetricReplicas` in Kubernetes' `pkg/controller/podautoscaler/replica_calculator.go`.
    ///
    /// @param replicas that there are, at least one
    int wanted(int replicas) {
        var ratio = (double) metric / (target * replicas);
        return Math.abs(1 - ratio) <= TOLERANCE ? replicas : Math.toIntExact(Math.ceilDiv(metric, target));
    }
}
