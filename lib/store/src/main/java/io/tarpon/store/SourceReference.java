package io.tarpon.store;

import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.regex.Pattern;

/// What a source reference says, before anything is looked up.
sealed interface SourceReference {
    /// Ids of configured sources.
    Pattern ID = Pattern.compile("[a-z0-9][a-z0-9_-]{0,62}");

    /// A configured source.
    record Configured(String id) implements SourceReference {}

    /// `file:///…`, percent-encoded.
    record Folder(Path path) implements SourceReference {}

    /// `s3://bucket/prefix`, taken as it is; the prefix means a folder and so ends in `/` or is empty.
    record Objects(String bucket, String prefix) implements SourceReference {}

    static SourceReference parse(String reference) throws UnknownSourceException {
        if (ID.matcher(reference).matches()) {
            return new Configured(reference);
        }
        if (reference.startsWith("s3://")) {
            return objects(reference);
        }
        if (reference.startsWith("file:")) {
            return folder(reference);
        }
        throw new UnknownSourceException(
                reference, "name a configured source, or write file:///folder or s3://bucket/prefix");
    }

    private static SourceReference objects(String reference) throws UnknownSourceException {
        String rest = reference.substring("s3://".length());
        int slash = rest.indexOf('/');
        String bucket = slash < 0 ? rest : rest.substring(0, slash);
        String prefix = slash < 0 ? "" : rest.substring(slash + 1);
        if (bucket.isEmpty()) {
            throw new UnknownSourceException(reference, "it names no bucket; write s3://bucket/prefix");
        }
        return new Objects(bucket, prefix.isEmpty() || prefix.endsWith("/") ? prefix : prefix + "/");
    }

    private static SourceReference folder(String reference) throws UnknownSourceException {
        try {
            return new Folder(Path.of(new URI(reference)).normalize());
        } catch (URISyntaxException | IllegalArgumentException e) {
            var unknown = new UnknownSourceException(
                    reference, "write the folder's absolute path percent-encoded, as file:///data/my%20photos");
            unknown.initCause(e);
            throw unknown;
        }
    }
}
