package io.tarpon.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;

class TimesTest {
    @Test
    void aPercentileIsTheTimeOfTheNearestRank() throws IOException {
        // 200 ms down to 1 ms.
        var times = Times.of(200, number -> (200 - number) * 1_000_000L);
        assertThat(times.millis(0.5)).isEqualTo(100);
        assertThat(times.millis(0.99)).isEqualTo(198);
        assertThat(times.millis(1)).isEqualTo(200);
        assertThat(times.millis(0.001)).isEqualTo(1);
    }

    @Test
    void oneRequestIsEveryPercentile() {
        var times = new Times(7_500_000);
        assertThat(times.millis(0.5)).isEqualTo(7.5);
        assertThat(times.millis(0.99)).isEqualTo(7.5);
    }

    @Test
    void noRequestsHaveNoTimes() {
        assertThatThrownBy(Times::new).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void rowsHaveTheMedianOfTheRoundsAndTheGoalOfTheFirst() {
        var series = new TimesSeries(List.of(new Times(1_000_000), new Times(9_000_000), new Times(4_000_000)));
        var rows = series.rows("epoch/resume/new", ", 10 samples", Goal.atMost(Goal.Figure.TARPON, 5));
        assertThat(rows).extracting(BenchRow::name).containsExactly("epoch/resume/new", "epoch/resume/new/p99");
        assertThat(rows).extracting(BenchRow::unit).containsExactly("ms p50, 10 samples", "ms p99, 10 samples");
        assertThat(rows).extracting(BenchRow::tarpon).containsExactly(4.0, 4.0);
        assertThat(rows).extracting(BenchRow::met).containsExactly(true, null);
    }
}
