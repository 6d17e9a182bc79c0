package io.tarpon.store;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Collection;
import java.util.OptionalLong;

/// What is ours: plans, tars, indexes, reports.
///
/// Keys are data, never paths: any text of 1 to 1,024 UTF-8 bytes without NUL, parts separated by `/`. Safe for use
/// by several threads and processes.
///
/// What it does not promise: a key that is also a folder of another key (`a` beside `a/b`) may be refused; of several
/// writers of one key one wins whole, and which is open.
public interface ObjectStore extends AutoCloseable {
    /// The object's length in bytes, empty when there is none of that key.
    OptionalLong size(String key) throws IOException;

    /// Exactly `lengthBytes` bytes from `offset`: the stream ends after them, and breaks with an exception rather
    /// than end early.
    ///
    /// @throws NoSuchObjectException when there is none of that key
    InputStream open(String key, long offset, long lengthBytes) throws IOException;

    /// The whole object.
    ///
    /// @throws NoSuchObjectException when there is none of that key
    /// @throws IOException also when it has more than `maxBytes` bytes
    byte[] read(String key, int maxBytes) throws IOException;

    /// When it returns, the object is there whole and survives a crash of everything; it replaces what had that key.
    /// After an exception the key holds the old object or the new one, never a part.
    void write(String key, byte[] bytes) throws IOException;

    /// A write of any length in bounded memory. Nothing is visible before [Upload#complete].
    Upload upload(String key) throws IOException;

    /// Visits every object whose key starts with `prefix`, in the order of [KeyOrder].
    void list(String prefix, StoreVisitor visitor) throws IOException;

    /// Afterwards there is no object of that key; that there was none is no error.
    void delete(String key) throws IOException;

    /// As [#delete] of each, in few requests where the store can. After an exception some of them may be gone.
    default void deleteAll(Collection<String> keys) throws IOException {
        for (var key : keys) {
            delete(key);
        }
    }

    /// Visits every upload of this store, whoever began it, that is older than `olderThan` and neither completed nor
    /// thrown away. An upload that still runs looks no different: ask for more than the longest may take.
    ///
    /// @throws IllegalArgumentException when `olderThan` is negative
    void abandoned(Duration olderThan, AbandonedVisitor visitor) throws IOException;

    /// Afterwards that upload takes no space and can no longer be completed. One that was completed or thrown away, or
    /// in a folder written to, since it was visited is left as it is.
    void abandon(AbandonedUpload upload) throws IOException;

    @Override
    void close();

    /// One write in progress, for one thread at a time.
    interface Upload extends AutoCloseable {
        /// Takes all remaining bytes; they may be reused when it returns.
        void write(ByteBuffer bytes) throws IOException;

        /// Makes the object visible and durable, as [ObjectStore#write]. After an exception the key holds the old
        /// object or the new one.
        void complete() throws IOException;

        /// Without [#complete] before it: throws the bytes away. Leaves no open resource in any case.
        @Override
        void close();
    }
}
