package io.tarpon.wire.http;

import java.util.Locale;

/// Every error that a service of ours answers (contracts section 4). A new error is a new constant.
public enum ProblemType {
    BAD_PARAMETER(400, false),
    UNAUTHORIZED(401, false),
    FORBIDDEN(403, false),
    UNKNOWN_DATASET(404, false),
    UNKNOWN_VERSION(404, false),
    UNKNOWN_SPLIT(404, false),
    UNKNOWN_SHARD(404, false),
    UNKNOWN_SAMPLE(404, false),
    UNKNOWN_MEMBER(404, false),
    NOT_FOUND(404, false),
    METHOD_NOT_ALLOWED(405, false),
    CONFLICT(409, false),
    VERSION_NOT_SEALED(409, true),
    VERSION_REMOVED(410, false),
    PRECONDITION_FAILED(412, false),
    PAYLOAD_TOO_LARGE(413, false),
    URI_TOO_LONG(414, false),
    RANGE_NOT_SATISFIABLE(416, false),
    INTERNAL(500, false),
    OVERLOADED(503, true),
    NOT_READY(503, true),
    STORAGE_UNAVAILABLE(503, true),
    INSUFFICIENT_STORAGE(507, true);

    private final int status;
    private final boolean retryable;

    ProblemType(int status, boolean retryable) {
        this.status = status;
        this.retryable = retryable;
    }

    public int status() {
        return status;
    }

    /// Whether the same request may succeed later without a change.
    public boolean retryable() {
        return retryable;
    }

    /// `unknown-dataset`: the last part of the type's URN.
    public String wireName() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /// `Unknown dataset`.
    public String title() {
        var words = name().toLowerCase(Locale.ROOT).replace('_', ' ');
        return Character.toUpperCase(words.charAt(0)) + words.substring(1);
    }
}
