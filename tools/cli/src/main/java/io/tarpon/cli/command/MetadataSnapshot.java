package io.tarpon.cli.command;

import io.tarpon.cluster.Context;
import io.tarpon.cluster.console.Sizes;
import picocli.CommandLine.Command;

/// Writes all that metadata-svc knows into the object store.
@Command(
        name = "snapshot",
        description = "Write all that metadata-svc knows into the object store, and cut its log behind the snapshot "
                + "before.")
public final class MetadataSnapshot extends TarponCommand {
    @Override
    int run(Context context) {
        try (var metadata = context.metadata(context.cluster().running())) {
            var written = metadata.takeSnapshot();
            context.console().document(written);
            context.console()
                    .line(written.name() + " of revision " + written.revision() + ": " + written.entries()
                            + " entries, " + Sizes.human(written.bytes()));
            return 0;
        }
    }
}
