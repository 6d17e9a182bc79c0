package io.tarpon.cli.command;

import io.tarpon.cluster.CommandFailure;
import io.tarpon.cluster.Context;
import io.tarpon.cluster.client.Metadata;
import io.tarpon.cluster.console.Console;
import io.tarpon.wire.metadata.VersionRecord;
import io.tarpon.wire.metadata.VersionState;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/// Takes a version, or a dataset with all its versions, from its readers. The bytes go with `gc`.
@Command(name = "rm", description = "Remove a version, or a dataset with all its versions; 'gc' frees the space.")
public final class Rm extends TarponCommand {
    @Parameters(
            paramLabel = "DATASET[@v]",
            description = "A version; without one, the whole dataset: on a terminal it asks.")
    private String ref = "";

    @Override
    int run(Context context) {
        var wanted = DatasetRef.parse(ref);
        var console = context.console();
        if (namesVersion()) {
            VersionArgument.required(ref, "rm");
        }
        try (var metadata = context.metadata(context.cluster().running())) {
            if (!namesVersion() && console.canAsk() && !confirmed(console, metadata, wanted)) {
                console.note("nothing was removed");
                return CommandFailure.FAILED;
            }
            var removed = namesVersion() ? one(metadata, wanted) : all(metadata, wanted);
            console.document(LifeResult.removed(removed));
            console.line(removed.isEmpty() ? ref + " was removed before" : "removed " + names(removed));
            if (!removed.isEmpty()) {
                console.note("free its space with: ./tarpon gc");
            }
            return 0;
        }
    }

    private boolean namesVersion() {
        return ref.indexOf('@') >= 0;
    }

    /// A version that was forgotten must not cost all of them where somebody can be asked.
    private static boolean confirmed(Console console, Metadata metadata, DatasetRef wanted) {
        var versions = living(metadata, wanted).size();
        return console.confirms(
                "remove " + wanted.dataset() + " with all " + versions + (versions == 1 ? " version?" : " versions?"));
    }

    private static List<VersionRecord> one(Metadata metadata, DatasetRef wanted) {
        var version = VersionArgument.version(wanted);
        var before = metadata.version(wanted.dataset(), version).state();
        var removed = metadata.remove(wanted.dataset(), version);
        return before == VersionState.REMOVED ? List.of() : List.of(removed);
    }

    private static List<VersionRecord> all(Metadata metadata, DatasetRef wanted) {
        var before = living(metadata, wanted);
        metadata.remove(wanted.dataset());
        return before;
    }

    private static List<VersionRecord> living(Metadata metadata, DatasetRef wanted) {
        return metadata.dataset(wanted.dataset()).versions().stream()
                .filter(version -> version.state() != VersionState.REMOVED)
                .toList();
    }

    private static String names(List<VersionRecord> versions) {
        return String.join(
                ", ",
                versions.stream()
                        .map(version -> version.dataset() + "@" + version.version())
                        .toList());
    }
}
