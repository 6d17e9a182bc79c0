package io.tarpon.metadata.image;

import org.jspecify.annotations.Nullable;

/// Where an image keeps itself: values by key, in order of the keys' unsigned bytes. What is changed is read back at
/// once and lasts from [#commit()] on, all of it or nothing.
///
/// Owned by the image: many threads may read while none changes it.
public interface ImageStore extends AutoCloseable {
    byte @Nullable [] get(byte[] key);

    /// Visits what lies from `from` up to, not including, `to`, until the visitor has enough.
    void scan(byte[] from, byte[] to, Visitor visitor);

    void put(byte[] key, byte[] value);

    void delete(byte[] key);

    /// Deletes what lies from `from` up to, not including, `to`.
    void deleteAll(byte[] from, byte[] to);

    /// Makes the changes since the last commit last through the death of this process. After an exception they are
    /// still here, and it may be tried again.
    ///
    /// @throws ImageStoreException it cannot be done now
    void commit();

    /// What is committed, as of now, for one thread to read however much is changed and committed meanwhile. Takes no
    /// longer the more there is.
    ///
    /// @throws ImageStoreException it cannot be had now
    Frozen freeze();

    @Override
    void close();

    /// The committed content of a store at one moment. Needs nobody's lock.
    interface Frozen extends AutoCloseable {
        /// @throws ImageStoreException it is gone: the store had to be opened anew since, or is closed
        byte @Nullable [] get(byte[] key);

        /// Visits everything in order, until the visitor has enough. No visit keeps the store from anything.
        ///
        /// @throws ImageStoreException it is gone: the store had to be opened anew since, or is closed
        void scan(Visitor visitor);

        @Override
        void close();
    }

    /// One key and its value, neither of which it may change.
    interface Visitor {
        /// Returns whether to go on.
        boolean visit(byte[] key, byte[] value);
    }
}
