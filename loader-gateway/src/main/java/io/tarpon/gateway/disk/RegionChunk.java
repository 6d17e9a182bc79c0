package io.tarpon.gateway.disk;

import io.netty.channel.DefaultFileRegion;
import io.tarpon.blocks.disk.BlockFile;
import io.tarpon.gateway.flow.Chunk;
import java.io.IOException;
import java.io.UncheckedIOException;

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
        return new Region(file, file.dataOffset() + from, length);
    }

    @Override
    public void release() {
        giveBack(file);
    }

    static void giveBack(BlockFile file) {
        try {
            file.release();
        } catch (IOException e) {
            throw new UncheckedIOException("closing a block file", e);
        }
    }

    /// A region of a shared file: it gives its reference back instead of closing the file.
    private static final class Region extends DefaultFileRegion {
        private final BlockFile file;

        Region(BlockFile file, long position, long count) {
            super(file.channel(), position, count);
            this.file = file;
        }

        @Override
        protected void deallocate() {
            giveBack(file);
        }
    }
}
