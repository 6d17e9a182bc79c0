package io.tarpon.block.disk;

import io.tarpon.wire.block.BlockId;
import java.io.IOException;

/// A block file that a scan of the data folders found, by its name and size only.
public record FoundBlock(BlockId id, long fileBytes) {
    /// Takes what a scan finds.
    @FunctionalInterface
    public interface Visitor {
        void visit(FoundBlock found) throws IOException;
    }
}
