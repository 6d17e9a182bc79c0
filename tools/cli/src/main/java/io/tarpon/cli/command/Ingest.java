package io.tarpon.cli.command;

import io.tarpon.cluster.CommandFailure;
import io.tarpon.cluster.Context;
import io.tarpon.cluster.IngestRun;
import io.tarpon.cluster.console.Sizes;
import io.tarpon.wire.DatasetName;
import io.tarpon.wire.event.DatasetUploaded;
import io.tarpon.wire.event.DatasetUploaded.SpecOverrides;
import io.tarpon.wire.gateway.VersionDocument;
import io.tarpon.wire.metadata.DatasetSpec;
import io.tarpon.wire.metadata.VersionRecord;
import io.tarpon.wire.metadata.VersionState;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// Makes one dataset version of a folder or a bucket.
@Command(name = "ingest", description = "Make one dataset version of a folder or a bucket.")
public final class Ingest extends TarponCommand {
    @Parameters(paramLabel = "DIR|s3://bucket/prefix", description = "Where the raw files are.")
    private String source = "";

    @Option(names = "--dataset", required = true, paramLabel = "NAME", description = "[a-z0-9][a-z0-9_-]{0,62}")
    private String dataset = "";

    @Option(names = "--splits", paramLabel = "S", description = "auto (default), none, or shares: train=0.9,val=0.1")
    private @Nullable String splits;

    @Option(names = "--shard-size", paramLabel = "SIZE", description = "Aim for shards of this size (256MiB).")
    private Optional<String> shardSize = Optional.empty();

    @Option(
            names = "--shards-multiple-of",
            paramLabel = "N",
            description = "Make the number of shards a multiple of N.")
    private @Nullable Integer shardsMultipleOf;

    @Option(names = "--seed", paramLabel = "N", description = "Seed of the order of samples (0).")
    private @Nullable Long seed;

    @Option(names = "--grow", description = "Keep the shards of the latest version where their inputs are unchanged.")
    private boolean grow;

    @Option(names = "--force", description = "Make a new version even if nothing changed.")
    private boolean force;

    @Option(names = "--no-wait", description = "Return when the version is begun.")
    private boolean noWait;

    @Override
    int run(Context context) {
        var roster = context.cluster().running();
        var request = request(context);
        var version = noWait ? IngestRun.begin(context, roster, request) : IngestRun.follow(context, roster, request);
        var document = VersionDocument.of(version);
        context.console().document(document);
        VersionView.show(context.console(), document);
        if (hasFailed(version)) {
            context.console().error(failure(document), "change the source or the options it names, then run it again");
            return CommandFailure.FAILED;
        }
        return 0;
    }

    /// An end without a sealed version.
    private static boolean hasFailed(VersionRecord version) {
        return version.state() == VersionState.FAILED || version.state() == VersionState.REMOVED;
    }

    static String failure(VersionDocument version) {
        return version.dataset() + "@" + version.version() + " " + version.state()
                + (version.reason() == null ? "" : ": " + version.reason());
    }

    private DatasetUploaded request(Context context) {
        try {
            var overrides = new SpecOverrides(
                    splits, shardBytes(), shardsMultipleOf, seed, null, grow ? Boolean.TRUE : null, null);
            // Numbers out of range are found here, before a folder is opened to the functions.
            var name = new DatasetName(dataset);
            new DatasetUploaded("checked", name, overrides, force).over(DatasetSpec.of("checked"));
            return new DatasetUploaded(SourceArgument.ref(context, source), name, overrides, force);
        } catch (IllegalArgumentException e) {
            throw CommandFailure.usage(String.valueOf(e.getMessage()), "see: ./tarpon ingest --help");
        }
    }

    private @Nullable Long shardBytes() {
        return shardSize
                .map(text -> Sizes.parse(text)
                        .orElseThrow(() -> CommandFailure.usage(
                                "--shard-size '" + text + "' is not a size", "write it as 256MiB or 1GiB")))
                .orElse(null);
    }
}
