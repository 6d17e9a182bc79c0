package io.tarpon.cli.command;

import io.tarpon.cluster.CommandFailure;
import io.tarpon.cluster.Context;
import io.tarpon.cluster.IngestRun;
import io.tarpon.wire.gateway.VersionDocument;
import io.tarpon.wire.metadata.VersionRecord;
import io.tarpon.wire.metadata.VersionState;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/// Plans and builds a failed version again, under its own number. What of it was sealed and comes out of the new plan
/// the same stays sealed.
@Command(name = "retry", description = "Plan and build a failed version again, from its source as it is now.")
public final class Retry extends TarponCommand {
    @Parameters(paramLabel = "DATASET@v", description = "A version that failed.")
    private String ref = "";

    /// @param version section 2's document
    private record Retried(int retried, VersionDocument version) {}

    @Override
    int run(Context context) {
        var wanted = VersionArgument.required(ref, "retry");
        var roster = context.cluster().running();
        var version = IngestRun.again(context, roster, planning(context, wanted));
        var document = VersionDocument.of(version);
        context.console().document(new Retried(1, document));
        VersionView.show(context.console(), document);
        if (version.state() != VersionState.SEALED) {
            context.console().error(Ingest.failure(document), "change the source, then: ./tarpon retry " + ref);
            return CommandFailure.FAILED;
        }
        return 0;
    }

    /// One that is being planned already had its retry; only the request for it may be missing, which comes next.
    private static VersionRecord planning(Context context, DatasetRef wanted) {
        try (var metadata = context.metadata(context.cluster().running())) {
            var version = metadata.version(wanted.dataset(), VersionArgument.version(wanted));
            return switch (version.state()) {
                case PLANNING -> version;
                case FAILED -> metadata.retry(wanted.dataset(), version.version());
                case BUILDING, SEALED, REMOVED ->
                    throw CommandFailure.failed(
                            wanted.dataset() + "@" + version.version() + " is "
                                    + version.state().wireName() + ", only a failed version is tried again",
                            "see: ./tarpon show " + wanted.dataset() + "@" + version.version());
            };
        }
    }
}
