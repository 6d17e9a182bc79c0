package io.tarpon.block;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class DiskCallsTest {
    private static final long SECOND = Duration.ofSeconds(1).toNanos();
    private static final long START = Long.MAX_VALUE - 5 * SECOND;

    private final DiskCalls calls = new DiskCalls(2 * SECOND, START);
    private final List<String> late = new ArrayList<>();
    private double lookedAt;

    @Test
    void callThatIsAnsweredInTimeIsNeverLate() {
        var call = calls.begun(() -> late.add("a"), at(0));
        lookUntil(1.5);
        calls.answered(call, at(1.6));
        lookUntil(9);
        assertThat(late).isEmpty();
        assertThat(calls.isSilent()).isFalse();
    }

    @Test
    void lateCallIsToldOnceAndMakesTheDiskSilentUntilItAnswers() {
        var call = calls.begun(() -> late.add("a"), at(0));
        lookUntil(2);
        assertThat(calls.isSilent()).isFalse();
        lookUntil(4);
        assertThat(late).containsExactly("a");
        assertThat(calls.isSilent()).isTrue();
        calls.answered(call, at(4.1));
        assertThat(calls.isSilent()).isFalse();
        lookUntil(9);
        assertThat(late).containsExactly("a");
    }

    @Test
    void whoWaitsForATurnIsToldWhenTheDiskFallsSilentAndNotBefore() {
        var _ = calls.begun(() -> late.add("stuck"), at(1));
        var _ = calls.queued(() -> late.add("waits"));
        lookUntil(2.5);
        assertThat(late).isEmpty();
        lookUntil(4);
        assertThat(late).containsExactlyInAnyOrder("stuck", "waits");
    }

    @Test
    void diskThatAnswersOthersIsNotSilent() {
        var _ = calls.begun(() -> late.add("stuck"), at(0));
        var _ = calls.queued(() -> late.add("waits"));
        for (var second = 1; second < 8; second++) {
            calls.answered(calls.begun(() -> late.add("other"), at(second)), at(second + 0.1));
            lookUntil(second + 0.9);
        }
        assertThat(late).containsExactly("stuck");
        assertThat(calls.isSilent()).isFalse();
    }

    @Test
    void timeInWhichNobodyLookedIsHeldAgainstNoDisk() {
        var call = calls.begun(() -> late.add("a"), at(0));
        lookUntil(1);
        // This process stood still for a minute.
        lookedAt = 61;
        calls.look(at(61));
        assertThat(calls.isSilent()).isFalse();
        assertThat(late).isEmpty();
        lookUntil(62);
        calls.answered(call, at(62.1));
        lookUntil(70);
        assertThat(late).isEmpty();
    }

    @Test
    void lookSaysWhetherTheDiskOwesAnAnswer() {
        assertThat(calls.look(at(1))).isFalse();
        var call = calls.begun(() -> late.add("a"), at(1));
        assertThat(calls.look(at(2))).isFalse();
        assertThat(calls.look(at(4))).isTrue();
        calls.answered(call, at(4));
        assertThat(calls.look(at(4.5))).isFalse();
    }

    @Test
    void diskThatFailsRestsLongerEachTimeUntilItSucceeds() {
        var rest = new DiskRest();
        assertThat(rest.isResting(at(0))).isFalse();
        assertThat(rest.failed(at(0))).as("first").isTrue();
        assertThat(rest.isResting(at(0.9))).isTrue();
        assertThat(rest.isResting(at(1))).isFalse();
        assertThat(rest.failed(at(1))).isFalse();
        assertThat(rest.isResting(at(2.9))).isTrue();
        // Failures of the same trouble count once.
        assertThat(rest.failed(at(2))).isFalse();
        assertThat(rest.isResting(at(3))).isFalse();
        for (var failure = 3; failure < 2000; failure += 100) {
            rest.failed(at(failure));
        }
        assertThat(rest.isResting(at(1903 + 59))).isTrue();
        assertThat(rest.isResting(at(1903 + 60))).isFalse();
        rest.succeeded();
        assertThat(rest.isResting(at(1904))).isFalse();
        assertThat(rest.failed(at(1905))).as("first again").isTrue();
        assertThat(rest.isResting(at(1906))).isFalse();
    }

    private void lookUntil(double second) {
        for (; lookedAt <= second; lookedAt += 0.5) {
            calls.look(at(lookedAt));
        }
    }

    private static long at(double second) {
        return START + (long) (second * SECOND);
    }
}
