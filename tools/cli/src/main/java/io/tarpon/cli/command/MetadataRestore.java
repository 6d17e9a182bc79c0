package io.tarpon.cli.command;

import io.tarpon.cluster.CommandFailure;
import io.tarpon.cluster.Context;
import io.tarpon.cluster.console.Console;
import io.tarpon.cluster.console.Sizes;
import io.tarpon.cluster.plan.LogPlace;
import java.nio.file.Path;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/// Begins the metadata of a cluster that has none with a snapshot of another one.
@Command(
        name = "restore",
        description = "Begin the metadata of a cluster that is down, and has none, with a snapshot. The log goes on "
                + "after it, as another one than the snapshot was of.")
public final class MetadataRestore extends TarponCommand {
    @Parameters(
            paramLabel = "FILE",
            description = "As 'snapshot' wrote it: store/metadata/snapshot-REVISION in the state folder, or fetched "
                    + "from the bucket.")
    private Path file = Path.of("");

    /// @param revision of the snapshot
    /// @param entries keys with their values
    private record Answer(String log, long revision, long entries, long bytes) {}

    @Override
    int run(Context context) {
        var shape = context.state().shape();
        if (shape.log() == LogPlace.KAFKA) {
            throw CommandFailure.failed(
                    "this cluster keeps its metadata log in Kafka, and a snapshot is restored onto a disk",
                    "set TARPON_HOME to a new folder, restore there, then: ./tarpon metadata move kafka --replicas "
                            + shape.metadataReplicas());
        }
        var restored = context.cluster()
                .runAlone("restoring", List.of("restore", file.toAbsolutePath().toString()), shape);
        show(
                context.console(),
                new Answer(
                        shape.log().toString(),
                        restored.number("revision"),
                        restored.number("entries"),
                        restored.number("bytes")));
        return 0;
    }

    private static void show(Console console, Answer answer) {
        console.document(answer);
        console.line("restored revision " + answer.revision() + ": " + answer.entries() + " entries, "
                + Sizes.human(answer.bytes()));
        console.note(
                "next: ./tarpon up, then ./tarpon metadata snapshot, for what there is of this log is on one disk");
    }
}
