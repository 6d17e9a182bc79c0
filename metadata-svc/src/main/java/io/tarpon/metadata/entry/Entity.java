package io.tarpon.metadata.entry;

import io.tarpon.wire.DatasetName;
import io.tarpon.wire.ShardRef;
import io.tarpon.wire.VersionId;

/// What a decision can rest on. Its text is the key of a guard in the log; its revision is the number of the entry
/// that last changed it, 0 where none did.
public sealed interface Entity {
    /// The only one that has no name of its own.
    String LOG = "log";

    /// The log itself: its id, and the newest format that is written to it.
    record Log() implements Entity {
        @Override
        public String toString() {
            return LOG;
        }
    }

    /// The specification of a dataset: `dataset/demo`.
    record Specification(DatasetName dataset) implements Entity {
        @Override
        public String toString() {
            return "dataset/" + dataset;
        }
    }

    /// Which version number of a dataset was given last: `numbers/demo`.
    record Numbers(DatasetName dataset) implements Entity {
        @Override
        public String toString() {
            return "numbers/" + dataset;
        }
    }

    /// Which versions of a dataset are sealed: `sealed/demo`.
    record SealedVersions(DatasetName dataset) implements Entity {
        @Override
        public String toString() {
            return "sealed/" + dataset;
        }
    }

    /// A request to begin a version: `request/<id>`.
    record Request(String id) implements Entity {
        @Override
        public String toString() {
            return "request/" + id;
        }
    }

    /// The life of a version, not its shards: `version/demo/v1`. Sealing one of many shards does not change it.
    record Life(DatasetName dataset, VersionId version) implements Entity {
        @Override
        public String toString() {
            return "version/" + dataset + "/" + version;
        }
    }

    /// Whether every page of a plan that was set aside for a version is still there: `pages/demo/v1`. Setting aside
    /// another one does not change it, nor does the end of all of them with the version's life.
    record Pages(DatasetName dataset, VersionId version) implements Entity {
        @Override
        public String toString() {
            return "pages/" + dataset + "/" + version;
        }
    }

    /// One shard: `shard/demo/v1/train/shard-000000`. The end of its version changes it too.
    record Shard(ShardRef ref) implements Entity {
        @Override
        public String toString() {
            return "shard/" + ref.path();
        }
    }

    /// One node's membership: `node/<id>`.
    record Node(String id) implements Entity {
        @Override
        public String toString() {
            return "node/" + id;
        }
    }

    /// Reads what `toString` of each kind writes. Throws [IllegalArgumentException] for anything else.
    static Entity parse(String text) {
        if (text.equals(LOG)) {
            return new Log();
        }
        var slash = text.indexOf('/');
        var rest = text.substring(slash + 1);
        return switch (slash < 0 ? "" : text.substring(0, slash)) {
            case "dataset" -> new Specification(new DatasetName(rest));
            case "numbers" -> new Numbers(new DatasetName(rest));
            case "sealed" -> new SealedVersions(new DatasetName(rest));
            case "request" -> new Request(rest);
            case "version" -> new Life(dataset(rest), version(rest));
            case "pages" -> new Pages(dataset(rest), version(rest));
            case "shard" -> new Shard(ShardRef.parse(rest));
            case "node" -> new Node(rest);
            default -> throw new IllegalArgumentException("'" + text + "' names no entity");
        };
    }

    private static DatasetName dataset(String path) {
        return new DatasetName(path.substring(0, slash(path)));
    }

    private static VersionId version(String path) {
        return VersionId.parse(path.substring(slash(path) + 1));
    }

    private static int slash(String path) {
        var slash = path.indexOf('/');
        if (slash < 0) {
            throw new IllegalArgumentException("'" + path + "' is not dataset/version");
        }
        return slash;
    }
}
