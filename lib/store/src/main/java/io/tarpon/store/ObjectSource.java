package io.tarpon.store;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.Optional;

/// Raw data in: objects that somebody else wrote and may still change.
///
/// Keys are Unicode strings relative to the source's root or prefix, parts separated by `/`. They are data, never
/// paths: an adapter resolves them itself and reaches nothing outside its root.
///
/// Safe for use by several threads. What it does not promise: a listing is not a snapshot. What is added or removed
/// while it runs may be in it or not; what was changed after it was listed is noticed when it is read.
public interface ObjectSource extends AutoCloseable {
    /// Visits every object once, in the order of [KeyOrder] (unsigned bytes of the key's UTF-8), as a stream: memory
    /// does not grow with the number of objects, except that a folder needs the names of one directory for each
    /// level.
    ///
    /// @throws IOException when the source is missing or cannot be read (names what), or from the visitor. The
    /// listing is then incomplete and worth nothing
    void list(SourceVisitor visitor) throws IOException;

    /// The same from behind a key on, so that a listing which broke off goes on where it was: visits only objects
    /// whose keys come after that one in the order of [KeyOrder]. Adapters skip what comes before; this does not.
    ///
    /// @param key of an object that was visited, or any other; empty for all objects
    default void listAfter(String key, SourceVisitor visitor) throws IOException {
        list(object -> {
            if (KeyOrder.compare(object.key(), key) > 0) {
                visitor.visit(object);
            }
        });
    }

    /// The one object of that key as a listing would give it now, if it is one that can be read
    /// ([SourceObject.Kind#FILE]); empty when there is none, or what has that key is something else. Costs one
    /// look, not a listing.
    ///
    /// @throws IOException when the source is missing (names it) or cannot be asked
    Optional<SourceObject> find(String key) throws IOException;

    /// The bytes of the object as it was listed, exactly `size` of them. That it is still that object is
    /// checked before the last byte is handed out; an object of no bytes is checked here.
    ///
    /// @throws SourceChangedException here or while reading: it is gone, has another ETag, or is shorter or longer
    InputStream open(String key, String etag, long size) throws IOException;

    /// The whole object, which must have exactly `into.remaining()` bytes, as it was listed with that ETag. For small
    /// objects: cheaper than [#open]. After an exception the contents of `into` are worth nothing.
    ///
    /// @throws SourceChangedException as [#open]
    default void read(String key, String etag, ByteBuffer into) throws IOException {
        try (var in = open(key, etag, into.remaining())) {
            var chunk = new byte[Math.clamp(into.remaining(), 1, 64 * 1024)];
            while (into.hasRemaining()) {
                int count = in.read(chunk, 0, Math.min(chunk.length, into.remaining()));
                if (count < 0) {
                    throw new SourceChangedException(key, "it is shorter than planned");
                }
                into.put(chunk, 0, count);
            }
        }
    }

    @Override
    void close();
}
