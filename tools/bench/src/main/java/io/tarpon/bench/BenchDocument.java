package io.tarpon.bench;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// `tarpon bench --json` (contracts section 6).
///
/// @param versions of what was run; null for a reference that is not installed
/// @param failed benchmarks that were asked for and have no rows, or not all of them
public record BenchDocument(
        Machine machine, Map<String, @Nullable String> versions, List<BenchRow> rows, List<Failure> failed) {
    public BenchDocument {
        versions = Collections.unmodifiableMap(new LinkedHashMap<>(versions));
        rows = List.copyOf(rows);
        failed = List.copyOf(failed);
    }

    /// A benchmark by its name, and why it failed.
    public record Failure(String name, String reason) {}

    /// Where it was run.
    ///
    /// @param congestionControl of TCP on the path between servers and client
    /// @param ownNamespace whether servers and client were alone in a network namespace
    /// @param load of the machine when the run began, averaged over a minute
    /// @param warnings why the figures may mean less than they should
    public record Machine(
            int cores,
            String cpu,
            long memoryBytes,
            String kernel,
            String congestionControl,
            boolean ownNamespace,
            double load,
            List<String> warnings) {
        public Machine {
            warnings = List.copyOf(warnings);
        }
    }
}
