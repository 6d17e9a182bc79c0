package io.tarpon.testkit.power;

import java.io.IOException;
import java.net.URI;
import java.nio.channels.FileChannel;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.AccessMode;
import java.nio.file.CopyOption;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileStore;
import java.nio.file.FileSystem;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.FileAttributeView;
import java.nio.file.spi.FileSystemProvider;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// What `Files` and `FileChannel` ask of a [PowerCutDisk]. What nobody has needed yet is refused.
final class DiskProvider extends FileSystemProvider {
    private static PowerCutDisk disk(Path path) {
        return DiskPath.of(path).fileSystem().disk();
    }

    @Override
    public String getScheme() {
        return "powercut";
    }

    @Override
    public FileChannel newFileChannel(Path path, Set<? extends OpenOption> options, FileAttribute<?>... attributes)
            throws IOException {
        var disk = disk(path);
        if (options.contains(StandardOpenOption.CREATE_NEW)) {
            return new DiskChannel(disk, disk.create(path, false));
        }
        try {
            return new DiskChannel(disk, disk.node(path));
        } catch (NoSuchFileException e) {
            if (!options.contains(StandardOpenOption.CREATE)) {
                throw e;
            }
            return new DiskChannel(disk, disk.create(path, false));
        }
    }

    @Override
    public SeekableByteChannel newByteChannel(
            Path path, Set<? extends OpenOption> options, FileAttribute<?>... attributes) throws IOException {
        return newFileChannel(path, options, attributes);
    }

    @Override
    public DirectoryStream<Path> newDirectoryStream(Path folder, DirectoryStream.Filter<? super Path> filter)
            throws IOException {
        var node = disk(folder).node(folder);
        if (!node.isFolder) {
            throw new NotDirectoryException(folder.toString());
        }
        var found = new ArrayList<Path>();
        for (var name : List.copyOf(node.entries.keySet())) {
            var path = folder.resolve(name);
            if (filter.accept(path)) {
                found.add(path);
            }
        }
        return new DirectoryStream<>() {
            @Override
            public Iterator<Path> iterator() {
                if (disk(folder).failsListings()) {
                    throw new DirectoryIteratorException(new IOException("Input/output error"));
                }
                return found.iterator();
            }

            @Override
            public void close() {
                // Nothing is open.
            }
        };
    }

    @Override
    public void createDirectory(Path folder, FileAttribute<?>... attributes) throws IOException {
        disk(folder).create(folder, true);
    }

    @Override
    public void delete(Path path) throws IOException {
        disk(path).node(path);
        disk(path).delete(path);
    }

    @Override
    public void move(Path source, Path target, CopyOption... options) throws IOException {
        disk(source).move(source, target);
    }

    @Override
    public boolean isSameFile(Path path, Path other) throws IOException {
        return disk(path).node(path) == disk(other).node(other);
    }

    @Override
    public boolean isHidden(Path path) {
        return false;
    }

    @Override
    public void checkAccess(Path path, AccessMode... modes) throws IOException {
        disk(path).node(path);
    }

    @Override
    public <A extends BasicFileAttributes> A readAttributes(Path path, Class<A> type, LinkOption... options)
            throws IOException {
        return type.cast(new DiskAttributes(disk(path).node(path)));
    }

    @Override
    public void copy(Path source, Path target, CopyOption... options) throws IOException {
        throw new FileAlreadyExistsException(target.toString(), source.toString(), "nothing is copied here");
    }

    @Override
    public Map<String, Object> readAttributes(Path path, String attributes, LinkOption... options) {
        throw new UnsupportedOperationException("attributes by name: " + attributes);
    }

    @Override
    public void setAttribute(Path path, String attribute, Object value, LinkOption... options) {
        throw new UnsupportedOperationException("attribute " + attribute);
    }

    @Override
    public <V extends FileAttributeView> @Nullable V getFileAttributeView(
            Path path, Class<V> type, LinkOption... options) {
        return null;
    }

    @Override
    public FileStore getFileStore(Path path) {
        throw new UnsupportedOperationException("this disk has no end");
    }

    @Override
    public FileSystem newFileSystem(URI uri, Map<String, ?> environment) {
        throw new UnsupportedOperationException("a PowerCutDisk makes its own");
    }

    @Override
    public FileSystem getFileSystem(URI uri) {
        throw new UnsupportedOperationException("a PowerCutDisk has no name");
    }

    @Override
    public Path getPath(URI uri) {
        throw new UnsupportedOperationException("a PowerCutDisk has no name");
    }
}
