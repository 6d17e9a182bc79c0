package io.tarpon.ingest.disk;

import java.io.IOException;

/// The spool could not take or give back what a plan needs. Says which setting or folder is at fault.
public final class SpoolException extends IOException {
    private static final long serialVersionUID = 1L;

    public SpoolException(String message) {
        super(message);
    }

    public SpoolException(String message, Throwable cause) {
        super(message, cause);
    }
}
