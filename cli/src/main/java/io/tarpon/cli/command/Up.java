package io.tarpon.cli.command;

import io.tarpon.cli.Context;
import picocli.CommandLine.Command;

/// Starts the local cluster, or finds the one that runs.
@Command(name = "up", description = "Start the local cluster; a second 'up' finds the first.")
public final class Up extends TarponCommand {
    @Override
    int run(Context context) {
        var cluster = context.cluster();
        cluster.awaitNodes(cluster.up());
        StatusView.show(context.console(), cluster.status());
        return 0;
    }
}
