package io.tarpon.ingest;

import io.tarpon.wire.http.ProblemType;
import io.tarpon.wire.http.TarponException;
import io.tarpon.wire.http.WriteToken;
import org.jspecify.annotations.Nullable;

/// Who may ask for a version: who knows the token, or nobody where there is none.
public final class WriteAccess {
    private final @Nullable WriteToken token;

    WriteAccess(@Nullable WriteToken token) {
        this.token = token;
    }

    /// Throws `unauthorized` unless the header carries the token.
    public void check(@Nullable String authorization) {
        if (token == null) {
            throw new TarponException(
                    ProblemType.UNAUTHORIZED, "this service takes no uploads by HTTP: tarpon.token-file is not set");
        }
        token.check(authorization);
    }
}
