package io.tarpon.ingest;

import java.io.IOException;

/// A source could not be listed. The message names the source or the part of it.
public final class SourceUnreadableException extends IOException {
    private static final long serialVersionUID = 1L;

    SourceUnreadableException(String source, IOException cause) {
        super("source " + source + " cannot be read: " + cause.getMessage(), cause);
    }
}
