package io.tarpon.store.directory;

import io.tarpon.store.ObjectSource;
import io.tarpon.store.SourceChangedException;
import io.tarpon.store.SourceObject;
import io.tarpon.store.SourceVisitor;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Optional;

/// A local folder as raw data: every name below it, verbatim, links not followed.
///
/// A key comes from a plan file, so it is treated as hostile: only keys that a listing could have given are resolved,
/// links are followed neither at the end nor on the way ([SourceFile]), and what is no regular file is never opened
/// (opening a pipe would block for good).
public final class DirectorySource implements ObjectSource {
    private final SourceRoot root;
    private final SourceFolders folders;

    /// @param root absolute. Whether it is there shows when something is read; the folder that is there then, or now,
    /// is the source's until this is closed, and another one in its place is an error
    public DirectorySource(Path root) {
        if (!root.isAbsolute()) {
            throw new IllegalArgumentException("a source folder must be an absolute path: " + root);
        }
        this.root = new SourceRoot(root);
        this.folders = new SourceFolders(this.root);
    }

    @Override
    public void list(SourceVisitor visitor) throws IOException {
        listAfter("", visitor);
    }

    @Override
    public void listAfter(String key, SourceVisitor visitor) throws IOException {
        new FolderWalk(root, key, visitor).walk();
    }

    @Override
    public Optional<SourceObject> find(String key) throws IOException {
        root.requireThere();
        try {
            var attributes =
                    Files.readAttributes(folders.resolve(key), BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
            return attributes.isRegularFile()
                    ? Optional.of(SourceObject.file(key, attributes.size(), FileTag.of(attributes)))
                    : Optional.empty();
        } catch (SourceChangedException | NoSuchFileException e) {
            // No listing could give it now.
            root.requireThere();
            return Optional.empty();
        }
    }

    @Override
    public InputStream open(String key, String etag, long sizeBytes) throws IOException {
        var file = file(key, etag, sizeBytes);
        return new SourceFileStream(file, file.open());
    }

    @Override
    public void read(String key, String etag, ByteBuffer into) throws IOException {
        var file = file(key, etag, into.remaining());
        try (FileChannel channel = file.open()) {
            while (into.hasRemaining()) {
                if (channel.read(into) < 0) {
                    throw new SourceChangedException(key, "it is shorter than planned");
                }
            }
            file.check();
        }
    }

    @Override
    public void close() {
        // Holds nothing open between calls.
    }

    private SourceFile file(String key, String etag, long sizeBytes) throws IOException {
        return new SourceFile(root, key, folders.resolve(key), etag, sizeBytes);
    }
}
