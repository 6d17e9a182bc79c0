package io.tarpon.wire.format;

import java.io.IOException;

/// Stored bytes carry a format number this build does not know. Nothing was changed; a newer build wrote them.
public final class UnknownFormatException extends IOException {
    private static final long serialVersionUID = 1L;

    private final String file;
    private final long found;
    private final int known;

    /// @param what kind of thing in words, such as `shard index`
    public UnknownFormatException(String file, String what, long found, int known) {
        super(what + " " + file + " has format " + found + ", this build knows format " + known
                + "; use the build that wrote it, or a newer one");
        this.file = file;
        this.found = found;
        this.known = known;
    }

    public String file() {
        return file;
    }

    /// The format number in the file.
    public long found() {
        return found;
    }

    /// The format number this build reads.
    public int known() {
        return known;
    }
}
