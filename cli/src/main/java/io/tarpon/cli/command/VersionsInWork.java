package io.tarpon.cli.command;

import io.tarpon.cli.Context;
import io.tarpon.cli.console.Table;
import io.tarpon.wire.client.MetadataClient;
import io.tarpon.wire.http.TarponException;
import io.tarpon.wire.metadata.SplitRecord;
import java.io.IOException;
import java.net.URI;

/// The versions that are being planned or built.
final class VersionsInWork {
    private VersionsInWork() {}

    static void show(Context context) {
        var table = new Table("VERSION IN WORK", "STATE", ">SHARDS SEALED", ">SHARDS");
        int shown = 0;
        try (var metadata =
                MetadataClient.readOnly(URI.create(context.cluster().running().metadata()))) {
            for (var dataset : metadata.datasets().datasets()) {
                for (var version : dataset.versions()) {
                    if (!version.state().isEnd()) {
                        var splits = version.splits();
                        table.row(
                                version.dataset() + "@" + version.version(),
                                version.state().wireName(),
                                splits.stream()
                                        .mapToInt(SplitRecord::sealedShards)
                                        .sum(),
                                splits.stream().mapToInt(SplitRecord::shards).sum());
                        shown++;
                    }
                }
            }
        } catch (IOException | TarponException e) {
            context.console().note("versions in work are not known: " + e.getMessage());
        }
        if (shown > 0) {
            context.console().line("");
            context.console().table(table);
        }
    }
}
