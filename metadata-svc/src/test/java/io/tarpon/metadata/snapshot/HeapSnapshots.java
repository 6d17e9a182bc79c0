package io.tarpon.metadata.snapshot;

import io.tarpon.metadata.image.SavedImage;
import io.tarpon.metadata.image.StoredImage;
import io.tarpon.store.NoSuchObjectException;
import io.tarpon.wire.ObjectKeys;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;

/// Snapshots in memory. For one thread.
public final class HeapSnapshots implements Snapshots {
    private final NavigableMap<Long, byte[]> snapshots = new TreeMap<>(Collections.reverseOrder());

    /// @param image of revision 1 or later
    public void write(SavedImage image) throws IOException {
        var bytes = new ByteArrayOutputStream();
        var writer = new SnapshotWriter(
                bytes,
                new SnapshotHeader(
                        StoredImage.FORMAT,
                        image.revision(),
                        Instant.EPOCH,
                        image.logId().orElse(null),
                        image.lastEntry().orElse(null)));
        image.scan((key, value) -> {
            try {
                writer.add(key, value);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
            return true;
        });
        writer.finish();
        snapshots.put(image.revision(), bytes.toByteArray());
    }

    @Override
    public List<Long> revisions() {
        return List.copyOf(snapshots.keySet());
    }

    @Override
    public SnapshotReader open(long revision) throws IOException {
        var bytes = snapshots.get(revision);
        if (bytes == null) {
            throw new NoSuchObjectException(ObjectKeys.snapshot(revision));
        }
        return new SnapshotReader(ObjectKeys.snapshot(revision), new ByteArrayInputStream(bytes));
    }

    @Override
    public String where() {
        return "memory";
    }
}
