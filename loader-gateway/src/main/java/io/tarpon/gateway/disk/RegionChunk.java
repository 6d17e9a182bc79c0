package io.tarpon.gateway.disk;

import io.tarpon.blocks.disk.BlockFile;
import io.tarpon.blocks.disk.BlockRegion;
import io.tarpon.gateway.flow.Chunk;

/// Checked bytes of an open block file, sent by the kernel. Holds one reference of the file.
final class RegionChunk implements Chunk {
    private final BlockFile file;
    private long from;
    private long length;

    /// @param file its reference goes to the chunk
    /// @param from offset in the block
    RegionChunk(BlockFile file, long from, long length) {
        this.file = file;
        this.from = from;
        this.length = length;
    }

    @Override
    public long length() {
        return length;
    }

    @Override
    public Chunk split(long bytes) {
        var first = new RegionChunk(file.retain(), from, bytes);
        from += bytes;
        length -= bytes;
        return first;
    }

    @Override
    public Object toMessage() {
        return new BlockRegion(file, from, from + length);
    }

    @Override
    public void release() {
        file.release();
    }
}
