package io.tarpon.ingest.disk;

/// Byte strings one after the other. After [#next] said true, the record is `length()` bytes of `bytes()` from
/// `from()` on, until the following call. For one thread; closing it leaves what it reads from open.
public interface Records extends AutoCloseable {
    boolean next() throws SpoolException;

    byte[] bytes();

    int from();

    int length();

    @Override
    default void close() {}
}
