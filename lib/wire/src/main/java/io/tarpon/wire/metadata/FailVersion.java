package io.tarpon.wire.metadata;

/// Ends a version that cannot be built. The reason names the thing and is shown to people.
public record FailVersion(String reason) {
    public static final int MAX_REASON_CHARS = 4096;

    public FailVersion {
        if (reason.isBlank()) {
            throw new IllegalArgumentException("a version fails for a reason");
        }
        if (reason.length() > MAX_REASON_CHARS) {
            reason = reason.substring(0, MAX_REASON_CHARS);
        }
    }
}
