package io.tarpon.cli.command;

import io.tarpon.cluster.CommandFailure;
import io.tarpon.wire.gateway.SplitDocument;
import io.tarpon.wire.gateway.VersionDocument;

/// The splits of a version, as a person names them.
final class Splits {
    private Splits() {}

    /// Fails where the version has no such split, naming those it has.
    static void require(VersionDocument version, String split) {
        var names = version.splits().stream().map(SplitDocument::name).toList();
        if (!names.contains(split)) {
            throw CommandFailure.failed(
                    version.dataset() + "@" + version.version() + " has no split '" + split + "'",
                    names.isEmpty()
                            ? "see: ./tarpon show " + version.dataset()
                            : "one of: " + String.join(", ", names));
        }
    }
}
