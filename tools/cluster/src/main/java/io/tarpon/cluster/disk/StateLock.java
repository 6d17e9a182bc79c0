package io.tarpon.cluster.disk;

import io.tarpon.cluster.CommandFailure;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/// A lock between commands, by the operating system: it ends with the process that holds it, however that ends.
/// Its file stays and holds nothing.
public final class StateLock implements AutoCloseable {
    private static final Duration POLL = Duration.ofMillis(50);

    private final FileChannel channel;

    private StateLock(FileChannel channel) {
        this.channel = channel;
    }

    /// Waits for the lock at most `patience`.
    static StateLock acquire(Path file, Duration patience) {
        var deadline = Instant.now().plus(patience);
        try {
            var channel = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
            while (tryLock(channel) == null) {
                if (Instant.now().isAfter(deadline)) {
                    channel.close();
                    throw CommandFailure.failed(
                            "another tarpon command has been changing " + file.getParent() + " for over "
                                    + patience.toSeconds() + " s",
                            "wait until it is done, or end it, then try again");
                }
                Thread.sleep(POLL);
            }
            return new StateLock(channel);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw CommandFailure.failed("interrupted", "");
        } catch (IOException e) {
            throw CommandFailure.failed("cannot lock " + file + ": " + e, "check the rights of the folder");
        }
    }

    private static @Nullable FileLock tryLock(FileChannel channel) throws IOException {
        try {
            return channel.tryLock();
        } catch (OverlappingFileLockException e) {
            // Held by another thread of this process.
            return null;
        }
    }

    @Override
    public void close() {
        try {
            channel.close();
        } catch (IOException e) {
            throw CommandFailure.failed("cannot unlock the state folder: " + e, "check its disk");
        }
    }
}
