package io.tarpon.metadata.image;

/// The store of an image cannot be read or written now: its disk is full, or does not answer as it should.
public final class ImageStoreException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public ImageStoreException(String message, Throwable cause) {
        super(message, cause);
    }
}
