package io.tarpon.wire.http;

/// A request that cannot be answered: thrown where that is found, mapped once at the edge to a [Problem].
public final class TarponException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final ProblemType type;

    public TarponException(ProblemType type, String detail) {
        super(detail);
        this.type = type;
    }

    public TarponException(ProblemType type, String detail, Throwable cause) {
        super(detail, cause);
        this.type = type;
    }

    public ProblemType type() {
        return type;
    }

    /// What went wrong, never null.
    public String detail() {
        return String.valueOf(getMessage());
    }

    public Problem problem() {
        return Problem.of(type, detail());
    }

    public static TarponException badParameter(String detail) {
        return new TarponException(ProblemType.BAD_PARAMETER, detail);
    }
}
