package io.tarpon.metadata.image;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// An image as it was saved last, which stays as it is however the image goes on. For one thread; must be closed, for
/// the store holds what it needs until then.
public final class SavedImage implements AutoCloseable {
    private final ImageStore.Frozen store;
    private final StoredImage.@Nullable Counters counters;

    private SavedImage(ImageStore.Frozen store, StoredImage.@Nullable Counters counters) {
        this.store = store;
        this.counters = counters;
    }

    static SavedImage of(ImageStore store) {
        var frozen = store.freeze();
        try {
            return new SavedImage(frozen, StoredImage.counters(frozen));
        } catch (RuntimeException | Error e) {
            frozen.close();
            throw e;
        }
    }

    /// How many entries are in it; 0 where it was never saved.
    public long revision() {
        return counters == null ? 0 : counters.revision();
    }

    /// As [Image#logId()].
    public Optional<String> logId() {
        return Optional.ofNullable(counters).map(StoredImage.Counters::logId);
    }

    /// As [Image#lastEntry()].
    public Optional<String> lastEntry() {
        return Optional.ofNullable(counters).map(StoredImage.Counters::lastEntry);
    }

    /// Visits everything that its store has, of [StoredImage#FORMAT], in order.
    ///
    /// @throws ImageStoreException it is gone; a new one may be had
    public void scan(ImageStore.Visitor visitor) {
        store.scan(visitor);
    }

    @Override
    public void close() {
        store.close();
    }
}
