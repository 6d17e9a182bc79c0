package io.tarpon.cli.command;

import io.tarpon.cli.CommandFailure;
import io.tarpon.cli.Context;
import picocli.CommandLine.Command;

/// Shows processes, nodes and versions in work.
@Command(name = "status", description = "Show processes, nodes and versions in work.")
public final class Status extends TarponCommand {
    @Override
    int run(Context context) {
        var status = context.cluster().status();
        StatusView.show(context.console(), status);
        if (status.state().equals("down")) {
            return CommandFailure.NOT_RUNNING;
        }
        if (status.processes().stream().anyMatch(process -> process.state().equals("exited"))) {
            context.console().note("start what has exited with: ./tarpon up");
        }
        VersionsInWork.show(context);
        return 0;
    }
}
