package io.tarpon.cli.command;

import io.tarpon.cli.CommandFailure;
import io.tarpon.cli.Context;
import io.tarpon.cli.disk.SourceFolder;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;

/// A source as a person names it: a folder of this machine, or a bucket.
final class SourceArgument {
    private SourceArgument() {}

    /// The source reference for ingest-fn. A folder that is named here may be read from now on.
    static String ref(Context context, String argument) {
        if (argument.startsWith("s3://")) {
            return argument;
        }
        if (argument.isBlank()) {
            throw CommandFailure.usage("the source is empty", "name a folder or s3://bucket/prefix");
        }
        var folder = SourceFolder.check(path(argument));
        context.state().allowSource(folder);
        var uri = folder.toUri().toString();
        return uri.endsWith("/") ? uri.substring(0, uri.length() - 1) : uri;
    }

    private static Path path(String argument) {
        try {
            return Path.of(argument);
        } catch (InvalidPathException e) {
            throw CommandFailure.usage("'" + argument + "' is no path: " + e.getReason(), "name a folder");
        }
    }
}
