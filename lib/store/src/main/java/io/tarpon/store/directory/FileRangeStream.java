package io.tarpon.store.directory;

import java.io.EOFException;
import java.io.IOException;
import java.nio.channels.FileChannel;

/// One range of an object's file.
final class FileRangeStream extends FileStream {
    private final String key;

    FileRangeStream(String key, FileChannel channel, long offset, long lengthBytes) {
        super(channel, offset, lengthBytes);
        this.key = key;
    }

    @Override
    IOException tooShort() {
        return new EOFException(key + " became shorter while it was read");
    }

    /// Objects are replaced, never changed: the open file is the object.
    @Override
    void atTheEnd() {}
}
