package io.tarpon.block.disk;

import java.io.IOException;
import java.nio.file.Path;

/// A data folder belongs to another block service, or is told twice: a mistake in the settings, which no waiting mends.
public final class FolderInUseException extends IOException {
    private static final long serialVersionUID = 1L;

    FolderInUseException(Path folder) {
        super("data folder " + folder + " is in use by another block service; stop it, or set"
                + " tarpon.block.data-dirs to another folder");
    }

    /// Two folders have one name: one is a copy of the other.
    public FolderInUseException(Path folder, Path other) {
        super("data folders " + folder + " and " + other + " have the same name in their FOLDER files; take one out of"
                + " tarpon.block.data-dirs, or delete FOLDER in the copy");
    }
}
