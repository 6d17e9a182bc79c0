package io.tarpon.wire.format;

import java.io.IOException;

/// Stored bytes are not what their writer wrote: cut, flipped, or of another kind. Names the file and what is wrong.
public final class CorruptFormatException extends IOException {
    private static final long serialVersionUID = 1L;

    private final String file;

    /// @param what kind of thing in words, such as `shard index`
    public CorruptFormatException(String file, String what, String reason) {
        super(what + " " + file + " is damaged: " + reason);
        this.file = file;
    }

    public CorruptFormatException(String file, String what, String reason, Throwable cause) {
        super(what + " " + file + " is damaged: " + reason, cause);
        this.file = file;
    }

    public String file() {
        return file;
    }
}
