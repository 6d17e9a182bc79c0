package io.tarpon.cli.command;

import io.tarpon.cluster.Context;
import java.util.Map;
import picocli.CommandLine.Command;

/// Stops the local cluster; its data stay.
@Command(name = "down", description = "Stop the local cluster. Data stay in the state folder.")
public final class Down extends TarponCommand {
    @Override
    int run(Context context) {
        var stopped = context.cluster().down();
        var console = context.console();
        console.document(Map.of("state", "down", "stopped", stopped));
        console.line(stopped == 0 ? "nothing was running" : "stopped " + stopped + " processes");
        return 0;
    }
}
