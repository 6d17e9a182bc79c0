package io.tarpon.cli.command;

import io.tarpon.cluster.CommandFailure;
import io.tarpon.cluster.Context;
import io.tarpon.cluster.plan.ClusterShape;
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

    @Option(
            names = "--metadata-replicas",
            paramLabel = "N",
            description = "Processes of metadata-svc, 1 to " + ClusterShape.MOST_METADATA_REPLICAS
                    + ": one keeps its log on its own disk (default), several share one in Kafka, and any of them may"
                    + " die. From then on 'metadata move' carries the log.")
    private @Nullable Integer metadataReplicas;

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
        cluster.awaitNodes(cluster.up(shape(context.state().shape())));
        StatusView.show(context.console(), cluster.status());
        return 0;
    }

    private ClusterShape shape(ClusterShape before) {
        var shape = store == null ? before : before.withStore(store);
        try {
            return metadataReplicas == null ? shape : shape.withMetadataReplicas(metadataReplicas);
        } catch (IllegalArgumentException e) {
            throw CommandFailure.usage(String.valueOf(e.getMessage()), "try: --metadata-replicas 3");
        }
    }
}
