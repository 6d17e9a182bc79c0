package io.tarpon.wire.http;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// The token that every request which changes state must carry as `Authorization: Bearer <token>`.
public final class WriteToken implements TokenSource {
    private static final String SCHEME = "Bearer ";
    private static final int MIN_CHARS = 16;

    private final byte[] expected;

    public WriteToken(String token) {
        var trimmed = token.strip();
        if (trimmed.length() < MIN_CHARS) {
            throw new IllegalArgumentException("the write token has fewer than " + MIN_CHARS + " characters");
        }
        this.expected = trimmed.getBytes(StandardCharsets.UTF_8);
    }

    @Override
    public WriteToken current() {
        return this;
    }

    @Override
    public WriteToken reread() {
        return this;
    }

    /// Throws `unauthorized` unless the header carries the token. The comparison takes the same time for any wrong
    /// token.
    public void check(@Nullable String authorization) {
        var given = authorization != null && authorization.regionMatches(true, 0, SCHEME, 0, SCHEME.length())
                ? authorization.substring(SCHEME.length()).strip()
                : "";
        if (!MessageDigest.isEqual(expected, given.getBytes(StandardCharsets.UTF_8))) {
            throw new TarponException(
                    ProblemType.UNAUTHORIZED,
                    "this request changes state and needs 'Authorization: Bearer <token>';"
                            + " the local cluster's token is in the file 'token' of its state folder");
        }
    }

    /// The header's value, for a client.
    public String headerValue() {
        return SCHEME + new String(expected, StandardCharsets.UTF_8);
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof WriteToken token && MessageDigest.isEqual(expected, token.expected);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(expected);
    }

    /// Never the token: this may end in a log.
    @Override
    public String toString() {
        return "write token";
    }
}
