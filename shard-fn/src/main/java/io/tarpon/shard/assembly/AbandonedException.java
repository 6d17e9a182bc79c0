package io.tarpon.shard.assembly;

/// The process is stopping; the shard was left unfinished and nothing of it is visible.
public final class AbandonedException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public AbandonedException(String message) {
        super(message);
    }
}
