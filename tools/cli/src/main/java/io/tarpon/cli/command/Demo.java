package io.tarpon.cli.command;

import io.tarpon.cli.VersionCheck;
import io.tarpon.cli.disk.DemoImages;
import io.tarpon.cli.verify.VerifyResult;
import io.tarpon.cluster.CommandFailure;
import io.tarpon.cluster.Context;
import io.tarpon.cluster.IngestRun;
import io.tarpon.cluster.Interruption;
import io.tarpon.cluster.console.Sizes;
import io.tarpon.cluster.plan.Roster;
import io.tarpon.cluster.plan.StoreKind;
import io.tarpon.wire.DatasetName;
import io.tarpon.wire.event.DatasetUploaded;
import io.tarpon.wire.event.DatasetUploaded.SpecOverrides;
import io.tarpon.wire.gateway.VersionDocument;
import io.tarpon.wire.metadata.VersionState;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// The whole of it, once: start, ingest, verify, and how to read.
@Command(
        name = "demo",
        description =
                "Start a local cluster, ingest a folder (or a labelled image set made for it), verify, show how to"
                        + " read.")
public final class Demo extends TarponCommand {
    private static final long DEMO_SHARD_BYTES = 8L << 20;

    @Parameters(arity = "0..1", paramLabel = "DIR", description = "A folder of files; without it an image set is made.")
    private Optional<String> folder = Optional.empty();

    @Option(names = "--once", description = "Stop the cluster at the end, if this command started it.")
    private boolean once;

    @Option(names = "--dataset", paramLabel = "NAME", description = "Name of the dataset (demo).")
    private String dataset = "demo";

    @Option(
            names = "--store",
            paramLabel = "directory|s3",
            description = "Where objects are kept: a folder (default), or a local S3 server. Chosen once.")
    private @Nullable StoreKind store;

    @Override
    int run(Context context) {
        var request = request(context);
        // A cluster that was there before, whole or in part, is not this command's to stop.
        if (!once || context.cluster().isRunning()) {
            return demo(context, request);
        }
        try (var interruption = Interruption.open()) {
            try {
                return demo(context, request);
            } finally {
                interruption.calm();
                context.cluster().down();
            }
        }
    }

    private DatasetUploaded request(Context context) {
        try {
            var name = new DatasetName(dataset);
            if (folder.isPresent()) {
                var overrides = new SpecOverrides(null, null, null, null, null, null, null);
                return new DatasetUploaded(SourceArgument.ref(context, folder.get()), name, overrides, false);
            }
            var images = context.state().paths().demoImages();
            DemoImages.make(images, context.console());
            var overrides = new SpecOverrides(null, DEMO_SHARD_BYTES, null, null, null, null, null);
            return new DatasetUploaded(SourceArgument.ref(context, images.toString()), name, overrides, false);
        } catch (IllegalArgumentException e) {
            throw CommandFailure.usage(String.valueOf(e.getMessage()), "see: ./tarpon demo --help");
        }
    }

    private int demo(Context context, DatasetUploaded request) {
        var console = context.console();
        var watch = new Stopwatch();
        var cluster = context.cluster();
        var shape = context.state().shape();
        var roster = cluster.up(store == null ? shape : shape.withStore(store));
        cluster.awaitNodes(roster);
        var start = watch.lap();
        console.done("cluster up in " + start + " s: " + roster.members().size() + " processes, gateway "
                + roster.gateway());

        var record = IngestRun.follow(context, roster, request);
        var ingest = watch.lap();
        var version = VersionDocument.of(record);
        if (record.state() != VersionState.SEALED) {
            throw CommandFailure.failed(
                    Ingest.failure(version), "change the source or the options it names, then run it again");
        }
        console.done("ingested in " + ingest + " s: " + VersionView.inputs(version));

        var checked = VersionCheck.of(context, roster).run(version, true);
        var verify = watch.lap();
        show(context, roster, version, checked, new DemoResult.Seconds(start, ingest, verify));
        return checked.agrees() ? 0 : CommandFailure.FAILED;
    }

    private void show(
            Context context, Roster roster, VersionDocument version, VerifyResult checked, DemoResult.Seconds seconds) {
        var console = context.console();
        console.done("verified in " + seconds.verify() + " s: " + Sizes.human(checked.bytes()) + " read back");
        console.document(new DemoResult(
                version.dataset(),
                version.version(),
                roster.gateway(),
                version.splits().stream()
                        .map(split ->
                                new DemoResult.Split(split.name(), split.samples(), split.shards(), split.bytes()))
                        .toList(),
                version.inputs(),
                checked.agrees(),
                seconds));
        VersionView.show(console, version);
        Verify.show(console, checked, true);
        ReadingHints.show(console, roster.gateway(), version, !once);
    }

    /// Seconds between calls, to a tenth.
    private static final class Stopwatch {
        private long last = System.nanoTime();

        double lap() {
            var now = System.nanoTime();
            var tenths = Math.round((now - last) / 1e8);
            last = now;
            return tenths / 10.0;
        }
    }
}
