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
        VersionsInWork.show(context);
        return 0;
    }
}
