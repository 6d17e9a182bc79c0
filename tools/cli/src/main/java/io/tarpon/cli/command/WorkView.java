package io.tarpon.cli.command;

import io.tarpon.cluster.console.Ages;
import io.tarpon.cluster.console.Console;
import io.tarpon.cluster.console.Sizes;
import io.tarpon.cluster.console.Table;
import java.time.Instant;

/// What a cluster has to do, for people: nothing where it has nothing to do.
final class WorkView {
    /// A shard takes seconds; the alert for versions that stand begins later.
    private static final long LONG_SECONDS = 300;

    private WorkView() {}

    static void show(Console console, StatusDocument status) {
        var versions = status.versions();
        if (versions == null) {
            console.note("versions in work are not known: metadata-svc does not answer");
        } else if (!versions.isEmpty()) {
            var table = new Table("VERSION IN WORK", "STATE", "SEALED", ">SHARDS", ">BYTES", ">STILL FOR");
            for (var version : versions) {
                table.row(
                        version.dataset() + "@" + version.version(),
                        version.state(),
                        console.share(version.sealedBytes(), version.bytes()),
                        version.sealedShards() + " of " + version.shards(),
                        Sizes.human(version.sealedBytes()) + " of " + Sizes.human(version.bytes()),
                        Ages.between(Instant.EPOCH, Instant.EPOCH.plusSeconds(version.stillSeconds())));
            }
            console.line("");
            console.table(table);
            if (versions.getFirst().stillSeconds() >= LONG_SECONDS) {
                console.note(
                        "what has not come on for minutes waits for trouble to pass, or is lost; look at: ./tarpon dlq"
                                + " ls, ./tarpon logs");
            }
        }
        lag(console, status);
        var letters = status.deadLetters();
        if (letters != null && letters.count() > 0) {
            console.line("");
            console.line(
                    letters.count() + (letters.more() ? " or more" : "") + " dead letters wait; see: ./tarpon dlq ls");
        }
    }

    private static void lag(Console console, StatusDocument status) {
        if (status.lag().stream().anyMatch(lag -> lag.records() > 0)) {
            var table = new Table("TOPIC", "GROUP", ">RECORDS THAT WAIT");
            status.lag().forEach(lag -> table.row(lag.topic(), lag.group(), lag.records()));
            console.line("");
            console.table(table);
        }
    }
}
