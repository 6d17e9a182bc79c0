package io.tarpon.store;

import io.tarpon.store.directory.DirectorySource;
import io.tarpon.store.s3.Bucket;
import io.tarpon.store.s3.S3Source;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/// Opens what a source reference names, if configuration allows it: nothing else is ever opened or dialled.
///
/// A reference is the id of a configured source, `file:///folder` (percent-encoded) in an allowed folder, or
/// `s3://bucket/prefix` below a configured source's prefix. Safe for several threads; holds one client for each
/// configured bucket.
public final class Sources implements AutoCloseable {
    private final Map<String, Path> folders = new TreeMap<>();
    private final Map<String, Bucket> buckets = new TreeMap<>();
    private final AllowedFolders allowed;

    /// @throws IllegalArgumentException naming the key whose value is missing or out of bounds
    public Sources(SourcesConfig config) {
        config.sources().forEach((id, source) -> add("tarpon.sources." + id, id, source));
        var roots = new ArrayList<>(folders.values());
        for (String root : config.directoryRoots().orElseGet(List::of)) {
            roots.add(AbsolutePaths.require(AllowedFolders.ROOTS, root));
        }
        Optional<Path> rootsFile =
                config.directoryRootsFile().map(file -> AbsolutePaths.require(AllowedFolders.ROOTS_FILE, file));
        this.allowed = new AllowedFolders(roots, rootsFile);
    }

    /// The source; whether it is there shows when it is read, except that a `file:///` folder must exist. Closing it
    /// closes nothing that others use.
    ///
    /// @throws UnknownSourceException when configuration does not allow it
    public ObjectSource open(String reference) throws IOException {
        return switch (SourceReference.parse(reference)) {
            case SourceReference.Configured(var id) -> configured(reference, id);
            case SourceReference.Folder(var path) -> new DirectorySource(allowed.resolve(reference, path));
            case SourceReference.Objects(var bucket, var prefix) ->
                new S3Source(bucket(reference, bucket, prefix).at(prefix));
        };
    }

    /// The one spelling of an allowed reference: an id as it is; a folder with its links resolved, percent-encoded,
    /// without a `/` at the end; a prefix with one.
    ///
    /// @throws UnknownSourceException as [#open]
    public String normalise(String reference) throws IOException {
        return switch (SourceReference.parse(reference)) {
            case SourceReference.Configured(var id) -> {
                configured(reference, id).close();
                yield id;
            }
            case SourceReference.Folder(var path) -> {
                String uri = allowed.resolve(reference, path).toUri().toString();
                yield uri.endsWith("/") ? uri.substring(0, uri.length() - 1) : uri;
            }
            case SourceReference.Objects(var bucket, var prefix) ->
                bucket(reference, bucket, prefix).at(prefix).toString();
        };
    }

    @Override
    public void close() {
        buckets.values().forEach(Bucket::close);
    }

    private void add(String configKey, String id, SourceConfig source) {
        if (!SourceReference.ID.matcher(id).matches()) {
            throw new IllegalArgumentException(configKey + ": an id must match " + SourceReference.ID);
        }
        switch (source.kind()) {
            case DIRECTORY ->
                folders.put(
                        id,
                        AbsolutePaths.require(configKey + ".root", source.root().orElse("")));
            case S3 -> buckets.put(id, Bucket.open(configKey, source));
        }
    }

    private ObjectSource configured(String reference, String id) throws UnknownSourceException {
        Path folder = folders.get(id);
        if (folder != null) {
            return new DirectorySource(folder);
        }
        Bucket bucket = buckets.get(id);
        if (bucket != null) {
            return new S3Source(bucket);
        }
        throw new UnknownSourceException(
                reference, "no source of that id is configured; set tarpon.sources." + id + ".kind");
    }

    /// The configured bucket with the longest prefix that holds the reference's.
    private Bucket bucket(String reference, String name, String prefix) throws UnknownSourceException {
        var holding = buckets.entrySet().stream()
                .filter(entry -> entry.getValue().holds(name, prefix))
                .sorted(Comparator.comparingInt(
                        entry -> -entry.getValue().prefix().length()))
                .toList();
        if (holding.isEmpty()) {
            throw new UnknownSourceException(
                    reference, "no source with that bucket and prefix is configured; set tarpon.sources.<id>.bucket");
        }
        Bucket nearest = holding.getFirst().getValue();
        if (holding.size() > 1 && holding.get(1).getValue().prefix().equals(nearest.prefix())) {
            throw new UnknownSourceException(
                    reference,
                    "sources " + holding.getFirst().getKey() + " and "
                            + holding.get(1).getKey() + " both hold it; name one by its id");
        }
        return nearest;
    }
}
