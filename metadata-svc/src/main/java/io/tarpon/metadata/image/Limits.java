package io.tarpon.metadata.image;

import io.tarpon.wire.DatasetName;
import io.tarpon.wire.http.ProblemType;
import io.tarpon.wire.http.TarponException;

/// How much an image may come to hold: everything in it is in memory.
final class Limits {
    static final int MAX_DATASETS = 10_000;
    static final int MAX_VERSIONS = 100_000;
    static final int MAX_NODES = 10_000;

    private Limits() {}

    static void requireRoomForDataset(Image image, DatasetName dataset) {
        if (!image.datasets.containsKey(dataset.value()) && image.datasets.size() >= MAX_DATASETS) {
            throw full("dataset " + dataset + " would be one more than " + MAX_DATASETS + " datasets");
        }
    }

    static void requireRoomForVersion(Dataset dataset) {
        if (dataset.versions.size() >= MAX_VERSIONS) {
            throw full("dataset " + dataset.name + " has had " + MAX_VERSIONS + " versions: go on under another name");
        }
    }

    static void requireRoomForNode(Image image, String id) {
        if (!image.nodes.containsKey(id) && image.nodes.size() >= MAX_NODES) {
            throw full("node " + id + " would be one more than " + MAX_NODES + " nodes: let nodes keep their ids");
        }
    }

    static void requireRoomForShards(Image image, String version, long shards) {
        if (image.shards + shards > image.maxShards) {
            throw full("version " + version + " is planned with " + shards + " shards, beside " + image.shards
                    + " that are known; this service holds " + image.maxShards
                    + ": make shards larger, or raise tarpon.metadata.max-shards with the heap");
        }
    }

    private static TarponException full(String detail) {
        return new TarponException(ProblemType.INSUFFICIENT_STORAGE, detail);
    }
}
