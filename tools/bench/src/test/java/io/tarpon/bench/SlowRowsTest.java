package io.tarpon.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import org.junit.jupiter.api.Test;

class SlowRowsTest {
    @Test
    void oneInAHundredReadersMayBeMissingAndNoMore() {
        assertThatCode(() -> SlowRows.requireServed(4, 6)).doesNotThrowAnyException();
        assertThatThrownBy(() -> SlowRows.requireServed(4, 7))
                .isInstanceOf(IOException.class)
                .hasMessageContainingAll("1000", " 4 ", " 7 ");
        assertThatThrownBy(() -> SlowRows.requireServed(0, 1_000)).isInstanceOf(IOException.class);
        assertThatThrownBy(() -> SlowRows.requireServed(11, 0)).isInstanceOf(IOException.class);
    }

    @Test
    void aPeakThatCannotBeToldIsNoFigure() throws IOException {
        assertThat(SlowRows.peakMebibytes(ProcessHandle.current().pid())).isPositive();
        assertThatThrownBy(() -> SlowRows.peakMebibytes(0))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("cannot be told");
    }
}
