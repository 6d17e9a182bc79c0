package io.tarpon.metadata.snapshot;

import io.tarpon.store.NoSuchObjectException;
import io.tarpon.wire.format.CorruptFormatException;
import io.tarpon.wire.format.UnknownFormatException;
import java.io.IOException;
import java.util.List;

/// The snapshots there are, of whichever log. Safe for use by several threads.
public interface Snapshots {
    /// Their revisions, latest first.
    List<Long> revisions() throws IOException;

    /// Opens one, whose header says which it is.
    ///
    /// @throws NoSuchObjectException it is gone
    /// @throws UnknownFormatException where another build wrote it
    /// @throws CorruptFormatException where its bytes are not a snapshot of that revision
    SnapshotReader open(long revision) throws IOException;

    /// Where they are, or why there are none, for messages.
    String where();

    /// Of a service that has no object store.
    Snapshots NONE = new Snapshots() {
        @Override
        public List<Long> revisions() {
            return List.of();
        }

        @Override
        public SnapshotReader open(long revision) throws IOException {
            throw new NoSuchObjectException("snapshot of revision " + revision);
        }

        @Override
        public String where() {
            return "this service, which was started without an object store (set tarpon.store.* as for the others)";
        }
    };
}
