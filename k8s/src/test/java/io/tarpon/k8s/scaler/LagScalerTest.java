package io.tarpon.k8s.scaler;

import static org.assertj.core.api.Assertions.assertThat;

import io.tarpon.k8s.scaler.Pace.Step;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class LagScalerTest {
    private static final Duration COOLDOWN = Duration.ofMinutes(10);
    private static final Duration WINDOW = Duration.ofMinutes(5);
    private static final Duration SYNC = Limits.USUAL_SYNCING;
    private static final Pace HALF_A_MINUTE = new Pace(WINDOW, List.of(new Step(50, true, Duration.ofMinutes(1))));
    private static final Limits LIMITS =
            new Limits(0, 24, Duration.ofSeconds(10), SYNC, COOLDOWN, Pace.USUAL_UP, HALF_A_MINUTE);
    private static final Signal NOTHING = new Signal(0, 2, false);

    private final LagScaler scaler = new LagScaler(LIMITS);
    private Instant now = Instant.EPOCH;

    private static Signal lag(long messages) {
        return new Signal(messages, 2, messages > 0);
    }

    /// What the HPA makes of it, at each of its looks.
    private List<Integer> synced(int replicas, int looks, Signal... signals) {
        var seen = new ArrayList<Integer>();
        var current = replicas;
        for (int i = 0; i < looks; i++) {
            now = now.plus(SYNC);
            current = scaler.sync(now, current, List.of(signals));
            seen.add(current);
        }
        return seen;
    }

    @Test
    void kedaWakesOneHoweverMuchWaitsAndTheHpaLeavesZeroAlone() {
        assertThat(scaler.sync(now, 0, List.of(lag(40)))).isZero();
        assertThat(scaler.poll(now, 0, List.of(lag(40)))).isEqualTo(1);
        assertThat(scaler.poll(now, 0, List.of(NOTHING))).isZero();
    }

    @Test
    void theHpaRoundsUpAndAddsFourPodsOrAsManyAsThereAreInFifteenSeconds() {
        assertThat(synced(1, 1, lag(5))).containsExactly(3);
        assertThat(synced(3, 3, lag(41))).containsExactly(7, 14, 21);
    }

    @Test
    void lessThanATenthMoreThanItsShareMovesNobody() {
        assertThat(synced(10, 1, lag(21))).containsExactly(10);
        assertThat(synced(10, 1, lag(23))).containsExactly(12);
    }

    @Test
    void theTriggerThatWantsMostCounts() {
        assertThat(synced(1, 1, lag(3), Signal.cron(4, true))).containsExactly(4);
        assertThat(synced(4, 1, lag(10), Signal.cron(4, true))).containsExactly(5);
        assertThat(scaler.poll(now, 0, List.of(NOTHING, Signal.cron(4, true)))).isEqualTo(1);
        assertThat(scaler.poll(now, 0, List.of(NOTHING, Signal.cron(4, false)))).isZero();
    }

    @Test
    void noLagMakesMoreThanTheMost() {
        assertThat(synced(1, 4, lag(1_000))).containsExactly(5, 10, 20, 24);
    }

    @Test
    void whatWasWantedWithinTheWindowIsKeptAndThenHalfGoEachMinute() {
        var looksOfAWindow = (int) WINDOW.dividedBy(SYNC);
        assertThat(synced(8, 1, lag(16))).containsExactly(8);
        assertThat(synced(8, looksOfAWindow - 1, NOTHING, Signal.cron(1, false)))
                .containsOnly(8);
        assertThat(synced(8, 13, NOTHING, Signal.cron(1, false)))
                .containsExactly(4, 4, 4, 4, 2, 2, 2, 2, 1, 1, 1, 1, 1);
    }

    @Test
    void zeroComesACooldownAfterTheLastLagAndFromAnyNumber() {
        assertThat(scaler.poll(now, 3, List.of(lag(1)))).isEqualTo(3);
        assertThat(scaler.poll(now.plus(COOLDOWN), 3, List.of(NOTHING))).isEqualTo(3);
        assertThat(scaler.poll(now.plus(COOLDOWN), 3, List.of(lag(1)))).isEqualTo(3);
        var late = now.plus(COOLDOWN.multipliedBy(2));
        assertThat(scaler.poll(late, 3, List.of(NOTHING))).isEqualTo(3);
        assertThat(scaler.poll(late.plusMillis(1), 3, List.of(NOTHING))).isZero();
    }

    @Test
    void withALeastNobodyGoesToZero() {
        var two = new LagScaler(new Limits(2, 4, SYNC, SYNC, COOLDOWN, Pace.USUAL_UP, Pace.USUAL_DOWN));
        assertThat(two.poll(now, 0, List.of(NOTHING))).isEqualTo(2);
        assertThat(two.poll(now, 0, List.of(lag(9)))).isEqualTo(2);
        assertThat(two.poll(now.plus(COOLDOWN).plus(COOLDOWN), 2, List.of(NOTHING)))
                .isEqualTo(2);
        assertThat(two.sync(now, 1, List.of(NOTHING))).isEqualTo(2);
    }

    @Test
    void shorterTimesAreTheSameFigures() {
        var shorter = LIMITS.dividedBy(60);
        assertThat(shorter.cooldown()).isEqualTo(Duration.ofSeconds(10));
        assertThat(shorter.syncing()).isEqualTo(Duration.ofMillis(250));
        assertThat(shorter.down().window()).isEqualTo(Duration.ofSeconds(5));
        assertThat(shorter.down().steps()).containsExactly(new Step(50, true, Duration.ofSeconds(1)));
        assertThat(shorter.most()).isEqualTo(LIMITS.most());
    }
}
