package io.tarpon.store.directory;

import io.tarpon.store.AbandonedUpload;
import io.tarpon.store.AbandonedVisitor;
import io.tarpon.store.NoSuchObjectException;
import io.tarpon.store.ObjectStore;
import io.tarpon.store.StoreKeys;
import io.tarpon.store.StoreVisitor;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Duration;
import java.util.Objects;
import java.util.OptionalLong;
import org.jboss.logging.Logger;

/// Our objects as files of a local folder, which several processes of one machine may share.
///
/// A write goes to [Scratch], is forced, renamed to its place, and the place's folder is forced: a crash before the
/// rename leaves the old object and a leftover that the next open removes, a crash after it the new one.
public final class DirectoryStore implements ObjectStore {
    private static final Logger LOG = Logger.getLogger(DirectoryStore.class);
    private static final String SCRATCH = ".tmp";

    private final Path root;
    private final StoreLayout layout;
    private final Scratch scratch;

    private DirectoryStore(Path root, Scratch scratch) {
        this.root = root;
        this.layout = new StoreLayout(root);
        this.scratch = scratch;
    }

    /// Opens the store, makes its folder when missing, and removes what dead processes left half written.
    public static DirectoryStore open(Path root) throws IOException {
        if (!root.isAbsolute()) {
            throw new IllegalArgumentException("a store's folder must be an absolute path: " + root);
        }
        return new DirectoryStore(root, Scratch.open(root.resolve(SCRATCH)));
    }

    @Override
    public OptionalLong size(String key) throws IOException {
        return size(path(key));
    }

    @Override
    public InputStream open(String key, long offset, long lengthBytes) throws IOException {
        Objects.checkFromIndexSize(offset, lengthBytes, Long.MAX_VALUE);
        FileChannel channel = channel(key);
        try {
            if (channel.size() - offset < lengthBytes) {
                throw new EOFException(
                        key + " has " + channel.size() + " bytes, asked for " + lengthBytes + " from " + offset);
            }
            return new FileRangeStream(key, channel, offset, lengthBytes);
        } catch (IOException e) {
            channel.close();
            throw e;
        }
    }

    @Override
    public byte[] read(String key, int maxBytes) throws IOException {
        try (FileChannel channel = channel(key)) {
            long sizeBytes = channel.size();
            if (sizeBytes > maxBytes) {
                throw new IOException(key + " has " + sizeBytes + " bytes, at most " + maxBytes + " are taken");
            }
            var bytes = ByteBuffer.allocate((int) sizeBytes);
            while (bytes.hasRemaining()) {
                if (channel.read(bytes) < 0) {
                    throw new EOFException(key + " became shorter while it was read");
                }
            }
            return bytes.array();
        }
    }

    @Override
    public void write(String key, byte[] bytes) throws IOException {
        try (Upload upload = upload(key)) {
            upload.write(ByteBuffer.wrap(bytes));
            upload.complete();
        }
    }

    @Override
    public Upload upload(String key) throws IOException {
        return new FileUpload(root, scratch.next(), path(key));
    }

    @Override
    public void list(String prefix, StoreVisitor visitor) throws IOException {
        layout.list(prefix, visitor);
    }

    @Override
    public void delete(String key) throws IOException {
        Path path = path(key);
        if (size(path).isEmpty()) {
            return;
        }
        Files.deleteIfExists(path);
        prune(Objects.requireNonNull(path.getParent()));
    }

    @Override
    public void abandoned(Duration olderThan, AbandonedVisitor visitor) throws IOException {
        scratch.abandoned(olderThan, visitor);
    }

    @Override
    public void abandon(AbandonedUpload upload) throws IOException {
        scratch.abandon(upload);
    }

    @Override
    public void close() {
        try {
            scratch.close();
        } catch (IOException e) {
            // Only leftovers, and the next open removes them.
            LOG.warnf(e, "scratch files not removed root=%s", root);
        }
    }

    private Path path(String key) {
        return layout.path(StoreKeys.require(key));
    }

    private FileChannel channel(String key) throws IOException {
        Path path = path(key);
        try {
            if (size(path).isPresent()) {
                return FileChannel.open(path, StandardOpenOption.READ);
            }
        } catch (NoSuchFileException e) {
            // Deleted since the line before.
        }
        throw new NoSuchObjectException(key);
    }

    private OptionalLong size(Path path) throws IOException {
        try {
            var attributes = Files.readAttributes(path, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
            return attributes.isRegularFile() ? OptionalLong.of(attributes.size()) : OptionalLong.empty();
        } catch (NoSuchFileException e) {
            requireThere();
            return OptionalLong.empty();
        } catch (FileSystemException e) {
            if (isBelowFile(path)) {
                return OptionalLong.empty();
            }
            throw e;
        }
    }

    /// A file system that is not mounted looks like a store without an object: what was opened in it is missing then.
    private void requireThere() throws IOException {
        if (!scratch.isThere()) {
            throw new IOException("the folder of the store is not there, or is another: " + root);
        }
    }

    /// Whether a part of the key that would have to be a folder is an object.
    private boolean isBelowFile(Path path) {
        for (Path at = path.getParent(); at != null && !at.equals(root); at = at.getParent()) {
            if (Files.isRegularFile(at, LinkOption.NOFOLLOW_LINKS)) {
                return true;
            }
        }
        return false;
    }

    /// Removes folders that became empty.
    private void prune(Path folder) throws IOException {
        Path at = folder;
        try {
            while (!at.equals(root)) {
                Files.deleteIfExists(at);
                at = Objects.requireNonNull(at.getParent());
            }
        } catch (DirectoryNotEmptyException e) {
            // Something else is kept here.
        }
        DurableFolders.forceUpTo(root, at);
    }
}
