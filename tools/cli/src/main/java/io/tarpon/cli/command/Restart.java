package io.tarpon.cli.command;

import io.tarpon.cluster.Context;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/// Stops one process and starts it again.
@Command(name = "restart", description = "Stop one process of the cluster and start it again.")
public final class Restart extends TarponCommand {
    @Parameters(paramLabel = "NAME", description = "A name that 'tarpon status' shows, such as block-svc-1.")
    private String name = "";

    @Override
    int run(Context context) {
        var member = context.cluster().restart(name).member();
        context.console().done(name + " runs again, pid " + member.pid());
        StatusView.show(context.console(), context.cluster().status());
        return 0;
    }
}
