package io.tarpon.cluster.plan;

/// What a cluster is made of, as far as it is chosen.
///
/// @param store where objects are kept; for as long as there is the state folder
/// @param functions processes of each function, which share its work
/// @param metadataReplicas processes of metadata-svc; several only over a log in Kafka
/// @param log where the metadata log is kept, until it is moved
/// @param layout on how many machines it is
public record ClusterShape(StoreKind store, int functions, int metadataReplicas, LogPlace log, Layout layout) {
    public static final int MOST_METADATA_REPLICAS = 5;

    /// What nobody chose otherwise.
    public static final ClusterShape USUAL = new ClusterShape(StoreKind.DIRECTORY, 1, 1, LogPlace.LOCAL, Layout.USUAL);

    public ClusterShape {
        if (functions < 1) {
            throw new IllegalArgumentException(functions + " processes of a function");
        }
        if (metadataReplicas < 1 || metadataReplicas > MOST_METADATA_REPLICAS) {
            throw new IllegalArgumentException(
                    metadataReplicas + " replicas of metadata-svc are not between 1 and " + MOST_METADATA_REPLICAS);
        }
        if (metadataReplicas > 1 && log == LogPlace.LOCAL) {
            throw new IllegalArgumentException(
                    metadataReplicas + " replicas of metadata-svc cannot share a log on the disk of one");
        }
    }

    public ClusterShape withStore(StoreKind other) {
        return new ClusterShape(other, functions, metadataReplicas, log, layout);
    }

    public ClusterShape withFunctions(int processes) {
        return new ClusterShape(store, processes, metadataReplicas, log, layout);
    }

    /// Several share a log in Kafka; one keeps it where it is.
    public ClusterShape withMetadataReplicas(int processes) {
        return new ClusterShape(store, functions, processes, processes > 1 ? LogPlace.KAFKA : log, layout);
    }

    /// On the disk of one it has no others.
    public ClusterShape withLog(LogPlace place) {
        return new ClusterShape(store, functions, place == LogPlace.LOCAL ? 1 : metadataReplicas, place, layout);
    }

    public ClusterShape withLayout(Layout other) {
        return new ClusterShape(store, functions, metadataReplicas, log, other);
    }
}
