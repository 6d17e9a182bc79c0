package io.tarpon.ingest.notice;

/// Ends the reading of a message, or of one record in it.
final class FlawException extends Exception {
    private static final long serialVersionUID = 1L;

    private final transient Flaw flaw;

    private FlawException(Flaw flaw) {
        super(flaw.detail());
        this.flaw = flaw;
    }

    static FlawException broken(String detail) {
        return new FlawException(new Flaw(Flaw.Kind.BROKEN, detail));
    }

    static FlawException unknown(String detail) {
        return new FlawException(new Flaw(Flaw.Kind.UNKNOWN, detail));
    }

    Flaw flaw() {
        return flaw;
    }

    /// Flaws come by the thousand in one message; where they were found says nothing.
    @Override
    public synchronized Throwable fillInStackTrace() {
        return this;
    }
}
