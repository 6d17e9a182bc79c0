package io.tarpon.metadata.replica;

import io.tarpon.metadata.image.ImageStoreException;

/// What was replayed cannot be saved now, so nothing more is replayed: again later.
final class UnsavedException extends Exception {
    private static final long serialVersionUID = 1L;

    UnsavedException(ImageStoreException cause) {
        super(cause.getMessage(), cause);
    }
}
