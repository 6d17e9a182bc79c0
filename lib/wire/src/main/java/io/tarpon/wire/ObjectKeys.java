package io.tarpon.wire;

import java.util.Optional;
import java.util.OptionalLong;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// Where things lie in the object store, below its root (design section 5).
///
/// No key of a shard's is written twice with other bytes: tar and index have the attempt in theirs that wrote them, a
/// plan the beginning of its own digest. Which of those counts, the record says that metadata-svc holds; what no record
/// names is garbage. A record from before there were such names has none, and then the key is the shard's own.
public final class ObjectKeys {
    /// Attempts do not meet by chance, and no digest stands for another: readers check the whole of it.
    private static final int NAME_DIGITS = 16;

    private static final Pattern NAME = Pattern.compile("[0-9a-f]{" + NAME_DIGITS + "}");

    /// Of a plan, a tar or an index: dataset, version, split, shard.
    private static final Pattern OF_SHARD =
            Pattern.compile("datasets/([^/]+)/([^/]+)/(?:plan/)?([^/]+)/([^./]+)[.][^/]+");

    /// Every snapshot of metadata-svc's view begins with this.
    public static final String SNAPSHOTS = "metadata/snapshot-";

    private static final Pattern SNAPSHOT = Pattern.compile(SNAPSHOTS + "([1-9][0-9]{0,17})");

    private ObjectKeys() {}

    /// Everything of a version begins with this.
    public static String version(DatasetName dataset, VersionId version) {
        return "datasets/" + dataset + "/" + version + "/";
    }

    /// The frozen inputs of one shard, as from before plans had names.
    public static String plan(ShardRef ref) {
        return plan(ref, null);
    }

    /// The frozen inputs of one shard.
    ///
    /// @param name as [#planName(String)] gives it; null as [#plan(ShardRef)]
    public static String plan(ShardRef ref, @Nullable String name) {
        return version(ref.dataset(), ref.version()) + "plan/" + ref.split() + "/" + ref.shard() + named(name)
                + ".plan";
    }

    /// What a plan of this SHA-256 is called in its key.
    public static String planName(String sha256) {
        return sha256.substring(0, NAME_DIGITS);
    }

    /// What was renamed or left out, and why, as JSON lines.
    public static String report(DatasetName dataset, VersionId version) {
        return version(dataset, version) + "report.jsonl";
    }

    /// The shard itself, as from before attempts had keys.
    public static String tar(ShardRef ref) {
        return tar(ref, null);
    }

    /// The shard itself, as one attempt wrote it; null as [#tar(ShardRef)].
    public static String tar(ShardRef ref, @Nullable String attempt) {
        return version(ref.dataset(), ref.version()) + ref.split() + "/" + ref.shard() + named(attempt) + ".tar";
    }

    /// The canonical binary index of a shard, as from before attempts had keys.
    public static String index(ShardRef ref) {
        return index(ref, null);
    }

    /// The canonical binary index of a shard, as one attempt wrote it; null as [#index(ShardRef)].
    public static String index(ShardRef ref, @Nullable String attempt) {
        return version(ref.dataset(), ref.version()) + ref.split() + "/" + ref.shard() + named(attempt) + ".index";
    }

    /// The shard that such a key would be of; empty where it is none of a plan, a tar or an index.
    public static Optional<ShardRef> shard(String key) {
        var parts = OF_SHARD.matcher(key);
        if (!parts.matches()) {
            return Optional.empty();
        }
        try {
            return Optional.of(new ShardRef(
                    new DatasetName(parts.group(1)),
                    VersionId.parse(parts.group(2)),
                    new SplitName(parts.group(3)),
                    ShardName.parse(parts.group(4))));
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    /// A snapshot of metadata-svc's view, of the first `revision` entries of its log.
    public static String snapshot(long revision) {
        if (revision < 1) {
            throw new IllegalArgumentException("no snapshot is of revision " + revision);
        }
        return SNAPSHOTS + revision;
    }

    /// The revision of the snapshot that has such a key; empty where it is none of a snapshot.
    public static OptionalLong snapshotRevision(String key) {
        var parts = SNAPSHOT.matcher(key);
        return parts.matches() ? OptionalLong.of(Long.parseLong(parts.group(1))) : OptionalLong.empty();
    }

    /// Throws where it is neither the name of an attempt or a plan nor null.
    public static void requireName(String what, @Nullable String name) {
        if (name != null && !NAME.matcher(name).matches()) {
            throw new IllegalArgumentException(
                    what + " must be " + NAME_DIGITS + " lower-case hex digits, not '" + Names.printable(name) + "'");
        }
    }

    private static String named(@Nullable String name) {
        return name == null ? "" : "." + name;
    }
}
