package io.tarpon.metadata.image;

import io.tarpon.wire.json.Json;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// Puts another image into the store of an image, and then into the image. One thread, and nobody else may use the
/// image meanwhile.
///
/// Crash points: the first write deletes everything and marks the store as unfinished; what the store then has is no
/// image, and who opens it makes it anew. The counters, which end that, are in the last write, which is made only
/// once whoever brings the parts knows that he brought all.
public final class Refill {
    private static final long BATCH_BYTES = 4 << 20;

    private final Image image;
    private final ImageStore store;
    private long waiting;
    private byte @Nullable [] counters;

    private Refill(Image image) {
        this.image = image;
        this.store = image.store;
    }

    static Refill begin(Image image) {
        StoredImage.clear(image.store);
        image.store.commit();
        image.reload();
        return new Refill(image);
    }

    /// Takes a part as [SavedImage#scan] gave it.
    ///
    /// @throws ImageStoreException the store has no room for it; begin anew, later
    public void put(byte[] key, byte[] value) {
        if (Arrays.equals(key, StoreKeys.COUNTERS)) {
            counters = value;
            return;
        }
        store.put(key, value);
        waiting += key.length + value.length;
        if (waiting >= BATCH_BYTES) {
            store.commit();
            waiting = 0;
        }
    }

    /// The revision that the parts say they are of; 0 where they do not.
    public long revision() {
        return counters == null
                ? 0
                : StoredImage.read(counters, StoredImage.Counters.class).revision();
    }

    /// All parts are there and whole: they are the image from here on.
    ///
    /// @throws IllegalStateException they are of no revision, or of a log that this build cannot read
    /// @throws ImageStoreException the store has no room for it; begin anew, later
    public void finish() {
        if (counters == null) {
            throw new IllegalStateException("what was put in is no image: it has no revision");
        }
        store.put(StoreKeys.COUNTERS, counters);
        store.commit();
        image.reload();
    }

    /// As [#finish], and they are of another log than before, where that had an id. Returns whether it had: a log
    /// without one gets it with its first entry.
    public boolean finishAs(String newLogId) {
        if (counters != null) {
            var before = StoredImage.read(counters, StoredImage.Counters.class);
            if (before.logId() != null) {
                counters = Json.bytes(before.of(newLogId));
            }
        }
        finish();
        return image.logId().isPresent();
    }
}
