package io.tarpon.metadata.snapshot;

import io.tarpon.wire.Digests;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// What a snapshot is of.
///
/// @param imageFormat [io.tarpon.metadata.image.StoredImage#FORMAT] of its pairs
/// @param revision how many entries of the log are in it, from 1
/// @param created when it was written, in whole milliseconds; for people, nothing rests on it
/// @param log the id of its log; null where that had none yet
/// @param entry SHA-256 in lower-case hex of the bytes of the last entry that is in it; null where that is not known
public record SnapshotHeader(
        int imageFormat,
        long revision,
        Instant created,
        @Nullable String log,
        @Nullable String entry) {
    private static final int MAX_LOG_ID_CHARS = 256;

    public SnapshotHeader {
        if (imageFormat < 1 || revision < 1 || created.toEpochMilli() < 0) {
            throw new IllegalArgumentException(
                    "no snapshot is of revision " + revision + ", format " + imageFormat + ", created " + created);
        }
        if (log != null && (log.isEmpty() || log.length() > MAX_LOG_ID_CHARS)) {
            throw new IllegalArgumentException("a log's id has 1 to " + MAX_LOG_ID_CHARS + " characters");
        }
        if (entry != null) {
            Digests.requireSha256("entry", entry);
        }
        created = Instant.ofEpochMilli(created.toEpochMilli());
    }

    /// The id of its log; empty where that had none yet.
    public Optional<String> logId() {
        return Optional.ofNullable(log);
    }

    /// SHA-256 of its last entry; empty where that is not known.
    public Optional<String> lastEntry() {
        return Optional.ofNullable(entry);
    }
}
