package io.tarpon.cli.command;

import io.tarpon.cluster.Context;
import io.tarpon.wire.gateway.SplitDocument;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/// Prints the shard URLs of a version, one a line.
@Command(name = "url", description = "Print the shard URLs of a version, one a line.")
public final class Url extends TarponCommand {
    @Parameters(index = "0", paramLabel = "DATASET[@v]", description = "The latest sealed version unless one is named.")
    private String ref = "";

    @Parameters(index = "1", arity = "0..1", paramLabel = "SPLIT", description = "Only this split.")
    private Optional<String> split = Optional.empty();

    @Override
    int run(Context context) {
        var wanted = DatasetRef.parse(ref);
        var gateway = context.gateway();
        var version = gateway.version(wanted.dataset().value(), wanted.version());
        split.ifPresent(name -> Splits.require(version, name));
        var urls = version.splits().stream()
                .map(SplitDocument::name)
                .filter(name -> split.isEmpty() || split.get().equals(name))
                .flatMap(name -> gateway.shards(version.dataset(), version.version(), name).stream())
                .map(shard -> shard.url())
                .toList();
        context.console().document(urls);
        urls.forEach(context.console()::line);
        return 0;
    }
}
