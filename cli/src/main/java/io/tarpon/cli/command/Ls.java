package io.tarpon.cli.command;

import io.tarpon.cli.Context;
import io.tarpon.cli.console.Sizes;
import io.tarpon.cli.console.Table;
import io.tarpon.wire.gateway.ShardsDocument;
import java.util.ArrayList;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/// Lists datasets and versions, or the shards of one version.
@Command(name = "ls", description = "List datasets and versions, or the shards of one version.")
public final class Ls extends TarponCommand {
    @Parameters(arity = "0..1", paramLabel = "DATASET[@v]", description = "Show the shards of this version.")
    private Optional<String> ref = Optional.empty();

    @Override
    int run(Context context) {
        ref.map(DatasetRef::parse).ifPresentOrElse(wanted -> shards(context, wanted), () -> datasets(context));
        return 0;
    }

    private static void datasets(Context context) {
        var document = context.gateway().datasets();
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
