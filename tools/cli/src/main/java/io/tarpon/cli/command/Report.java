package io.tarpon.cli.command;

import io.tarpon.cluster.Context;
import io.tarpon.cluster.console.Table;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/// Shows which inputs were renamed or left out, and why.
@Command(name = "report", description = "Show which inputs were renamed or left out, and why.")
public final class Report extends TarponCommand {
    @Parameters(paramLabel = "DATASET[@v]", description = "The latest sealed version unless one is named.")
    private String ref = "";

    @Override
    int run(Context context) {
        var wanted = DatasetRef.parse(ref);
        var gateway = context.gateway();
        var version = gateway.version(wanted.dataset().value(), wanted.version());
        var lines = gateway.report(version.dataset(), version.version());
        var console = context.console();
        console.document(lines);
        console.line(VersionView.inputs(version));
        if (!lines.isEmpty()) {
            var table = new Table("ACTION", "REASON", "INPUT", "NAME IN SHARD");
            for (var line : lines) {
                var reason = line.reason();
                var name = line.name();
                table.row(line.action(), reason == null ? "-" : reason, line.key(), name == null ? "-" : name);
            }
            console.table(table);
        }
        return 0;
    }
}
