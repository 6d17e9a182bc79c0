package io.tarpon.wire.gateway;

import org.jspecify.annotations.Nullable;

/// One line of a version's report: an input that was left out, or whose sample was renamed.
///
/// @param action `left-out` or `renamed`
/// @param reason why it was left out; null when renamed
/// @param name the member's name in its shard; null when left out
public record ReportLine(
        String key,
        String action,
        @Nullable String reason,
        @Nullable String name) {
    public static ReportLine leftOut(String key, String reason) {
        return new ReportLine(key, "left-out", reason, null);
    }

    public static ReportLine renamed(String key, String name) {
        return new ReportLine(key, "renamed", null, name);
    }
}
