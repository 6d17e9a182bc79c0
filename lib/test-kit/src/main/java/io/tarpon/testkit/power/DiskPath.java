package io.tarpon.testkit.power;

import java.io.IOException;
import java.net.URI;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.ProviderMismatchException;
import java.nio.file.WatchEvent;
import java.nio.file.WatchKey;
import java.nio.file.WatchService;
import org.jspecify.annotations.Nullable;

/// A path of a [PowerCutDisk]: the names are a path's of this machine, only the files are not.
record DiskPath(DiskFileSystem fileSystem, Path names) implements Path {
    static DiskPath of(Path path) {
        if (path instanceof DiskPath own) {
            return own;
        }
        throw new ProviderMismatchException(path.toString());
    }

    private static Path names(Path path) {
        return of(path).names;
    }

    private @Nullable Path wrap(@Nullable Path path) {
        return path == null ? null : new DiskPath(fileSystem, path);
    }

    private Path own(Path path) {
        return new DiskPath(fileSystem, path);
    }

    @Override
    public DiskFileSystem getFileSystem() {
        return fileSystem;
    }

    @Override
    public boolean isAbsolute() {
        return names.isAbsolute();
    }

    @Override
    public @Nullable Path getRoot() {
        return wrap(names.getRoot());
    }

    @Override
    public @Nullable Path getFileName() {
        return wrap(names.getFileName());
    }

    @Override
    public @Nullable Path getParent() {
        return wrap(names.getParent());
    }

    @Override
    public int getNameCount() {
        return names.getNameCount();
    }

    @Override
    public Path getName(int index) {
        return own(names.getName(index));
    }

    @Override
    public Path subpath(int begin, int end) {
        return own(names.subpath(begin, end));
    }

    @Override
    public boolean startsWith(Path other) {
        return names.startsWith(names(other));
    }

    @Override
    public boolean endsWith(Path other) {
        return names.endsWith(names(other));
    }

    @Override
    public Path normalize() {
        return own(names.normalize());
    }

    @Override
    public Path resolve(Path other) {
        return own(names.resolve(names(other)));
    }

    @Override
    public Path relativize(Path other) {
        return own(names.relativize(names(other)));
    }

    @Override
    public URI toUri() {
        return URI.create("powercut:" + names);
    }

    @Override
    public Path toAbsolutePath() {
        return own(Path.of("/").resolve(names));
    }

    @Override
    public Path toRealPath(LinkOption... options) throws IOException {
        fileSystem.disk().node(this);
        return toAbsolutePath().normalize();
    }

    @Override
    public WatchKey register(WatchService watcher, WatchEvent.Kind<?>[] events, WatchEvent.Modifier... modifiers) {
        throw new UnsupportedOperationException("nobody watches this disk");
    }

    @Override
    public int compareTo(Path other) {
        return names.compareTo(names(other));
    }

    @Override
    public String toString() {
        return names.toString();
    }
}
