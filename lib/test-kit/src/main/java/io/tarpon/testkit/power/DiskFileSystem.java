package io.tarpon.testkit.power;

import java.nio.file.FileStore;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Path;
import java.nio.file.PathMatcher;
import java.nio.file.WatchService;
import java.nio.file.attribute.UserPrincipalLookupService;
import java.nio.file.spi.FileSystemProvider;
import java.util.List;
import java.util.Set;

/// The file system of a [PowerCutDisk].
final class DiskFileSystem extends FileSystem {
    private final PowerCutDisk disk;
    private final DiskProvider provider = new DiskProvider();

    DiskFileSystem(PowerCutDisk disk) {
        this.disk = disk;
    }

    PowerCutDisk disk() {
        return disk;
    }

    DiskPath path(String names) {
        return new DiskPath(this, Path.of(names));
    }

    @Override
    public FileSystemProvider provider() {
        return provider;
    }

    @Override
    public void close() {
        throw new UnsupportedOperationException("it lives as long as its disk");
    }

    @Override
    public boolean isOpen() {
        return true;
    }

    @Override
    public boolean isReadOnly() {
        return false;
    }

    @Override
    public String getSeparator() {
        return "/";
    }

    @Override
    public Iterable<Path> getRootDirectories() {
        return List.of(path("/"));
    }

    @Override
    public Iterable<FileStore> getFileStores() {
        return List.of();
    }

    @Override
    public Set<String> supportedFileAttributeViews() {
        return Set.of("basic");
    }

    @Override
    public Path getPath(String first, String... more) {
        return new DiskPath(this, Path.of(first, more));
    }

    @Override
    public PathMatcher getPathMatcher(String pattern) {
        var matcher = FileSystems.getDefault().getPathMatcher(pattern);
        return path -> matcher.matches(DiskPath.of(path).names());
    }

    @Override
    public UserPrincipalLookupService getUserPrincipalLookupService() {
        throw new UnsupportedOperationException("nobody owns a file here");
    }

    @Override
    public WatchService newWatchService() {
        throw new UnsupportedOperationException("nobody watches this disk");
    }
}
