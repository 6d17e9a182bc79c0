package io.tarpon.block;

import io.netty.channel.FileRegion;
import io.tarpon.blocks.disk.BlockRegion;
import java.util.concurrent.CompletionStage;

/// A block that is on its way: its checked bytes are read from the file that is being written.
final class FilledBytes implements BlockBytes {
    private final Fill fill;

    /// Takes over one holder of the fill.
    FilledBytes(Fill fill) {
        this.fill = fill;
    }

    @Override
    public long length() {
        return fill.plan().length();
    }

    @Override
    public boolean hit() {
        return false;
    }

    @Override
    public CompletionStage<Long> readable(long from, long to) {
        return fill.readable(from, to);
    }

    @Override
    public FileRegion region(long from, long to) {
        return new BlockRegion(fill.file().retain(), from, to);
    }

    @Override
    public void release() {
        fill.release();
    }
}
