package io.tarpon.servers;

/// The command line is wrong. The message names the argument and what it may be.
public final class UsageException extends Exception {
    private static final long serialVersionUID = 1L;

    public UsageException(String message) {
        super(message);
    }
}
