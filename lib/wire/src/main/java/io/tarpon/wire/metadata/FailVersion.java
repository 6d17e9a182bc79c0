package io.tarpon.wire.metadata;

import com.fasterxml.jackson.annotation.JsonSetter;
import com.fasterxml.jackson.annotation.Nulls;
import io.tarpon.wire.Digests;
import org.jspecify.annotations.Nullable;

/// Ends a version that cannot be built. The reason names the thing and is shown to people.
///
/// @param planDigest of the version's plan that could not be built: the version fails only while that is its plan, so
/// that what is left of an earlier try cannot end a later one; null for whoever ends it whatever its plan
public record FailVersion(
        String reason,
        @JsonSetter(nulls = Nulls.SET) @Nullable String planDigest) {
    public static final int MAX_REASON_CHARS = 4096;

    public FailVersion {
        if (planDigest != null) {
            Digests.requireSha256("planDigest", planDigest);
        }
        if (reason.isBlank()) {
            throw new IllegalArgumentException("a version fails for a reason");
        }
        if (reason.length() > MAX_REASON_CHARS) {
            reason = reason.substring(0, MAX_REASON_CHARS);
        }
    }

    /// Ends the version whatever its plan.
    public FailVersion(String reason) {
        this(reason, null);
    }
}
