package io.tarpon.servers;

/// The command line is right, and still the server cannot run here. The message says why and what to do.
public final class StartException extends Exception {
    private static final long serialVersionUID = 1L;

    public StartException(String message) {
        super(message);
    }

    public StartException(String message, Throwable cause) {
        super(message, cause);
    }
}
