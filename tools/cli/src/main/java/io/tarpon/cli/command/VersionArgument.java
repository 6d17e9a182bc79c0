package io.tarpon.cli.command;

import io.tarpon.cluster.CommandFailure;
import io.tarpon.wire.VersionId;

/// Versions that a command changes are named, not guessed.
final class VersionArgument {
    private VersionArgument() {}

    /// `demo@v1`, both named.
    static DatasetRef required(String text, String command) {
        var ref = DatasetRef.parse(text);
        if (ref.version().equals("latest")) {
            throw CommandFailure.usage(
                    "'" + text + "' does not say which version",
                    "name it: ./tarpon " + command + " " + ref.dataset() + "@v1");
        }
        return ref;
    }

    static VersionId version(DatasetRef ref) {
        return VersionId.parse(ref.version());
    }
}
