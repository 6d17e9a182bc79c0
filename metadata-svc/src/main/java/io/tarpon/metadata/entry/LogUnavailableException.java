package io.tarpon.metadata.entry;

import java.io.IOException;

/// The log cannot be reached now, and may be again later: nothing was appended, nothing was read, and nothing is
/// wrong with what is in it.
public final class LogUnavailableException extends IOException {
    private static final long serialVersionUID = 1L;

    public LogUnavailableException(String message) {
        super(message);
    }

    public LogUnavailableException(String message, Throwable cause) {
        super(message, cause);
    }
}
