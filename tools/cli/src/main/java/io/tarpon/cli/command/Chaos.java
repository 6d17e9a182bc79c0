package io.tarpon.cli.command;

import io.tarpon.chaos.ChaosRun;
import io.tarpon.chaos.MetadataTrial;
import io.tarpon.chaos.Trial;
import io.tarpon.chaos.TrialResult;
import io.tarpon.cli.disk.ThrowAwayFolder;
import io.tarpon.cluster.CommandFailure;
import io.tarpon.cluster.Context;
import io.tarpon.cluster.Interruption;
import io.tarpon.cluster.plan.ClusterShape;
import io.tarpon.cluster.plan.Roster;
import io.tarpon.cluster.plan.StoreKind;
import java.security.SecureRandom;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/// Kills, pauses and restarts processes under ingests and readers, and checks what must hold.
@Command(
        name = "chaos",
        description =
                "Kill, pause and restart processes at random under ingests and readers, then check what must hold.")
public final class Chaos extends TarponCommand {
    private static final int MAX_MINUTES = 24 * 60;

    /// Processes of each function in a cluster of its own: partitions move between them when one dies and comes back.
    private static final int FUNCTIONS = 2;

    private static final int REPLICAS = 3;

    @Option(names = "--minutes", required = true, paramLabel = "N", description = "How long the trouble goes on.")
    private int minutes;

    @Option(names = "--seed", paramLabel = "S", description = "Decides faults, folders and reads (random).")
    private @Nullable Long seed;

    @Option(names = "--here", description = "On the cluster that runs, not on one of its own that is thrown away.")
    private boolean here;

    @Option(
            names = "--store",
            paramLabel = "directory|s3",
            description = "Where a cluster of its own keeps its objects: a folder (default), or a local S3 server.")
    private @Nullable StoreKind store;

    @Option(
            names = "--target",
            paramLabel = "metadata",
            description = "Strike only the broker and the replicas of metadata-svc, three in a cluster of its own,"
                    + " under commands; in the end the replicas must agree on all that was acknowledged.")
    private @Nullable ChaosTarget target;

    @Override
    int run(Context context) {
        if (minutes < 1 || minutes > MAX_MINUTES) {
            throw CommandFailure.usage(
                    "--minutes " + minutes + " is not between 1 and " + MAX_MINUTES, "try: --minutes 3");
        }
        if (here && store != null) {
            throw CommandFailure.usage("--here takes the cluster as it is, with its store", "leave --store away");
        }
        var number = seed;
        var chosen = number == null ? new SecureRandom().nextLong(Long.MAX_VALUE) : number;
        context.console().note("seed " + chosen);
        try (var interruption = Interruption.open()) {
            return here ? onThisCluster(context, chosen, interruption) : onItsOwn(context, chosen, interruption);
        }
    }

    private int onThisCluster(Context context, long chosen, Interruption interruption) {
        var cluster = context.cluster();
        cluster.running();
        var roster = cluster.up();
        cluster.awaitNodes(roster);
        var run = trial(context, roster, chosen);
        try {
            return show(context, run.run());
        } finally {
            interruption.calm();
            cluster.running().members().forEach(member -> cluster.resume(member.name()));
            cluster.up();
            context.console().note("to remove what the run leaves behind:");
            run.leave().forEach(command -> context.console().note("  " + command));
        }
    }

    /// The folder stays where something was wrong, for its logs.
    private int onItsOwn(Context context, long chosen, Interruption interruption) {
        var folder = ThrowAwayFolder.make("tarpon-chaos");
        var own = context.at(folder);
        var cluster = own.cluster();
        boolean good = false;
        try {
            var shape = shape(own.state().shape());
            var roster = cluster.up(store == null ? shape : shape.withStore(store));
            cluster.awaitNodes(roster);
            var result = trial(own, roster, chosen).run();
            good = result.isGood();
            return show(context, result);
        } finally {
            interruption.calm();
            cluster.down();
            if (good) {
                ThrowAwayFolder.delete(folder);
            } else {
                context.console().note("its state folder stays, with the logs: " + folder);
            }
        }
    }

    private ClusterShape shape(ClusterShape before) {
        return target == ChaosTarget.METADATA ? before.withMetadataReplicas(REPLICAS) : before.withFunctions(FUNCTIONS);
    }

    private Trial trial(Context context, Roster roster, long chosen) {
        var time = Duration.ofMinutes(minutes);
        return target == ChaosTarget.METADATA
                ? new MetadataTrial(context, roster, chosen, time)
                : new ChaosRun(context, roster, chosen, time);
    }

    private static int show(Context context, TrialResult result) {
        context.console().document(result);
        ChaosView.show(context.console(), result);
        return result.isGood() ? 0 : CommandFailure.FAILED;
    }
}
