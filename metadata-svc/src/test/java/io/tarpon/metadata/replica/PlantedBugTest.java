package io.tarpon.metadata.replica;

import static org.assertj.core.api.Assertions.assertThat;

import io.tarpon.metadata.entry.Entity;
import java.io.IOException;
import java.util.Arrays;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/// The simulation finds what it is for, within few seeds: each guard that is forgotten, and each of the mistakes that
/// a log of several appenders invites. The same seeds without a bug are clean.
class PlantedBugTest {
    private static final int SEEDS = 24;
    private static final int STEPS = 100;

    /// Every kind that there is but two. That of the log is there for a level after this one: who gives a log its
    /// id names none, and is rejected for that once it has one. That of pages takes three plans of one version at
    /// once; `PlanPagesTest` has a last entry without it.
    static Stream<Class<?>> guards() {
        return Arrays.stream(Entity.class.getPermittedSubclasses())
                .filter(kind -> !kind.equals(Entity.Log.class) && !kind.equals(Entity.Pages.class));
    }

    @ParameterizedTest
    @MethodSource("guards")
    void aForgottenGuardIsFound(Class<? extends Entity> kind) throws IOException, InterruptedException {
        assertThat(isFound(Plants.without(kind))).isTrue();
    }

    @Test
    void aSecondDeliveryThatIsAppliedIsFound() throws IOException, InterruptedException {
        assertThat(isFound(Plants.appliedTwice())).isTrue();
    }

    static Stream<Arguments> mistakes() {
        return Stream.of(
                Arguments.of("a refusal without a barrier", Plants.withoutBarrier()),
                Arguments.of("a doubt is taken for success", Plants.doubtIsSuccess()),
                Arguments.of("a doubt is taken for failure", Plants.doubtIsFailure()),
                Arguments.of("an outcome is ignored", Plants.outcomeIsIgnored()));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("mistakes")
    void aMistakeIsFound(String name, Plant plant) throws IOException, InterruptedException {
        assertThat(isFound(plant)).isTrue();
    }

    /// Nobody looks into the log.
    @ParameterizedTest(name = "{0}")
    @MethodSource("mistakes")
    void aMistakeIsFoundInWhatClientsWereAnsweredAlone(String name, Plant plant)
            throws IOException, InterruptedException {
        var seed = 0;
        while (seed < SEEDS && isExplained(seed, plant)) {
            seed++;
        }
        assertThat(seed).isLessThan(SEEDS);
    }

    @Test
    void nothingIsFoundWhereNothingIsPlanted() throws IOException, InterruptedException {
        assertThat(isFound(Plant.NOTHING)).isFalse();
    }

    private static boolean isFound(Plant plant) throws IOException, InterruptedException {
        for (int seed = 0; seed < SEEDS; seed++) {
            try {
                var _ = new Simulation(seed, plant, new Judge()).run(STEPS);
            } catch (AssertionError | IllegalStateException e) {
                if (e instanceof IllegalStateException) {
                    assertThat(e).as("a replica that broke").hasMessageContaining("its guards hold, but");
                }
                System.err.println("planted bug found, seed " + seed + ": "
                        + String.valueOf(e.getMessage()).lines().findFirst().orElse(""));
                return true;
            }
        }
        return false;
    }

    private static boolean isExplained(int seed, Plant plant) throws IOException, InterruptedException {
        try {
            var _ = new Simulation(seed, plant, Judge.blind()).run(STEPS);
            return true;
        } catch (AssertionError e) {
            assertThat(e).hasMessageContaining("no order explains");
            return false;
        } catch (RuntimeException e) {
            // A replica broke: not what is looked for here.
            return true;
        }
    }
}
