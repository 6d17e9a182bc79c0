package io.tarpon.metadata.replica;

import static org.assertj.core.api.Assertions.assertThat;

import io.tarpon.metadata.log.SimulatedLog.Fate;
import java.io.IOException;
import java.util.EnumMap;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Proposers that share a log which fails in every way it may. To try one seed: `-Dsimulation.seed=…`.
class SimulationTest {
    private static final int RUNS = 36;
    private static final int STEPS = 700;

    @Test
    void everyPromiseHoldsAfterEveryStep() throws IOException, InterruptedException {
        var base = Long.getLong("simulation.seed", System.nanoTime());
        System.err.println("simulation seeds " + base + " to " + (base + RUNS - 1));
        Map<Fate, Integer> fates = new EnumMap<>(Fate.class);
        var sealed = 0;
        var rejected = 0L;
        var unreadable = 0;
        Map<String, Integer> met = new TreeMap<>();
        for (int i = 0; i < RUNS; i++) {
            var simulation = run(base + i);
            simulation.log().fates().forEach((fate, times) -> fates.merge(fate, times, Integer::sum));
            simulation.judge().met().forEach((what, times) -> met.merge(what, times, Integer::sum));
            sealed += simulation.judge().sealedVersions();
            unreadable += simulation.log().unreadable();
            rejected += simulation.judge().image().rejected();
        }
        System.err.println("simulation fates " + fates + " versions sealed " + sealed + " entries rejected " + rejected
                + " reads failed " + unreadable + " met " + met);
        assertThat(fates).as("every fault was met").containsOnlyKeys(Fate.values());
        assertThat(unreadable).isGreaterThan(RUNS);
        assertThat(sealed).isGreaterThan(RUNS / 4);
        assertThat(met)
                .as("everything was met")
                .allSatisfy((_, times) -> assertThat(times).isPositive());
        assertThat(rejected).isGreaterThan(RUNS);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void aSeedIsARun(long seed) throws IOException, InterruptedException {
        assertThat(run(seed).digests()).isEqualTo(run(seed).digests());
    }

    private static Simulation run(long seed) throws IOException, InterruptedException {
        try {
            var simulation = new Simulation(seed);
            for (int step = 0; step < STEPS; step++) {
                simulation.step();
            }
            simulation.settle();
            assertThat(simulation.digests())
                    .containsOnly(simulation.judge().image().digest());
            return simulation;
        } catch (AssertionError | RuntimeException e) {
            throw new AssertionError("simulation seed " + seed + ": " + e.getMessage(), e);
        }
    }
}
