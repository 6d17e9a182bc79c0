package io.tarpon.bench;

import io.tarpon.cluster.console.Sizes;
import io.tarpon.cluster.console.Table;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// The figures as people read them: where they were taken, then a line each.
final class BenchView {
    private static final String NOTHING = "-";

    private BenchView() {}

    static List<String> header(BenchDocument document) {
        var machine = document.machine();
        var lines = new ArrayList<String>();
        lines.add("machine   " + machine.cores() + " cores, " + machine.cpu() + ", "
                + Sizes.human(machine.memoryBytes()) + ", kernel " + machine.kernel() + ", load " + machine.load());
        lines.add("network   " + machine.congestionControl()
                + (machine.ownNamespace() ? ", in a namespace of its own" : ", the host's own loopback"));
        lines.add("versions  "
                + document.versions().entrySet().stream()
                        .map(BenchView::version)
                        .collect(Collectors.joining(", ")));
        machine.warnings().forEach(warning -> lines.add("WARNING   " + warning));
        return lines;
    }

    private static String version(Map.Entry<String, @Nullable String> program) {
        return program.getKey() + " " + (program.getValue() == null ? "absent" : program.getValue());
    }

    static Table table(List<BenchRow> rows) {
        var table = new Table("ROW", "UNIT", ">TARPON", ">REFERENCE", "WHAT", ">RATIO", ">CPU RATIO", "GOAL", "MET");
        for (var row : rows) {
            table.row(
                    row.name(),
                    row.unit(),
                    number(row.tarpon()),
                    number(row.reference()),
                    row.referenceName() == null ? NOTHING : row.referenceName(),
                    number(row.ratio()),
                    number(row.cpuRatio()),
                    row.goal() == null ? NOTHING : row.goal(),
                    row.met() == null ? NOTHING : row.met() ? "yes" : "NO");
        }
        return table;
    }

    static List<String> failures(BenchDocument document) {
        return document.failed().stream()
                .map(failure -> "FAILED    " + failure.name() + ": " + failure.reason())
                .toList();
    }

    private static String number(@Nullable Double value) {
        return value == null
                ? NOTHING
                : BigDecimal.valueOf(value).stripTrailingZeros().toPlainString();
    }
}
