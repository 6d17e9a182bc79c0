package io.tarpon.ingest.upload;

import java.util.Locale;

/// Why a message is not acted on. Its wire name is the `reason` of a dead letter.
public enum Refusal {
    /// Neither our own upload event nor anything else that we know.
    UNKNOWN_TYPE,
    /// Claims to be an upload event or a notification and is none.
    MALFORMED,
    /// Names a source or a bucket that configuration does not allow.
    UNKNOWN_SOURCE,
    /// A marker in a folder whose name is not one that a dataset may have.
    INVALID_DATASET,
    /// The store of a configured source did not say whether the marker is there.
    SOURCE_UNREADABLE,
    /// A well-formed request that metadata-svc does not take, such as an id that was used for another dataset.
    REFUSED,
    /// A bug of ours: planning broke in a way that would break it again.
    INTERNAL;

    public String wireName() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
