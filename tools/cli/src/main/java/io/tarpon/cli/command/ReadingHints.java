package io.tarpon.cli.command;

import io.tarpon.cluster.console.Console;
import io.tarpon.wire.gateway.VersionDocument;

/// How to read a version: lines to paste into a shell and into a training script.
final class ReadingHints {
    private ReadingHints() {}

    static void show(Console console, String gateway, VersionDocument version, boolean staysUp) {
        var split = version.splits().getFirst();
        var base = "/d/" + version.dataset() + "/" + version.version() + "/" + split.name();
        var last = String.format(java.util.Locale.ROOT, "%06d", split.shards() - 1);
        var shards = split.shards() == 1 ? "shard-000000.tar" : "shard-{000000.." + last + "}.tar";
        console.line("");
        console.heading(staysUp ? "Read it:" : "While a cluster is up ('./tarpon demo' without --once), read it:");
        console.line("  " + gateway + base + "/shard-000000.tar");
        console.line("");
        console.line("  curl -s " + gateway + base + "/shard-000000.tar | tar -t | head");
        console.line("");
        console.line("  export TARPON_URL=" + gateway);
        console.line("  python3 - <<'PY'    # needs: pip install webdataset");
        console.line("  import os, webdataset as wds");
        console.line("  urls = os.environ['TARPON_URL'] + '" + base + "/" + shards + "'");
        console.line("  print(sum(1 for sample in wds.WebDataset(urls, shardshuffle=False)), 'samples')");
        console.line("  PY");
        if (staysUp) {
            console.line("");
            console.line("The cluster stays up. Stop it with: ./tarpon down");
        }
    }
}
