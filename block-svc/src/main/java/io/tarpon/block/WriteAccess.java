package io.tarpon.block;

import io.tarpon.wire.http.ProblemType;
import io.tarpon.wire.http.TarponException;
import io.tarpon.wire.http.WriteToken;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Who may change state: whoever has the token, and nobody where none is configured.
public final class WriteAccess {
    private final Optional<WriteToken> token;

    public WriteAccess(Optional<WriteToken> token) {
        this.token = token;
    }

    /// Throws `unauthorized` unless the header carries the token.
    public void check(@Nullable String authorization) {
        if (token.isEmpty()) {
            throw new TarponException(
                    ProblemType.UNAUTHORIZED,
                    "this node has no token (tarpon.token-file), so nobody may change its state");
        }
        token.get().check(authorization);
    }
}
