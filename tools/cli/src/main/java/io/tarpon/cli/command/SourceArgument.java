package io.tarpon.cli.command;

import io.tarpon.cli.disk.SourceFolder;
import io.tarpon.cluster.CommandFailure;
import io.tarpon.cluster.Context;
import io.tarpon.cluster.plan.Storage;
import io.tarpon.cluster.plan.StoreKind;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;

/// A source as a person names it: a folder of this machine, or a bucket.
final class SourceArgument {
    private SourceArgument() {}

    private static final String S3 = "s3://";

    /// The source reference for ingest-fn. A folder that is named here may be read from now on.
    static String ref(Context context, String argument) {
        if (argument.startsWith(S3)) {
            return inBucket(context, argument);
        }
        if (argument.isBlank()) {
            throw CommandFailure.usage("the source is empty", "name a folder or s3://bucket/prefix");
        }
        var folder = SourceFolder.check(path(argument));
        context.state().allowSource(folder);
        var uri = folder.toUri().toString();
        return uri.endsWith("/") ? uri.substring(0, uri.length() - 1) : uri;
    }

    /// Only the bucket of this cluster's own S3 server is configured as a source.
    private static String inBucket(Context context, String argument) {
        if (context.state().storeKind() != StoreKind.S3) {
            throw CommandFailure.failed(
                    "this cluster has no S3 server, so it cannot read " + argument,
                    "start one that has, with another TARPON_HOME: ./tarpon up --store s3");
        }
        var bucket = argument.substring(S3.length()).split("/", 2)[0];
        if (!bucket.equals(Storage.RAW_BUCKET)) {
            throw CommandFailure.failed(
                    "the bucket '" + bucket + "' is no source of this cluster",
                    "put the files into its bucket and name them s3://" + Storage.RAW_BUCKET + "/folder");
        }
        return argument;
    }

    private static Path path(String argument) {
        try {
            return Path.of(argument);
        } catch (InvalidPathException e) {
            throw CommandFailure.usage("'" + argument + "' is no path: " + e.getReason(), "name a folder");
        }
    }
}
