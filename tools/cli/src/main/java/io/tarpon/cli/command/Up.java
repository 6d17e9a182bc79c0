package io.tarpon.cli.command;

import io.tarpon.cluster.CommandFailure;
import io.tarpon.cluster.Context;
import io.tarpon.cluster.plan.ClusterShape;
import io.tarpon.cluster.plan.Layout;
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

    @Option(
            names = "--nodes",
            paramLabel = "N",
            description =
                    "Block services, each on a host and in a zone of its own, 1 to " + Layout.MOST_NODES + " (3).")
    private @Nullable Integer nodes;

    @Option(
            names = "--gateways",
            paramLabel = "N",
            description = "Gateways, each of which serves everything, 1 to " + Layout.MOST_GATEWAYS + " (1).")
    private @Nullable Integer gateways;

    @Option(
            names = "--netns",
            negatable = true,
            description = "Each process in a network namespace with an address and a link of its own ('tarpon link'"
                    + " changes it); root, on Linux. As the last 'up' had it without this.")
    private @Nullable Boolean netns;

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
            var replicated = metadataReplicas == null ? shape : shape.withMetadataReplicas(metadataReplicas);
            return replicated.withLayout(layout(before.layout()));
        } catch (IllegalArgumentException e) {
            throw CommandFailure.usage(String.valueOf(e.getMessage()), "see: ./tarpon up --help");
        }
    }

    private Layout layout(Layout before) {
        var layout = nodes == null ? before : before.withNodes(nodes);
        layout = gateways == null ? layout : layout.withGateways(gateways);
        return netns == null ? layout : layout.withNetns(netns);
    }
}
