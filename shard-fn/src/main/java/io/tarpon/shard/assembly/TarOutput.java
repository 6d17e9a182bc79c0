package io.tarpon.shard.assembly;

import io.tarpon.store.ObjectStore;
import io.tarpon.wire.Digests;
import io.tarpon.wire.index.ShardIndex;
import io.tarpon.wire.index.ShardIndexBuilder;
import io.tarpon.wire.tar.Ustar;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;

/// All that must see every byte of the tar in order: the index with its CRCs, the SHA-256, and the store. The
/// SHA-256 is the dearest of them to compute (0.6 s a GiB) and runs beside the others; on two busy cores that
/// was measured to make no difference. Owned by the writer's thread.
final class TarOutput {
    private final ShardIndexBuilder index;
    private final ObjectStore.Upload upload;
    private final Executor hasher;
    private final MessageDigest sha256 = Digests.sha256();

    TarOutput(ShardIndexBuilder index, ObjectStore.Upload upload, Executor hasher) {
        this.index = index;
        this.upload = upload;
        this.hasher = hasher;
    }

    /// Takes all remaining bytes; they may be reused when it returns or throws.
    void append(ByteBuffer bytes) throws IOException {
        var hashed = CompletableFuture.runAsync(() -> sha256.update(bytes.duplicate()), hasher);
        try {
            index.bytes(bytes.duplicate());
            upload.write(bytes.duplicate());
        } finally {
            hashed.join();
        }
    }

    /// Ends the tar with its two zero blocks. Nothing is visible in the store yet.
    ShardIndex finish() throws IOException {
        append(ByteBuffer.wrap(Ustar.end()));
        return index.finish(sha256.digest());
    }
}
