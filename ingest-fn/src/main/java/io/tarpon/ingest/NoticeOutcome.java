package io.tarpon.ingest;

import java.util.Locale;

/// What became of a notice; its wire name is the label `outcome` of `tarpon_ingest_notices_total`.
enum NoticeOutcome {
    /// A marker whose request is on its way to be planned.
    REQUESTED,
    /// A marker whose request was made before.
    KNOWN,
    /// A marker, by an event that is certain to tell nothing that another did not tell.
    STALE,
    /// A marker that its source does not have, or no longer.
    MARKER_NOT_THERE,
    /// Any other object that was created. Nothing is done: the source is listed when its marker comes.
    OBJECT,
    /// An object is gone; versions keep what they were made from.
    REMOVED,
    /// Tags, retention and what else leaves the bytes as they were.
    OTHER,
    /// In a bucket of a source, but outside every source's prefix, or in two sources at once.
    OUTSIDE,
    UNKNOWN_SOURCE,
    INVALID_DATASET,
    SOURCE_UNREADABLE,
    /// A record that could not be read.
    MALFORMED,
    /// A message in which nothing happened to an object.
    NOTHING;

    String wireName() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
