package io.tarpon.blocks.disk;

import java.io.IOException;
import java.nio.file.Path;

/// A block file does not hold the block it should. Nothing of the damaged part was handed out.
public final class DamagedBlockException extends IOException {
    private static final long serialVersionUID = 1L;

    /// No single sub-block is concerned: the file as a whole is damaged.
    public static final int WHOLE_FILE = -1;

    private final transient Path file;
    private final int subBlock;

    /// @param subBlock 0-based in the block, or [#WHOLE_FILE]
    public DamagedBlockException(Path file, int subBlock, String reason) {
        super("block file " + file + (subBlock == WHOLE_FILE ? "" : ", sub-block " + subBlock) + ": " + reason);
        this.file = file;
        this.subBlock = subBlock;
    }

    public Path file() {
        return file;
    }

    /// The damaged sub-block, 0-based in the block, or [#WHOLE_FILE].
    public int subBlock() {
        return subBlock;
    }
}
