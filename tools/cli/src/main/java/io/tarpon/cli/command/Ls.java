package io.tarpon.cli.command;

import io.tarpon.cluster.Context;
import io.tarpon.cluster.console.Sizes;
import io.tarpon.cluster.console.Table;
import io.tarpon.wire.gateway.DatasetsDocument;
import io.tarpon.wire.gateway.ShardsDocument;
import io.tarpon.wire.metadata.VersionState;
import java.util.ArrayList;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// Lists datasets and versions, or the shards of one version.
@Command(name = "ls", description = "List datasets and versions, or the shards of one version.")
public final class Ls extends TarponCommand {
    private static final String REMOVED = VersionState.REMOVED.wireName();

    @Parameters(arity = "0..1", paramLabel = "DATASET[@v]", description = "Show the shards of this version.")
    private Optional<String> ref = Optional.empty();

    @Option(names = "--all", description = "Show datasets of which every version was removed, too.")
    private boolean all;

    @Override
    int run(Context context) {
        ref.map(DatasetRef::parse).ifPresentOrElse(wanted -> shards(context, wanted), () -> datasets(context));
        return 0;
    }

    private void datasets(Context context) {
        var document = shown(context.gateway().datasets());
        context.console().document(document);
        if (document.datasets().isEmpty()) {
            context.console().note("no dataset yet; make one with: ./tarpon ingest DIR --dataset NAME");
            return;
        }
        var table = new Table("DATASET", "VERSION", "STATE", ">SAMPLES", ">BYTES");
        for (var dataset : document.datasets()) {
            for (var version : dataset.versions()) {
                table.row(
                        dataset.dataset(),
                        version.version(),
                        version.state(),
                        version.samples(),
                        Sizes.human(version.bytes()));
            }
        }
        context.console().table(table);
    }

    /// A dataset of which nothing is left is not worth a line, unless it is asked for.
    private DatasetsDocument shown(DatasetsDocument document) {
        return all
                ? document
                : new DatasetsDocument(document.datasets().stream()
                        .filter(dataset -> dataset.versions().isEmpty()
                                || dataset.versions().stream()
                                        .anyMatch(version -> !version.state().equals(REMOVED)))
                        .toList());
    }

    private static void shards(Context context, DatasetRef wanted) {
        var gateway = context.gateway();
        var version = gateway.version(wanted.dataset().value(), wanted.version());
        var all = new ArrayList<ShardsDocument.Shard>();
        var table = new Table("SPLIT", "SHARD", ">SAMPLES", ">BYTES", ">BLOCKS", "SHA-256");
        for (var split : version.splits()) {
            for (var shard : gateway.shards(version.dataset(), version.version(), split.name())) {
                all.add(shard);
                var digest = shard.sha256();
                table.row(
                        split.name(),
                        shard.name(),
                        shard.samples(),
                        Sizes.human(shard.bytes()),
                        shard.blocks().size(),
                        digest == null ? "-" : digest);
            }
        }
        context.console().document(new ShardsDocument(all, null));
        if (all.isEmpty()) {
            context.console()
                    .note(version.dataset() + "@" + version.version() + " is " + version.state()
                            + ", it has no shards");
        } else {
            context.console().table(table);
        }
    }
}
