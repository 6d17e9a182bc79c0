package io.tarpon.cluster.console;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class ConsoleTest {
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    private Console console(boolean json, boolean quiet) {
        return new Console(
                new PrintStream(out, true, StandardCharsets.UTF_8),
                new PrintStream(err, true, StandardCharsets.UTF_8),
                json,
                quiet);
    }

    @Test
    void ordinaryNamesStayAsTheyAre() {
        assertThat(Visible.text("café/日本/🐟 a\tb")).isEqualTo("café/日本/🐟 a\tb");
    }

    @Test
    void whatWouldActOnATerminalIsSpeltOut() {
        assertThat(Visible.text("a\u001b[2Jb\rc\nd\u007f\u009be")).isEqualTo("a\\x1b[2Jb\\x0dc\\x0ad\\x7f\\x9be");
        assertThat(Visible.text("txt.\u202egpj")).isEqualTo("txt.\\u202egpj");
        assertThat(Visible.text("half\ud800")).isEqualTo("half\\ud800");
    }

    @Test
    void noWayThroughTheConsoleLetsAControlCharacterPass() {
        var console = console(false, false);
        var evil = "x\u001b]0;y\u0007";
        console.line(evil);
        console.heading(evil);
        console.note(evil);
        console.done(evil);
        console.error(evil, evil);
        console.table(new Table("A").row(evil));
        assertThat(out.toString(StandardCharsets.UTF_8) + err.toString(StandardCharsets.UTF_8))
                .contains("\\x1b")
                .doesNotContain("\u001b", "\u0007");
    }

    @Test
    void withJsonStandardOutputHoldsTheDocumentOnly() {
        var console = console(true, false);
        console.line("a line");
        console.heading("a heading");
        console.table(new Table("A").row("cell"));
        console.done("done");
        console.document(java.util.Map.of("a", 1));
        assertThat(out.toString(StandardCharsets.UTF_8).replaceAll("\\s", "")).isEqualTo("{\"a\":1}");
        assertThat(err.toString(StandardCharsets.UTF_8)).contains("done").doesNotContain("\u001b");
    }

    @Test
    void quietLeavesErrorsAndTheResult() {
        var console = console(false, true);
        console.line("result");
        console.note("note");
        console.done("done");
        try (var progress = console.progress("task", 4)) {
            progress.at(4, "all");
        }
        console.error("failed", "do this");
        assertThat(out.toString(StandardCharsets.UTF_8)).isEqualTo("result\n");
        assertThat(err.toString(StandardCharsets.UTF_8)).isEqualTo("tarpon: failed\n  next: do this\n");
    }

    @Test
    void progressThatIsPipedIsAFewLinesWithoutColours() {
        try (var progress = console(false, false).progress("verifying", Long.MAX_VALUE)) {
            for (long done = 0; done <= 1000; done++) {
                progress.at(Long.MAX_VALUE / 1000 * done, "x");
            }
        }
        assertThat(err.toString(StandardCharsets.UTF_8).lines())
                .hasSizeBetween(3, 4)
                .allSatisfy(line -> assertThat(line).matches("verifying [0-9]+ % x"));
    }
}
