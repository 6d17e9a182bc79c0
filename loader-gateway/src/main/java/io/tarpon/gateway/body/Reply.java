package io.tarpon.gateway.body;

import io.tarpon.wire.http.ByteRange;
import io.tarpon.wire.http.Preconditions;
import org.jspecify.annotations.Nullable;

/// What a GET or HEAD of a body is answered with, from its conditions and its range.
public sealed interface Reply {
    /// Status 200, all bytes.
    record Whole() implements Reply {}

    /// Status 206.
    record Part(long from, long to) implements Reply {}

    /// Status 304.
    record NotModified() implements Reply {}

    /// Status 412.
    record Failed() implements Reply {}

    /// Status 416.
    record Unsatisfiable() implements Reply {}

    /// @param range the Range header of a GET; null for a HEAD, which ignores it
    static Reply of(Body body, Preconditions conditions, @Nullable String range) {
        return switch (conditions.evaluate(body.etag(), body.lastModified())) {
            case FAILED -> new Failed();
            case NOT_MODIFIED -> new NotModified();
            case PROCEED ->
                conditions.honoursRange(body.etag(), body.lastModified())
                        ? ranged(ByteRange.of(range, body.content().length()))
                        : new Whole();
        };
    }

    private static Reply ranged(ByteRange range) {
        return switch (range) {
            case ByteRange.Whole _ -> new Whole();
            case ByteRange.Part(var from, var to) -> new Part(from, to);
            case ByteRange.Unsatisfiable _ -> new Unsatisfiable();
        };
    }
}
