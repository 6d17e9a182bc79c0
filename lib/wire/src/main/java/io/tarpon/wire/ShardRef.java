package io.tarpon.wire;

/// One shard of one version, by name.
public record ShardRef(DatasetName dataset, VersionId version, SplitName split, ShardName shard) {

    /// Reads `demo/v1/train/shard-000000`.
    public static ShardRef parse(String path) {
        var parts = path.split("/", -1);
        if (parts.length != 4) {
            throw new IllegalArgumentException("'" + Names.printable(path)
                    + "' is not dataset/version/split/shard, such as demo/v1/train/shard-000000");
        }
        return new ShardRef(
                new DatasetName(parts[0]),
                VersionId.parse(parts[1]),
                new SplitName(parts[2]),
                ShardName.parse(parts[3]));
    }

    /// `demo/v1/train/shard-000000`: the subject of its events and the record key of its plan.
    public String path() {
        return dataset + "/" + version + "/" + split + "/" + shard;
    }

    @Override
    public String toString() {
        return path();
    }
}
