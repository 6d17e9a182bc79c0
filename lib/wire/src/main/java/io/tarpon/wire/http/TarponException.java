package io.tarpon.wire.http;

import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// A request that cannot be answered: thrown where that is found, mapped once at the edge to a [Problem].
public final class TarponException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final ProblemType type;
    private final @Nullable Duration retryAfter;

    public TarponException(ProblemType type, String detail) {
        super(detail);
        this.type = type;
        this.retryAfter = null;
    }

    /// @param retryAfter when asking again makes sense
    public TarponException(ProblemType type, String detail, Duration retryAfter) {
        super(detail);
        this.type = type;
        this.retryAfter = retryAfter;
    }

    public TarponException(ProblemType type, String detail, Throwable cause) {
        super(detail, cause);
        this.type = type;
        this.retryAfter = null;
    }

    public ProblemType type() {
        return type;
    }

    /// What went wrong, never null.
    public String detail() {
        return String.valueOf(getMessage());
    }

    /// When asking again makes sense, where whoever threw it knows better than the kind of problem.
    public Optional<Duration> retryAfter() {
        return Optional.ofNullable(retryAfter);
    }

    public Problem problem() {
        return Problem.of(type, detail());
    }

    public static TarponException badParameter(String detail) {
        return new TarponException(ProblemType.BAD_PARAMETER, detail);
    }
}
