package io.tarpon.wire.trace;

import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.TraceFlags;
import io.opentelemetry.api.trace.TraceState;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// The header `traceparent` of W3C Trace Context, version 00: `00-<trace id>-<span id>-<flags>`. Whatever else comes
/// from outside is not believed and not passed on.
final class Traceparent {
    private static final Pattern VERSION_00 =
            Pattern.compile("00-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})");
    private static final int LENGTH = 55;

    private Traceparent() {}

    static boolean isWellFormed(@Nullable String text) {
        return text != null
                && text.length() == LENGTH
                && VERSION_00.matcher(text).matches();
    }

    /// The context it names; empty where it is absent or malformed.
    static Optional<SpanContext> parse(@Nullable String text) {
        if (text == null || text.length() != LENGTH) {
            return Optional.empty();
        }
        var parts = VERSION_00.matcher(text);
        return parts.matches()
                ? Optional.of(SpanContext.createFromRemoteParent(
                        parts.group(1), parts.group(2), TraceFlags.fromHex(parts.group(3), 0), TraceState.getDefault()))
                : Optional.empty();
    }

    static String of(SpanContext context) {
        return "00-" + context.getTraceId() + "-" + context.getSpanId() + "-"
                + context.getTraceFlags().asHex();
    }
}
