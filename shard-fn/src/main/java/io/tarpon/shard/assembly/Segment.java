package io.tarpon.shard.assembly;

import io.tarpon.wire.tar.Ustar;
import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/// A piece of a tar in a pooled buffer. Belongs to the reader that fills it until `filled` completes, then to the
/// writer.
final class Segment {
    final ByteBuffer bytes;

    /// Scratch for one header: a reader makes 50,000 of them a GiB.
    final byte[] header = new byte[Ustar.BLOCK_BYTES];

    /// Completes when the bytes from 0 to the buffer's limit are tar bytes, or with what hindered it.
    CompletableFuture<Void> filled = CompletableFuture.completedFuture(null);

    /// The member that this is a piece of, null where it holds whole members.
    @Nullable
    LargeMember large;

    Segment(int capacity) {
        bytes = ByteBuffer.allocateDirect(capacity);
    }
}
