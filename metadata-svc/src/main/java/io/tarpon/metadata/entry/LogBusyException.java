package io.tarpon.metadata.entry;

import java.io.IOException;

/// The log took nothing, because it has as much to do as it is allowed to.
public final class LogBusyException extends IOException {
    private static final long serialVersionUID = 1L;

    public LogBusyException(String message) {
        super(message);
    }
}
