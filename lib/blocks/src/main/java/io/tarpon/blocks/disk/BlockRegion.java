package io.tarpon.blocks.disk;

import io.netty.channel.DefaultFileRegion;

/// A range of an open block file for `sendfile`. It holds the file for as long as it lives, and closes nothing
/// that others use: the last holder closes it.
public final class BlockRegion extends DefaultFileRegion {
    private final BlockFile file;

    /// @param file a reference of it goes to the region
    /// @param from first byte in the block; the range was verified
    public BlockRegion(BlockFile file, long from, long to) {
        super(file.channel(), file.dataOffset() + from, to - from);
        this.file = file;
    }

    @Override
    protected void deallocate() {
        file.release();
    }
}
