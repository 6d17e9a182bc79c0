package io.tarpon.block.disk;

import io.tarpon.blocks.disk.DamagedBlockException;
import io.tarpon.blocks.disk.DiskFull;
import io.tarpon.wire.format.CorruptFormatException;
import io.tarpon.wire.format.UnknownFormatException;
import java.io.IOException;
import java.nio.file.NoSuchFileException;

/// Tells a disk that fails from one that answers what nobody likes to hear.
public final class DiskFaults {
    private DiskFaults() {}

    /// Whether the failure speaks of the disk: not where a file is missing, damaged or of another build, or the disk is
    /// full.
    public static boolean areOf(IOException failure) {
        return switch (failure) {
            case DamagedBlockException _, NoSuchFileException _, UnknownFormatException _, CorruptFormatException _ ->
                false;
            default -> !DiskFull.caused(failure);
        };
    }
}
