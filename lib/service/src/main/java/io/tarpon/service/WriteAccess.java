package io.tarpon.service;

import io.tarpon.wire.http.ProblemType;
import io.tarpon.wire.http.TarponException;
import io.tarpon.wire.http.TokenSource;
import org.jspecify.annotations.Nullable;

/// Who may change state: whoever has the token of the moment, and nobody where none is configured.
public final class WriteAccess {
    private static final WriteAccess NOBODY = new WriteAccess(null);

    private final @Nullable TokenSource tokens;

    private WriteAccess(@Nullable TokenSource tokens) {
        this.tokens = tokens;
    }

    public static WriteAccess with(TokenSource tokens) {
        return new WriteAccess(tokens);
    }

    public static WriteAccess nobody() {
        return NOBODY;
    }

    /// Throws `unauthorized` unless the header carries the token. Never waits.
    public void check(@Nullable String authorization) {
        if (tokens == null) {
            throw new TarponException(
                    ProblemType.UNAUTHORIZED,
                    "this service was started without a write token (tarpon.token-file), so nobody may change its"
                            + " state");
        }
        tokens.current().check(authorization);
    }
}
