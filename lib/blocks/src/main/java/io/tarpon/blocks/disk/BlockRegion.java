package io.tarpon.blocks.disk;

import io.netty.channel.DefaultFileRegion;
import java.io.IOException;
import org.jboss.logging.Logger;

/// A range of an open block file for `sendfile`. It holds the file for as long as it lives, and closes nothing
/// that others use: the last holder closes it.
public final class BlockRegion extends DefaultFileRegion {
    private static final Logger LOG = Logger.getLogger(BlockRegion.class);

    private final BlockFile file;

    /// @param from first byte in the block; the range was verified
    public BlockRegion(BlockFile file, long from, long to) {
        super(file.channel(), file.dataOffset() + from, to - from);
        this.file = file.retain();
    }

    @Override
    protected void deallocate() {
        try {
            file.release();
        } catch (IOException e) {
            LOG.warnf(e, "block file not closed block=%s", file.id());
        }
    }
}
