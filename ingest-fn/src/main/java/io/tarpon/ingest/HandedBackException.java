package io.tarpon.ingest;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/// This process is to end: the upload at hand was left where it is, and the next process of the group begins with it.
final class HandedBackException extends IOException {
    private static final long serialVersionUID = 1L;

    HandedBackException(@Nullable Throwable cause) {
        super("this process ends; the upload is handed back to its topic", cause);
    }
}
