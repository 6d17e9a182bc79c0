package io.tarpon.k8s;

import static org.assertj.core.api.Assertions.assertThat;

import io.tarpon.k8s.scaler.LagScaler;
import io.tarpon.k8s.scaler.LagTrigger.Partition;
import io.tarpon.k8s.scaler.Limits;
import io.tarpon.k8s.scaler.Signal;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// What KEDA and the HPA make of each overlay's figures.
class AutoscalingTest {
    private static final int LOOKS = 20;
    private static final long MANY = 1_000;

    static Stream<Autoscaling> functions() {
        return Manifests.overlays().stream()
                .map(Manifests::render)
                .flatMap(manifests -> manifests.of("ScaledObject").stream()
                        .map(scaled -> Autoscaling.of(
                                manifests, scaled.at("spec.scaleTargetRef.name").asText())));
    }

    private static List<Signal> signals(Autoscaling scaling, Partition partition) {
        var signals = new ArrayList<>(scaling.beside());
        signals.add(scaling.trigger().signal(Collections.nCopies(scaling.partitions(), partition)));
        return signals;
    }

    @ParameterizedTest
    @MethodSource("functions")
    void aNewGroupSleepsAndEndlessWorkHasAsManyAsTheManifestAllows(Autoscaling scaling) {
        var scaler = new LagScaler(scaling.limits());
        var now = Instant.EPOCH;
        assertThat(scaler.poll(now, 0, signals(scaling, new Partition(Partition.NO_COMMIT, 0))))
                .isZero();
        var work = signals(scaling, new Partition(Partition.NO_COMMIT, MANY));
        var replicas = scaler.poll(now, 0, work);
        assertThat(replicas).isEqualTo(1);
        for (int look = 0; look < LOOKS; look++) {
            now = now.plus(Limits.USUAL_SYNCING);
            replicas = scaler.sync(now, replicas, work);
        }
        assertThat(replicas).isEqualTo(scaling.limits().most()).isLessThanOrEqualTo(scaling.partitions());
    }
}
