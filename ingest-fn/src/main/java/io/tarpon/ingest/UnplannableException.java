package io.tarpon.ingest;

/// There is no plan for this source and this specification. The message is the reason the version fails with.
public final class UnplannableException extends Exception {
    private static final long serialVersionUID = 1L;

    UnplannableException(String reason) {
        super(reason);
    }

    /// Never null.
    public String reason() {
        return String.valueOf(getMessage());
    }
}
