package io.tarpon.store;

import io.tarpon.store.directory.DirectorySource;
import io.tarpon.store.s3.Bucket;
import io.tarpon.store.s3.S3Source;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jboss.logging.Logger;

/// Opens what a source reference names, if configuration allows it: nothing else is ever opened or dialled.
///
/// A reference is the id of a configured source, `file:///folder` (percent-encoded) in an allowed folder, or
/// `s3://bucket/prefix` below a configured source's prefix. Safe for several threads; holds one client for each
/// configured bucket.
public final class Sources implements AutoCloseable {
    private static final Logger LOG = Logger.getLogger(Sources.class);

    private final Map<String, Path> folders = new TreeMap<>();
    private final Map<String, Bucket> buckets = new TreeMap<>();
    private final AllowedFolders allowed;

    /// @throws IllegalArgumentException naming the key whose value is missing or out of bounds
    public Sources(SourcesConfig config) {
        config.sources().forEach((id, source) -> add("tarpon.sources." + id, id, source));
        warnOfTies();
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

    /// The s3 source that holds the object of that (decoded) key and bucket name, as a notification gives them: of
    /// several the one with the longest prefix. Empty when none does, and when two hold it equally, since the
    /// notification does not say whose it is (each such pair is logged at start). Nothing is dialled.
    public Optional<ConfiguredObject> locate(String bucket, String objectKey) {
        List<Map.Entry<String, Bucket>> holding = holding(bucket, objectKey);
        if (holding.isEmpty() || isTied(holding)) {
            return Optional.empty();
        }
        int prefixLength = holding.getFirst().getValue().prefix().length();
        return objectKey.length() == prefixLength
                ? Optional.empty()
                : Optional.of(new ConfiguredObject(holding.getFirst().getKey(), objectKey.substring(prefixLength)));
    }

    /// The reference, `s3://bucket/prefix…`, of what lies below a prefix inside a configured s3 source: for the marker
    /// `birds/_SUCCESS` that [#locate] found in `raw`, `reference("raw", "birds/")` is the dataset's source.
    ///
    /// @param relativePrefix ends in `/`, or is empty for the whole source
    /// @throws UnknownSourceException when there is no s3 source of that id
    public String reference(String id, String relativePrefix) throws UnknownSourceException {
        if (!relativePrefix.isEmpty() && !relativePrefix.endsWith("/")) {
            throw new IllegalArgumentException("a prefix inside a source ends in /: " + relativePrefix);
        }
        Bucket bucket = s3(id);
        return bucket.at(bucket.prefix() + relativePrefix).toString();
    }

    private Bucket s3(String id) throws UnknownSourceException {
        Bucket bucket = buckets.get(id);
        if (bucket == null) {
            throw new UnknownSourceException(id, "no s3 source of that id is configured");
        }
        return bucket;
    }

    /// Whether some configured s3 source lies in the bucket of that name.
    public boolean isConfigured(String bucket) {
        return buckets.values().stream().anyMatch(held -> held.holds(bucket, held.prefix()));
    }

    /// The ids of the configured s3 sources.
    public List<String> s3() {
        return List.copyOf(buckets.keySet());
    }

    /// What the server says now about an object that [#locate] found; empty when it is not there.
    ///
    /// @throws IOException when the server cannot be asked
    public Optional<ObjectStamp> stamp(ConfiguredObject object) throws IOException {
        try (var source = new S3Source(s3(object.source()))) {
            return source.stamp(object.key());
        }
    }

    /// The names of the folders directly below an s3 source's prefix, in order; of more than `most` the first ones.
    ///
    /// @param after of these only those that come behind that one; empty for all
    ///
    /// @throws IOException when the server cannot be asked
    public List<String> folders(String id, String after, int most) throws IOException {
        try (var source = new S3Source(s3(id))) {
            return source.folders(after, most);
        }
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
        List<Map.Entry<String, Bucket>> holding = holding(name, prefix);
        if (holding.isEmpty()) {
            throw new UnknownSourceException(
                    reference, "no source with that bucket and prefix is configured; set tarpon.sources.<id>.bucket");
        }
        if (isTied(holding)) {
            throw new UnknownSourceException(
                    reference,
                    "sources " + holding.getFirst().getKey() + " and "
                            + holding.get(1).getKey() + " both hold it; name one by its id");
        }
        return holding.getFirst().getValue();
    }

    /// The nearest first.
    private List<Map.Entry<String, Bucket>> holding(String bucket, String keyOrPrefix) {
        return buckets.entrySet().stream()
                .filter(entry -> entry.getValue().holds(bucket, keyOrPrefix))
                .sorted(Comparator.comparingInt(
                        entry -> -entry.getValue().prefix().length()))
                .toList();
    }

    private static boolean isTied(List<Map.Entry<String, Bucket>> holding) {
        return holding.size() > 1
                && holding.get(0)
                        .getValue()
                        .prefix()
                        .equals(holding.get(1).getValue().prefix());
    }

    private void warnOfTies() {
        var seen = new HashMap<String, String>();
        buckets.forEach((id, bucket) -> {
            String twin = seen.putIfAbsent(bucket.toString(), id);
            if (twin != null) {
                LOG.warnf(
                        "two sources hold the same prefix, name them by id only sources=%s,%s place=%s",
                        twin, id, bucket);
            }
        });
    }
}
