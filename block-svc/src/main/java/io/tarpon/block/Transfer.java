package io.tarpon.block;

import io.tarpon.blocks.disk.BlockFileWriter;
import io.tarpon.blocks.disk.DamagedBlockException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/// Bytes from one source into a block file, from where the file stands to the block's end. What goes wrong with the
/// source is a
/// [SourceException], and another source may go on; what goes wrong with the file is any other [IOException].
final class Transfer {
    private static final int BUFFER_BYTES = 64 << 10;

    private final Fill fill;
    private final BlockFileWriter writer;
    private final LongConsumer counter;
    private final DiskLane disk;
    private final Runnable late;

    /// @param counter is told how many bytes were checked and kept
    /// @param disk that the file is on
    /// @param late is told where it does not take the bytes in time
    Transfer(Fill fill, BlockFileWriter writer, LongConsumer counter, DiskLane disk, Runnable late) {
        this.disk = disk;
        this.late = late;
        this.fill = fill;
        this.writer = writer;
        this.counter = counter;
    }

    void run(Source source) throws IOException {
        var position = writer.verifiedBytes();
        var length = fill.plan().length();
        var buffer = new byte[BUFFER_BYTES];
        try (var in = open(source, position)) {
            while (position < length) {
                var count = read(in, buffer);
                keep(ByteBuffer.wrap(buffer, 0, count));
                position += count;
            }
        }
    }

    private void keep(ByteBuffer bytes) throws IOException {
        var before = writer.verifiedBytes();
        try {
            disk.call(
                    () -> {
                        writer.write(bytes);
                        return true;
                    },
                    late);
        } catch (DamagedBlockException e) {
            throw new SourceException("sub-block " + e.subBlock() + " came damaged", true, e);
        } finally {
            var verified = writer.verifiedBytes();
            if (verified > before) {
                counter.accept(verified - before);
                fill.progress(writer.file(), verified);
            }
        }
    }

    private static InputStream open(Source source, long from) throws SourceException {
        try {
            return source.open(from);
        } catch (IOException | IllegalArgumentException e) {
            throw new SourceException(String.valueOf(e.getMessage()), false, e);
        }
    }

    private static int read(InputStream in, byte[] buffer) throws SourceException {
        int count;
        try {
            count = in.read(buffer);
        } catch (IOException e) {
            throw new SourceException(String.valueOf(e.getMessage()), false, e);
        }
        if (count < 0) {
            throw new SourceException("the bytes ended early", false, null);
        }
        return count;
    }

    /// Where bytes of the block come from.
    @FunctionalInterface
    interface Source {
        /// The block's bytes from `from` to its end.
        InputStream open(long from) throws IOException;
    }

    /// The source failed, not this node.
    static final class SourceException extends IOException {
        private static final long serialVersionUID = 1L;

        private final boolean damaged;

        SourceException(String reason, boolean damaged, @Nullable Throwable cause) {
            super(reason, cause);
            this.damaged = damaged;
        }

        /// Whether it sent bytes that are not the block's.
        boolean damaged() {
            return damaged;
        }
    }
}
