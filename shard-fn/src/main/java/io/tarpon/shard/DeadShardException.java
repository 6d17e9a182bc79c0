package io.tarpon.shard;

/// A shard that trying again cannot build. The message names the thing and what to do.
final class DeadShardException extends Exception {
    private static final long serialVersionUID = 1L;

    private final DeadReason reason;

    DeadShardException(DeadReason reason, String detail) {
        super(detail);
        this.reason = reason;
    }

    DeadShardException(DeadReason reason, String detail, Throwable cause) {
        super(detail, cause);
        this.reason = reason;
    }

    DeadReason reason() {
        return reason;
    }

    String detail() {
        return String.valueOf(getMessage());
    }
}
