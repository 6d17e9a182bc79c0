package io.tarpon.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tarpon.cluster.CommandFailure;
import io.tarpon.cluster.console.Console;
import io.tarpon.wire.http.ProblemType;
import io.tarpon.wire.http.TarponException;
import io.tarpon.wire.json.Json;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class FiguresTest {
    private static final BenchRow ROW = BenchRow.of("read/hot", "GiB/s", 2, 1.0, "nginx", null, null);

    private final ByteArrayOutputStream err = new ByteArrayOutputStream();
    private final Figures figures = new Figures(
            new Console(
                    new PrintStream(OutputStream.nullOutputStream()),
                    new PrintStream(err, true, StandardCharsets.UTF_8),
                    false,
                    true),
            Set.of("read/hot", "read/slow", "ingest/s3"));

    @Test
    void aBenchmarkThatFailsInAnyWayCostsOnlyItsOwnRows() {
        figures.measure(Set.of("read/slow"), () -> {
            throw new UncheckedIOException("cannot read CPU times", new IOException("gone"));
        });
        figures.measure(Set.of("read/hot"), () -> figures.add(List.of(ROW)));
        figures.measure(Set.of("ingest/s3"), () -> {
            throw new TarponException(ProblemType.CONFLICT, "taken");
        });
        assertThat(figures.rows()).containsExactly(ROW);
        assertThat(figures.failed())
                .containsExactly(
                        new BenchDocument.Failure("read/slow", "cannot read CPU times"),
                        new BenchDocument.Failure("ingest/s3", "taken"));
        assertThat(err.toString(StandardCharsets.UTF_8)).contains("read/slow").contains("taken");
    }

    @Test
    void whatFailsForSeveralBenchmarksIsSaidOfEachThatWasAskedFor() {
        figures.measure(Set.of("read/hot", "read/slow", "read/cold"), () -> {
            throw new IllegalStateException("no lab");
        });
        assertThat(figures.failed())
                .containsExactly(
                        new BenchDocument.Failure("read/hot", "java.lang.IllegalStateException: no lab"),
                        new BenchDocument.Failure("read/slow", "java.lang.IllegalStateException: no lab"));
    }

    @Test
    void whatWasNotAskedForIsNotRun() {
        figures.measure(Set.of("read/cold"), () -> {
            throw new IOException("not asked for");
        });
        assertThat(figures.failed()).isEmpty();
    }

    @Test
    void whoeverWasInterruptedGoesOnWithNothing() {
        try {
            assertThatThrownBy(() -> figures.measure(Set.of("read/hot"), () -> {
                        Thread.currentThread().interrupt();
                        throw new IOException("closed");
                    }))
                    .isInstanceOf(CommandFailure.class)
                    .hasMessage("interrupted");
        } finally {
            assertThat(Thread.interrupted()).isTrue();
        }
    }

    @Test
    void failuresStandInTheDocumentAndInTheView() throws IOException {
        var machine = new BenchDocument.Machine(2, "cpu", 1, "6", "cubic", true, 0, List.of());
        var document = new BenchDocument(
                machine, Map.of(), List.of(ROW), List.of(new BenchDocument.Failure("read/slow", "none served")));
        var json = Json.MAPPER.readTree(Json.bytes(document)).get("failed").get(0);
        assertThat(json.get("name").asText()).isEqualTo("read/slow");
        assertThat(json.get("reason").asText()).isEqualTo("none served");
        assertThat(BenchView.failures(document)).singleElement().asString().contains("read/slow: none served");
    }
}
