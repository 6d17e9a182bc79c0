package io.tarpon.metadata;

import io.tarpon.metadata.client.NodeBlocks;
import io.tarpon.store.AbandonedUpload;
import io.tarpon.store.ObjectStore;
import io.tarpon.store.StorageKind;
import io.tarpon.store.Stores;
import io.tarpon.wire.http.TokenSource;
import java.io.IOException;
import java.util.Optional;
import java.util.function.Predicate;

/// Where the bytes of versions lie: objects in the store, blocks on nodes.
///
/// @param ours which half-done uploads of the store are Tarpon's: all in a folder, which is ours alone, and those
/// below `datasets/` in a bucket, which others may use too
record Storage(ObjectStore store, Predicate<AbandonedUpload> ours, NodeBlocks nodes) implements AutoCloseable {

    /// Empty where no store is configured, or no token, without which nothing may be deleted.
    static Optional<Storage> open(MetadataConfig config, Optional<? extends TokenSource> token) throws IOException {
        var kind = config.store().kind();
        if (token.isEmpty()
                || (kind == StorageKind.DIRECTORY
                        && config.store().directory().root().isEmpty())) {
            return Optional.empty();
        }
        return Optional.of(new Storage(
                Stores.open(config.store()),
                kind == StorageKind.DIRECTORY
                        ? _ -> true
                        : upload -> upload.key().startsWith("datasets/"),
                new NodeBlocks(token.get(), config.gc().nodeTimeout())));
    }

    @Override
    public void close() {
        nodes.close();
        store.close();
    }
}
