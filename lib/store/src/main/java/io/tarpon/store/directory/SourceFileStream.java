package io.tarpon.store.directory;

import io.tarpon.store.SourceChangedException;
import java.io.IOException;
import java.nio.channels.FileChannel;

/// The bytes of a planned file; the call that would hand out the last of them first checks that it is still that
/// file.
final class SourceFileStream extends FileStream {
    private final SourceFile file;

    SourceFileStream(SourceFile file, FileChannel channel) {
        super(channel, 0, file.sizeBytes());
        this.file = file;
    }

    @Override
    IOException tooShort() {
        return new SourceChangedException(file.key(), "it is shorter than planned");
    }

    @Override
    void atTheEnd() throws IOException {
        file.check();
    }
}
