package io.tarpon.store;

import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;

/// Which failures of a source stay however long one waits: somebody has to change the data, the rights or the
/// configuration, and to ask again.
public final class StorageFailures {
    private StorageFailures() {}

    /// For listings and for the opening of a source. Everything else may pass: a server that is away, slow, overloaded
    /// or answers nonsense, a disk that does not answer.
    public static boolean isFinal(IOException failure) {
        return RefusedException.isIn(failure)
                || switch (failure) {
                    case NoSuchFileException _ -> true;
                    case NotDirectoryException _ -> true;
                    case UnknownSourceException _ -> true;
                    case KeysNotInOrderException _ -> true;
                    default -> false;
                };
    }
}
