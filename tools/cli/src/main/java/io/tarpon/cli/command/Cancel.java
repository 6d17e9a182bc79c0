package io.tarpon.cli.command;

import io.tarpon.cluster.Context;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/// Ends a version that is being planned or built; it has failed then, with reason `cancelled`.
@Command(name = "cancel", description = "End a version that is being planned or built.")
public final class Cancel extends TarponCommand {
    private static final String REASON = "cancelled";

    @Parameters(paramLabel = "DATASET@v", description = "A version in work.")
    private String ref = "";

    @Override
    int run(Context context) {
        var wanted = VersionArgument.required(ref, "cancel");
        try (var metadata = context.metadata(context.cluster().running())) {
            var version = metadata.fail(wanted.dataset(), VersionArgument.version(wanted), REASON);
            var console = context.console();
            console.document(LifeResult.cancelled(version));
            console.line(wanted.dataset() + "@" + version.version() + " is cancelled; what there is of it goes with: "
                    + "./tarpon rm " + ref + ", or on with: ./tarpon retry " + ref);
            return 0;
        }
    }
}
