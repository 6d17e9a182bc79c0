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

/// Proposers that share a log which fails in every way it may: 200 seeds, 10,000 with `-Dnightly`. To try one seed:
/// `-Dsimulation.runs=1 -Dsimulation.seed=…`.
class SimulationTest {
    private static final int RUNS =
            Integer.getInteger("simulation.runs", System.getProperty("nightly") == null ? 200 : 10_000);
    private static final int ENOUGH_TO_MEET_ALL = 100;
    private static final int STEPS = 60;
    /// Of one run in ten: what takes several lives of a version.
    private static final int MANY_STEPS = 200;

    @Test
    void everyPromiseHoldsAfterEveryStep() throws InterruptedException {
        var base = Long.getLong("simulation.seed", System.nanoTime());
        System.err.println("simulation seeds " + base + " to " + (base + RUNS - 1));
        Map<Fate, Integer> fates = new EnumMap<>(Fate.class);
        var sealed = 0;
        var rejected = 0L;
        var unreadable = 0;
        var trims = 0;
        var loads = 0;
        Map<String, Integer> met = new TreeMap<>();
        for (int i = 0; i < RUNS; i++) {
            var simulation = run(base + i);
            simulation.log().fates().forEach((fate, times) -> fates.merge(fate, times, Integer::sum));
            simulation.judge().met().forEach((what, times) -> met.merge(what, times, Integer::sum));
            sealed += simulation.judge().sealedVersions();
            unreadable += simulation.log().unreadable();
            trims += simulation.trims();
            loads += simulation.loads();
            rejected += simulation.judge().image().rejected();
        }
        System.err.println("simulation fates " + fates + " versions sealed " + sealed + " entries rejected " + rejected
                + " reads failed " + unreadable + " trims " + trims + " snapshots loaded " + loads + " met " + met);
        if (RUNS < ENOUGH_TO_MEET_ALL) {
            return;
        }
        assertThat(fates).as("every fault was met").containsOnlyKeys(Fate.values());
        assertThat(unreadable).isGreaterThan(RUNS);
        assertThat(trims).isGreaterThan(RUNS / 4);
        assertThat(loads).isGreaterThan(RUNS / 10);
        assertThat(sealed).isGreaterThan(RUNS / 4);
        assertThat(met)
                .as("everything was met")
                .allSatisfy((_, times) -> assertThat(times).isPositive());
        assertThat(rejected).isGreaterThan(RUNS);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 10})
    void aSeedIsARun(long seed) throws InterruptedException {
        assertThat(run(seed).digests()).isEqualTo(run(seed).digests());
    }

    private static Simulation run(long seed) throws InterruptedException {
        try {
            return new Simulation(seed).run(seed % 10 == 0 ? MANY_STEPS : STEPS);
        } catch (AssertionError | RuntimeException | IOException e) {
            throw new AssertionError("simulation seed " + seed + ": " + e.getMessage(), e);
        }
    }
}
