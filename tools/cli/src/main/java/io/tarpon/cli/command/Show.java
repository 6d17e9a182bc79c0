package io.tarpon.cli.command;

import io.tarpon.cluster.Context;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/// Shows one version.
@Command(name = "show", description = "Show one version: state, inputs, splits.")
public final class Show extends TarponCommand {
    @Parameters(paramLabel = "DATASET[@v]", description = "The latest sealed version unless one is named.")
    private String ref = "";

    @Override
    int run(Context context) {
        var wanted = DatasetRef.parse(ref);
        var version = context.gateway().version(wanted.dataset().value(), wanted.version());
        context.console().document(version);
        VersionView.show(context.console(), version);
        return 0;
    }
}
