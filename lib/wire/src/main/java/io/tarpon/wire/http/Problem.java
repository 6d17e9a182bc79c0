package io.tarpon.wire.http;

/// The body of an error answer, `application/problem+json` (RFC 9457). `detail` names the thing and the next step.
public record Problem(String type, String title, int status, String detail, boolean retryable) {
    public static final String CONTENT_TYPE = "application/problem+json";
    private static final String URN = "urn:tarpon:problem:";

    public static Problem of(ProblemType type, String detail) {
        return new Problem(URN + type.wireName(), type.title(), type.status(), detail, type.retryable());
    }

    /// The type of a problem that some service answered; `internal` for one that this version does not know.
    public ProblemType problemType() {
        for (var known : ProblemType.values()) {
            if (type.equals(URN + known.wireName())) {
                return known;
            }
        }
        return ProblemType.INTERNAL;
    }
}
