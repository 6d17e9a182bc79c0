package io.tarpon.cli.command;

import io.tarpon.cli.GarbageRun;
import io.tarpon.cluster.Context;
import io.tarpon.cluster.console.Console;
import io.tarpon.cluster.console.Sizes;
import io.tarpon.cluster.console.Table;
import io.tarpon.wire.metadata.GarbageReport;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/// Deletes what only removed versions used: objects, blocks, half-done uploads.
@Command(name = "gc", description = "Delete what only removed versions used: objects, blocks, half-done uploads.")
public final class Gc extends TarponCommand {
    @Option(names = "--dry-run", description = "Only show what would be deleted.")
    private boolean dryRun;

    @Override
    int run(Context context) {
        try (var metadata = context.metadata(context.cluster().running())) {
            var garbage = new GarbageRun(metadata, context.console());
            var report = dryRun ? garbage.look() : garbage.collect();
            context.console().document(report);
            show(context.console(), report);
            return 0;
        }
    }

    private static void show(Console console, GarbageReport report) {
        var table = new Table("WHAT", report.dryRun() ? ">WOULD GO" : ">DELETED", ">BYTES");
        table.row("objects", report.objects(), Sizes.human(report.bytes()));
        table.row("blocks", report.blocks(), Sizes.human(report.blockBytes()));
        table.row("half-done uploads", report.uploads(), "-");
        console.table(table);
        if (!report.waiting().isEmpty()) {
            console.line("");
            var waiting = new Table("WAITS", "WHY");
            report.waiting().forEach(each -> waiting.row(each.version().replace('/', '@'), each.why()));
            console.table(waiting);
        }
        if (!report.unreachable().isEmpty()) {
            console.note("blocks stay on " + String.join(", ", report.unreachable())
                    + ", which did not answer, until other blocks need the room");
        }
    }
}
