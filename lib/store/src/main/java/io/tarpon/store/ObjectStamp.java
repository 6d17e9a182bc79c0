package io.tarpon.store;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/// What a server says about an object as it is now: all that tells one writing of it from another. An object of no
/// bytes always has the same ETag, and times count seconds; versions are exact, where the bucket has them.
///
/// @param versionId null where the bucket has no versions
public record ObjectStamp(
        String etag, Instant modified, @Nullable String versionId) {}
