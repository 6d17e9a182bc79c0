package io.tarpon.store;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import org.jspecify.annotations.Nullable;

/// A server answered and will not: this process has no right to what it asked for, or there is no such bucket. A person
/// changes that, not time.
public final class RefusedException extends IOException {
    private static final long serialVersionUID = 1L;

    public RefusedException(String message) {
        super(message);
    }

    public RefusedException(String message, Throwable cause) {
        super(message, cause);
    }

    /// Whether a failure comes from such an answer, or from a file system's like it. Whatever else a source fails with,
    /// but for [SourceChangedException] and [UnknownSourceException], may pass.
    public static boolean isIn(@Nullable Throwable failure) {
        return failure instanceof RefusedException
                || failure instanceof AccessDeniedException
                || (failure instanceof IOException && isIn(failure.getCause()));
    }
}
