package io.tarpon.metadata;

import io.tarpon.metadata.client.NodeBlocks;
import io.tarpon.store.AbandonedUpload;
import io.tarpon.store.ObjectStore;
import io.tarpon.store.StorageKind;
import io.tarpon.store.Stores;
import io.tarpon.wire.ObjectKeys;
import io.tarpon.wire.http.TokenSource;
import java.io.IOException;
import java.util.Optional;
import java.util.function.Predicate;

/// Where the bytes of versions lie: objects in the store, blocks on nodes.
///
/// @param ours which half-done uploads of the store are Tarpon's: all in a folder, which is ours alone, and
///     those that write datasets or snapshots in a bucket, which others may use too
record Storage(ObjectStore store, Predicate<AbandonedUpload> ours, NodeBlocks nodes) implements AutoCloseable {

    /// The store that is configured, closed by the caller; empty where none is.
    static Optional<ObjectStore> store(MetadataConfig config) throws IOException {
        var isNone = config.store().kind() == StorageKind.DIRECTORY
                && config.store().directory().root().isEmpty();
        return isNone ? Optional.empty() : Optional.of(Stores.open(config.store()));
    }

    /// Empty where there is no store, or no token, without which nothing may be deleted.
    static Optional<Storage> in(
            Optional<ObjectStore> store, MetadataConfig config, Optional<? extends TokenSource> token) {
        if (store.isEmpty() || token.isEmpty()) {
            return Optional.empty();
        }
        return Optional.of(new Storage(
                store.get(),
                config.store().kind() == StorageKind.DIRECTORY ? _ -> true : Storage::isOurs,
                new NodeBlocks(token.get(), config.gc().nodeTimeout())));
    }

    private static boolean isOurs(AbandonedUpload upload) {
        return upload.key().startsWith("datasets/") || upload.key().startsWith(ObjectKeys.SNAPSHOTS);
    }

    @Override
    public void close() {
        nodes.close();
    }
}
