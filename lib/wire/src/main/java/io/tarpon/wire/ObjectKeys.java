package io.tarpon.wire;

/// Where things lie in the object store, below its root (design section 5).
public final class ObjectKeys {
    private ObjectKeys() {}

    /// Everything of a version begins with this.
    public static String version(DatasetName dataset, VersionId version) {
        return "datasets/" + dataset + "/" + version + "/";
    }

    /// The frozen inputs of one shard.
    public static String plan(ShardRef ref) {
        return version(ref.dataset(), ref.version()) + "plan/" + ref.split() + "/" + ref.shard() + ".plan";
    }

    /// What was renamed or left out, and why, as JSON lines.
    public static String report(DatasetName dataset, VersionId version) {
        return version(dataset, version) + "report.jsonl";
    }

    /// The shard itself.
    public static String tar(ShardRef ref) {
        return version(ref.dataset(), ref.version()) + ref.split() + "/" + ref.shard() + ".tar";
    }

    /// The canonical binary index of a shard.
    public static String index(ShardRef ref) {
        return version(ref.dataset(), ref.version()) + ref.split() + "/" + ref.shard() + ".index";
    }
}
