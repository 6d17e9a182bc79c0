package io.tarpon.bench;

import io.tarpon.cluster.CommandFailure;
import io.tarpon.cluster.console.Console;
import io.tarpon.wire.http.TarponException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/// What was measured, and what could not be: a benchmark that fails, in whatever way, costs only its own rows.
final class Figures {
    private final Console console;
    private final Set<String> selected;
    private final List<BenchRow> rows = new ArrayList<>();
    private final List<BenchDocument.Failure> failed = new ArrayList<>();

    /// @param selected names of the benchmarks that were asked for
    Figures(Console console, Set<String> selected) {
        this.console = console;
        this.selected = selected;
    }

    interface Measuring {
        void run() throws IOException;
    }

    /// Does nothing where none of `names` was asked for. Whoever was interrupted goes on with nothing.
    void measure(Set<String> names, Measuring benchmarks) {
        var wanted = names.stream().filter(selected::contains).sorted().toList();
        if (wanted.isEmpty()) {
            return;
        }
        try {
            benchmarks.run();
        } catch (IOException | RuntimeException e) {
            if (Thread.currentThread().isInterrupted()) {
                throw CommandFailure.failed("interrupted", "");
            }
            wanted.forEach(name -> failed.add(new BenchDocument.Failure(name, reason(e))));
            console.error(String.join(", ", wanted) + ": " + reason(e), "");
        }
    }

    /// What failed in an expected way says so itself; of a fault of ours the kind counts, too.
    private static String reason(Exception e) {
        var message = e.getMessage();
        var expected = e instanceof CommandFailure
                || e instanceof IOException
                || e instanceof UncheckedIOException
                || e instanceof TarponException;
        return expected && message != null ? message : e.toString();
    }

    void add(List<BenchRow> measured) {
        rows.addAll(measured);
    }

    List<BenchRow> rows() {
        return List.copyOf(rows);
    }

    List<BenchDocument.Failure> failed() {
        return List.copyOf(failed);
    }
}
