package io.tarpon.cli.command;

import io.tarpon.cluster.CommandFailure;
import io.tarpon.cluster.Context;
import io.tarpon.cluster.console.Console;
import io.tarpon.cluster.console.Sizes;
import io.tarpon.cluster.plan.ClusterShape;
import io.tarpon.cluster.plan.LogPlace;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// Carries the metadata log into Kafka, or back, without losing a revision.
@Command(
        name = "move",
        description = "Carry the metadata log into a topic of the broker, or back onto the disk of one metadata-svc. "
                + "What runs waits meanwhile. A move that was broken off is given again.")
public final class MetadataMove extends TarponCommand {
    @Parameters(paramLabel = "kafka|local", description = "Where the log is to be.")
    private LogPlace place = LogPlace.KAFKA;

    @Option(
            names = "--replicas",
            paramLabel = "N",
            description = "Processes of metadata-svc afterwards, 1 to " + ClusterShape.MOST_METADATA_REPLICAS
                    + ": with 'kafka'; as many as there are unless it is given.")
    private @Nullable Integer replicas;

    /// What there is afterwards, and what this command carried.
    ///
    /// @param revision of the last entry
    /// @param begin revision up to which entries were removed before
    /// @param copied entries; 0 where an earlier move had carried all
    /// @param bytes of these
    private record Answer(String log, int replicas, long revision, long begin, long copied, long bytes) {}

    @Override
    int run(Context context) {
        var after = after(context.state().shape());
        if (!context.state().hasMetadata()) {
            throw CommandFailure.failed(
                    "this cluster has no metadata yet, so there is nothing to move",
                    place == LogPlace.KAFKA
                            ? "begin with a log in Kafka: ./tarpon up --metadata-replicas 3"
                            : "start it: ./tarpon up");
        }
        var moved = context.cluster().run("moving the metadata log", List.of("move", place.toString()), after);
        show(
                context.console(),
                new Answer(
                        place.toString(),
                        after.metadataReplicas(),
                        moved.number("revision"),
                        moved.number("begin"),
                        moved.number("copied"),
                        moved.number("bytes")));
        return 0;
    }

    private ClusterShape after(ClusterShape before) {
        if (place == LogPlace.LOCAL && replicas != null && replicas != 1) {
            throw CommandFailure.usage("only one metadata-svc can have its log on its disk", "leave --replicas away");
        }
        try {
            var moved = before.withLog(place);
            return replicas == null ? moved : moved.withMetadataReplicas(replicas);
        } catch (IllegalArgumentException e) {
            throw CommandFailure.usage(String.valueOf(e.getMessage()), "try: --replicas 3");
        }
    }

    private static void show(Console console, Answer answer) {
        console.document(answer);
        console.line("the metadata log is " + (answer.log().equals("kafka") ? "in Kafka" : "on disk") + " at revision "
                + answer.revision() + ": " + answer.copied() + " entries carried, " + Sizes.human(answer.bytes()));
    }
}
