package io.tarpon.service.retry;

/// What was being done is not wanted any more: the process stops, or the work is another's by now. Nothing was decided,
/// and it says nothing about the work itself.
public final class AbandonedException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public AbandonedException(String message) {
        super(message);
    }

    public AbandonedException(String message, Throwable cause) {
        super(message, cause);
    }
}
