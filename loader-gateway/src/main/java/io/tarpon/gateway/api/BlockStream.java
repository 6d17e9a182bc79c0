package io.tarpon.gateway.api;

import io.tarpon.gateway.flow.HeapBudget;
import java.io.InputStream;
import java.util.Deque;

/// Bytes in blocks, each of which is given back when it was read. For one thread.
final class BlockStream extends InputStream {
    private final HeapBudget.Charge heap;
    private final Deque<byte[]> blocks;
    private int left;
    private int at;

    /// @param length bytes in the blocks; the last may hold more
    BlockStream(HeapBudget.Charge heap, Deque<byte[]> blocks, int length) {
        this.heap = heap;
        this.blocks = blocks;
        this.left = length;
    }

    @Override
    public int read() {
        var one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] into, int offset, int length) {
        var block = blocks.peek();
        if (block == null || left == 0) {
            return length == 0 ? 0 : -1;
        }
        var taken = Math.min(Math.min(length, left), block.length - at);
        System.arraycopy(block, at, into, offset, taken);
        at += taken;
        left -= taken;
        if (at == block.length || left == 0) {
            blocks.remove();
            heap.shrink(block.length);
            at = 0;
        }
        return taken;
    }
}
