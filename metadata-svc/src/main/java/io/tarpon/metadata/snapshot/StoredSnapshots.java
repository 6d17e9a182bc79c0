package io.tarpon.metadata.snapshot;

import io.tarpon.metadata.image.SavedImage;
import io.tarpon.metadata.image.StoredImage;
import io.tarpon.store.NoSuchObjectException;
import io.tarpon.store.ObjectStore;
import io.tarpon.wire.ObjectKeys;
import io.tarpon.wire.format.CorruptFormatException;
import io.tarpon.wire.metadata.SnapshotReport;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/// The snapshots in the object store, one object each ([ObjectKeys#snapshot]). An object is there whole or
/// not at all, whoever dies while writing it; what an upload leaves then is collected with other abandoned
/// ones.
public final class StoredSnapshots implements Snapshots {
    private static final int UPLOAD_BUFFER_BYTES = 1 << 20;
    /// More than any header has.
    private static final int HEADER_BYTES = 4 << 10;

    private final ObjectStore store;

    /// @param store closed by whoever opened it
    public StoredSnapshots(ObjectStore store) {
        this.store = store;
    }

    @Override
    public List<Long> revisions() throws IOException {
        var revisions = new ArrayList<Long>();
        store.list(
                ObjectKeys.SNAPSHOTS,
                object -> ObjectKeys.snapshotRevision(object.key()).ifPresent(revisions::add));
        revisions.sort(Collections.reverseOrder());
        return revisions;
    }

    @Override
    public SnapshotReader open(long revision) throws IOException {
        return open(revision, Long.MAX_VALUE);
    }

    /// What one says that it is of, without reading the rest; throws as [#open].
    public SnapshotHeader header(long revision) throws IOException {
        try (var reader = open(revision, HEADER_BYTES)) {
            return reader.header();
        }
    }

    private SnapshotReader open(long revision, long mostBytes) throws IOException {
        var key = ObjectKeys.snapshot(revision);
        var size = store.size(key).orElseThrow(() -> new NoSuchObjectException(key));
        var reader = new SnapshotReader(key, store.open(key, 0, Math.min(size, mostBytes)));
        if (reader.header().revision() != revision) {
            reader.close();
            throw new CorruptFormatException(
                    key,
                    SnapshotFormat.WHAT,
                    "it is of revision " + reader.header().revision());
        }
        return reader;
    }

    /// Writes one, in bounded memory. When this returns it is there whole, also after a crash of everything;
    /// after an exception it may be or not.
    ///
    /// @param image of revision 1 or later
    /// @throws io.tarpon.metadata.image.ImageStoreException the image is gone; take another
    public SnapshotReport write(SavedImage image, Instant created) throws IOException {
        var header = new SnapshotHeader(
                StoredImage.FORMAT,
                image.revision(),
                created,
                image.logId().orElse(null),
                image.lastEntry().orElse(null));
        var key = ObjectKeys.snapshot(image.revision());
        try (var upload = store.upload(key)) {
            // Not closed, for that would send what is left to an upload that failed.
            var out = new BufferedOutputStream(new Uploading(upload), UPLOAD_BUFFER_BYTES);
            var writer = new SnapshotWriter(out, header);
            image.scan((pairKey, value) -> {
                add(writer, pairKey, value);
                return true;
            });
            var written = writer.finish();
            upload.complete();
            return new SnapshotReport(key, image.revision(), written.pairs(), written.bytes(), written.sha256());
        } catch (UncheckedIOException e) {
            throw new IOException(e.getMessage(), e);
        }
    }

    private static void add(SnapshotWriter writer, byte[] key, byte[] value) {
        try {
            writer.add(key, value);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// Afterwards there is none of that revision.
    public void delete(long revision) throws IOException {
        store.delete(ObjectKeys.snapshot(revision));
    }

    @Override
    public String where() {
        return ObjectKeys.SNAPSHOTS + "* of the object store";
    }

    private static final class Uploading extends OutputStream {
        private final ObjectStore.Upload upload;

        private Uploading(ObjectStore.Upload upload) {
            this.upload = upload;
        }

        @Override
        public void write(int single) throws IOException {
            upload.write(ByteBuffer.wrap(new byte[] {(byte) single}));
        }

        @Override
        public void write(byte[] from, int offset, int length) throws IOException {
            upload.write(ByteBuffer.wrap(from, offset, length));
        }
    }
}
