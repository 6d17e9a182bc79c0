package io.tarpon.store.directory;

import io.tarpon.store.ObjectStore;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Objects;
import org.jboss.logging.Logger;

/// One write to a temporary file and its durable move into place.
///
/// A failed force is never tried again on the same file: the kernel may have dropped the pages and would report
/// success.
final class FileUpload implements ObjectStore.Upload {
    private static final Logger LOG = Logger.getLogger(FileUpload.class);
    /// A delete beside us may prune the folder between its making and the move.
    private static final int MOVE_ATTEMPTS = 100;

    private final Path root;
    private final Path temporary;
    private final Path target;
    private final FileChannel channel;
    private boolean moved;

    FileUpload(Path root, Path temporary, Path target) throws IOException {
        this.root = root;
        this.temporary = temporary;
        this.target = target;
        this.channel = FileChannel.open(temporary, StandardOpenOption.WRITE, StandardOpenOption.CREATE_NEW);
    }

    @Override
    public void write(ByteBuffer bytes) throws IOException {
        while (bytes.hasRemaining()) {
            channel.write(bytes);
        }
    }

    @Override
    public void complete() throws IOException {
        try (channel) {
            channel.force(true);
        }
        Path folder = Objects.requireNonNull(target.getParent());
        moveInto(folder);
        moved = true;
        DurableFolders.forceUpTo(root, folder);
    }

    private void moveInto(Path folder) throws IOException {
        for (int attempt = 1; ; attempt++) {
            try {
                Files.createDirectories(folder);
                Files.move(temporary, target, StandardCopyOption.ATOMIC_MOVE);
                return;
            } catch (NoSuchFileException | FileAlreadyExistsException e) {
                if (attempt == MOVE_ATTEMPTS || !Files.exists(temporary)) {
                    throw e;
                }
            }
        }
    }

    @Override
    public void close() {
        if (moved) {
            return;
        }
        try (channel) {
            Files.deleteIfExists(temporary);
        } catch (IOException e) {
            // Only a leftover, and the next open of the store removes it.
            LOG.warnf(e, "temporary file not removed file=%s", temporary);
        }
    }
}
