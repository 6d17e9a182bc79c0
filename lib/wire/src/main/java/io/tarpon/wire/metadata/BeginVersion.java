package io.tarpon.wire.metadata;

/// Asks for a new version of a dataset. The same `requestId` again gives the same version back.
public record BeginVersion(String requestId, DatasetSpec spec) {
    public static final int MAX_REQUEST_ID_CHARS = 256;

    public BeginVersion {
        if (requestId.isBlank() || requestId.length() > MAX_REQUEST_ID_CHARS) {
            throw new IllegalArgumentException("requestId must have 1 to " + MAX_REQUEST_ID_CHARS + " characters");
        }
    }
}
