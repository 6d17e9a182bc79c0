package io.tarpon.cli.command;

import io.tarpon.cli.Context;
import io.tarpon.cli.console.Sizes;
import io.tarpon.cli.console.Table;
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
        var listing = version.splits().stream()
                .flatMap(split -> gateway.shards(version.dataset(), version.version(), split.name()).stream()
                        .map(shard -> new SplitShard(split.name(), shard)))
                .toList();
        context.console().document(listing);
        var table = new Table("SPLIT", "SHARD", ">SAMPLES", ">BYTES", ">BLOCKS", "SHA-256");
        for (var line : listing) {
            var digest = line.shard().sha256();
            table.row(
                    line.split(),
                    line.shard().name(),
                    line.shard().samples(),
                    Sizes.human(line.shard().bytes()),
                    line.shard().blocks().size(),
                    digest == null ? "-" : digest);
        }
        context.console().table(table);
    }

    /// One shard with the split it belongs to.
    private record SplitShard(String split, io.tarpon.wire.gateway.ShardsDocument.Shard shard) {}
}
