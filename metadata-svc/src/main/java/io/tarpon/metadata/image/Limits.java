package io.tarpon.metadata.image;

import io.tarpon.wire.DatasetName;
import io.tarpon.wire.http.ProblemType;
import io.tarpon.wire.http.TarponException;

/// How much an image may come to hold: its shards on disk, everything else in memory too.
final class Limits {
    static final int MAX_DATASETS = 10_000;
    static final int MAX_VERSIONS = 100_000;
    static final int MAX_NODES = 10_000;

    private static final String FORGETTING =
            "remove old ones and run tarpon gc: what it collected is forgotten" + " after tarpon.metadata.forget-after";

    private Limits() {}

    static void requireRoomForDataset(Image image, DatasetName dataset) {
        if (!image.datasets.containsKey(dataset.value()) && image.datasets.size() >= MAX_DATASETS) {
            throw full("dataset " + dataset + " would be one more than " + MAX_DATASETS + " datasets");
        }
    }

    static void requireRoomForVersion(Image image, Dataset dataset) {
        if (dataset.versions.size() >= MAX_VERSIONS) {
            throw full("dataset " + dataset.name + " has " + MAX_VERSIONS + " versions; " + FORGETTING);
        }
        if (image.versionsByRequest.size() >= image.maxVersions) {
            throw full("a version of " + dataset.name + " would be one more than " + image.maxVersions
                    + " of all datasets; " + FORGETTING + ", or raise tarpon.metadata.max-versions with the heap");
        }
    }

    static void requireRoomForNode(Image image, String id) {
        if (!image.nodes.containsKey(id) && image.nodes.size() >= MAX_NODES) {
            throw full("node " + id + " would be one more than " + MAX_NODES
                    + " nodes, those that left within tarpon.metadata.forget-after included: let nodes keep their ids");
        }
    }

    static void requireRoomForShards(Image image, String version, long shards) {
        if (image.shards + shards > image.maxShards) {
            throw full("version " + version + " is planned with " + shards + " shards, beside " + image.shards
                    + " that are known; this service holds " + image.maxShards
                    + ": make shards larger, or raise tarpon.metadata.max-shards");
        }
    }

    private static TarponException full(String detail) {
        return new TarponException(ProblemType.INSUFFICIENT_STORAGE, detail);
    }
}
