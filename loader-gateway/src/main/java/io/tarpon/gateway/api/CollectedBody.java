package io.tarpon.gateway.api;

import io.tarpon.gateway.flow.HeapBudget;
import io.tarpon.wire.http.ProblemType;
import io.tarpon.wire.http.TarponException;
import io.vertx.core.buffer.Buffer;
import java.io.InputStream;
import java.util.ArrayDeque;
import java.util.Deque;

/// The body of a request as it comes in, in blocks that grow with it: a sender of single bytes holds little more
/// than it sent. Charged as it grows.
///
/// Threads: the event loop of the connection; what [#stream] returns belongs to another thread.
final class CollectedBody {
    private static final int LEAST_BLOCK = 1 << 10;
    private static final int MOST_BLOCK = 64 << 10;

    private final HeapBudget.Charge heap;
    private final int mostBytes;
    private Deque<byte[]> blocks = new ArrayDeque<>();
    private byte[] last = new byte[0];
    private int lastBytes;
    private int bytes;

    CollectedBody(HeapBudget.Charge heap, int mostBytes) {
        this.heap = heap;
        this.mostBytes = mostBytes;
    }

    /// @throws TarponException `payload-too-large`, or `overloaded` where there is no memory for it
    void add(Buffer data) {
        requireFits((long) bytes + data.length(), mostBytes);
        for (int at = 0; at < data.length(); ) {
            if (lastBytes == last.length) {
                addBlock();
            }
            var taken = Math.min(data.length() - at, last.length - lastBytes);
            data.getBytes(at, at + taken, last, lastBytes);
            at += taken;
            lastBytes += taken;
            bytes += taken;
        }
    }

    static void requireFits(long bytes, int mostBytes) {
        if (bytes > mostBytes) {
            throw new TarponException(
                    ProblemType.PAYLOAD_TOO_LARGE,
                    "the body has more than " + mostBytes + " bytes; send several batches");
        }
    }

    private void addBlock() {
        var size = Math.clamp(bytes, LEAST_BLOCK, MOST_BLOCK);
        heap.grow(size);
        last = new byte[size];
        lastBytes = 0;
        blocks.add(last);
    }

    /// All that was added. Each block is given back once it is read. May be asked for once.
    InputStream stream() {
        var all = new BlockStream(heap, blocks, bytes);
        drop();
        return all;
    }

    /// Lets go what was not given to a stream.
    void drop() {
        blocks = new ArrayDeque<>();
        last = new byte[0];
        lastBytes = 0;
    }
}
