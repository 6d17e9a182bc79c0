package io.tarpon.cli.command;

import io.tarpon.cluster.CommandFailure;
import io.tarpon.cluster.Context;
import picocli.CommandLine.Command;

/// Shows processes, nodes and versions in work.
@Command(name = "status", description = "Show processes, nodes and versions in work.")
public final class Status extends TarponCommand {
    @Override
    int run(Context context) {
        var console = context.console();
        var status = context.cluster().status();
        if (status.state().equals("down")) {
            StatusView.show(console, status);
            return CommandFailure.NOT_RUNNING;
        }
        var roster = context.cluster().running();
        var document = new StatusDocument(
                status.state(),
                status.gateway(),
                status.processes(),
                status.nodes(),
                Work.versions(roster.metadata()).orElse(null),
                Work.lag(context, roster),
                Work.letters(context, roster).orElse(null));
        console.document(document);
        StatusView.tables(console, status);
        if (status.processes().stream().anyMatch(process -> process.state().equals("exited"))) {
            console.note("start what has exited with: ./tarpon up");
        }
        WorkView.show(console, document);
        return 0;
    }
}
