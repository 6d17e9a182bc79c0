package io.tarpon.ingest.growth;

/// A version cannot grow from its parent. The message names both and says what to do.
public final class NoGrowthException extends Exception {
    private static final long serialVersionUID = 1L;

    public NoGrowthException(Parent parent, String why) {
        this(parent.name(), why);
    }

    /// @param parent as people write it: `demo/v1`
    public NoGrowthException(String parent, String why) {
        super("cannot grow from " + parent + ": " + why + "; ingest without --grow");
    }

    /// Never null.
    public String reason() {
        return String.valueOf(getMessage());
    }
}
