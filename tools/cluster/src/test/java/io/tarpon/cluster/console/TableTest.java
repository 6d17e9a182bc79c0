package io.tarpon.cluster.console;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class TableTest {
    @Test
    void columnsAlignAndNoLineEndsInSpaces() {
        var table = new Table("NAME", ">BYTES", "URL").row("a", 7, "http://x").row("longer-name", 1234567, "-");
        assertThat(table.lines())
                .containsExactly(
                        "NAME           BYTES  URL", //
                        "a                  7  http://x",
                        "longer-name  1234567  -");
    }

    @Test
    void aRowHasOneCellForEachColumn() {
        assertThatThrownBy(() -> new Table("A", "B").row("only one")).hasMessageContaining("1 cells for 2 columns");
    }

    @Test
    void aControlCharacterInACellIsShownAndCountsForTheWidth() {
        var lines = new Table("NAME", "X")
                .row("a\u001b[31mb", "1")
                .row("plain", "2")
                .lines();
        assertThat(lines.get(1)).isEqualTo("a\\x1b[31mb  1");
        assertThat(lines.get(2)).isEqualTo("plain       2");
    }
}
