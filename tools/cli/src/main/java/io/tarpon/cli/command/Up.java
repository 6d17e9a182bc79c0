package io.tarpon.cli.command;

import io.tarpon.cluster.Context;
import io.tarpon.cluster.plan.StoreKind;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/// Starts the local cluster, or finds the one that runs.
@Command(name = "up", description = "Start the local cluster; a second 'up' finds the first.")
public final class Up extends TarponCommand {
    @Option(
            names = "--store",
            paramLabel = "directory|s3",
            description = "Where objects are kept: a folder (default), or a local S3 server. Chosen once.")
    private @Nullable StoreKind store;

    @Override
    int run(Context context) {
        var cluster = context.cluster();
        var otherwise = cluster.plannedOtherwise().stream()
                .map(member -> member.name() + " (" + member.form() + ")")
                .toList();
        if (!otherwise.isEmpty()) {
            context.console()
                    .note("as they were first started: " + String.join(", ", otherwise)
                            + "; './tarpon down', then 'up', starts them in the form that is asked for now");
        }
        cluster.awaitNodes(store == null ? cluster.up() : cluster.up(store));
        StatusView.show(context.console(), cluster.status());
        return 0;
    }
}
