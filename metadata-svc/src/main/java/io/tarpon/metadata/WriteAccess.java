package io.tarpon.metadata;

import io.tarpon.wire.http.ProblemType;
import io.tarpon.wire.http.TarponException;
import io.tarpon.wire.http.WriteToken;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Who may change state: the holder of the token, and nobody where none is configured.
public final class WriteAccess {
    private final Optional<WriteToken> token;

    WriteAccess(Optional<WriteToken> token) {
        this.token = token;
    }

    /// Throws `unauthorized` unless the header carries the token.
    public void check(@Nullable String authorization) {
        token.orElseThrow(() -> new TarponException(
                        ProblemType.UNAUTHORIZED,
                        "this service was started without a write token and takes no command: set tarpon.token-file"))
                .check(authorization);
    }
}
