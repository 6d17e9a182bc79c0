package io.tarpon.metadata.replica;

/// The entry that is to be replayed next was removed from the log, and no snapshot that has it can be loaded
/// now: again later.
final class NoSnapshotException extends Exception {
    private static final long serialVersionUID = 1L;

    NoSnapshotException(String message) {
        super(message);
    }

    NoSnapshotException(String message, Throwable cause) {
        super(message, cause);
    }
}
