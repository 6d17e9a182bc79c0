package io.tarpon.ingest.notice;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/// One thing that happened to one object, whichever store said so. A hint: it may be late, repeated, out of order or
/// wrong. Nothing in it is an address.
///
/// @param bucket as sent, not looked at
/// @param key decoded, 1 to 1,024 bytes
/// @param name of the event as the store calls it, without `s3:`
/// @param sizeBytes null where nothing is known
/// @param etag empty where there is none
/// @param versionId empty where there is none
/// @param sequencer empty where there is none
/// @param time by the store's clock; null where there is none that can be read
public record Notice(
        Dialect dialect,
        String bucket,
        String key,
        Op op,
        String name,
        @Nullable Long sizeBytes,
        String etag,
        String versionId,
        String sequencer,
        @Nullable Instant time) {
    /// What happened to the object.
    public enum Op {
        CREATED,
        /// It was created, or only announced; the store knows.
        PERHAPS_CREATED,
        REMOVED,
        /// Tags, retention, tiers: its bytes are what they were.
        OTHER
    }

    /// Whether it is certain that `other`, about the same object of the same store, is this event once more.
    public boolean isSameEvent(Notice other) {
        return dialect == other.dialect && dialect.sequencing().isSame(sequencer, other.sequencer);
    }
}
