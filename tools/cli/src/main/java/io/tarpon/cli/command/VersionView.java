package io.tarpon.cli.command;

import io.tarpon.cluster.console.Console;
import io.tarpon.cluster.console.Sizes;
import io.tarpon.cluster.console.Table;
import io.tarpon.wire.gateway.VersionDocument;
import java.util.stream.Collectors;

/// One version, for people.
final class VersionView {
    private VersionView() {}

    static void show(Console console, VersionDocument version) {
        console.heading(version.dataset() + "@" + version.version() + "  " + version.state());
        if (version.reason() != null) {
            console.line("reason: " + version.reason());
        }
        console.line(inputs(version));
        var table = new Table("SPLIT", ">SAMPLES", ">SHARDS", ">BYTES", "FIELDS");
        for (var split : version.splits()) {
            table.row(
                    split.name(),
                    split.samples(),
                    split.shards(),
                    Sizes.human(split.bytes()),
                    String.join(",", split.fields().keySet()));
        }
        console.table(table);
    }

    /// `found 10 = 8 members (1 renamed) + 2 left out (1 dot-file, 1 no-extension)`.
    static String inputs(VersionDocument version) {
        var inputs = version.inputs();
        var leftOut = inputs.found() - inputs.members();
        var reasons = inputs.leftOut().entrySet().stream()
                .map(entry -> entry.getValue() + " " + entry.getKey())
                .collect(Collectors.joining(", "));
        return "found " + inputs.found() + " = " + inputs.members() + " members"
                + (inputs.renamed() > 0 ? " (" + inputs.renamed() + " renamed)" : "") + " + " + leftOut + " left out"
                + (leftOut > 0 ? " (" + reasons + ")" : "");
    }
}
