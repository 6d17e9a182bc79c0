package io.tarpon.block;

import io.netty.channel.FileRegion;
import java.util.concurrent.CompletionStage;

/// The bytes of one block, held for one response until [#release].
public interface BlockBytes {
    /// Bytes of the block.
    long length();

    /// Whether the block was here when it was asked for.
    boolean hit();

    /// Completes, on any thread, with the end of the checked bytes from `from` on: more than `from`, at most
    /// `to`. Fails where there will be none. One call at a time.
    CompletionStage<Long> readable(long from, long to);

    /// `[from, to)`, which [#readable] allowed, as one `sendfile`. It keeps the file open by itself until it is
    /// sent or dropped.
    FileRegion region(long from, long to);

    /// Gives the block back; afterwards only regions made before may be used.
    void release();
}
