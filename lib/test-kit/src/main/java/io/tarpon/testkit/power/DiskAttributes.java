package io.tarpon.testkit.power;

import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;

/// Attributes of a file of a [PowerCutDisk], as they are now.
record DiskAttributes(Node node) implements BasicFileAttributes {
    @Override
    public FileTime lastModifiedTime() {
        return FileTime.from(node.modified);
    }

    @Override
    public FileTime lastAccessTime() {
        return lastModifiedTime();
    }

    @Override
    public FileTime creationTime() {
        return lastModifiedTime();
    }

    @Override
    public boolean isRegularFile() {
        return !node.isFolder;
    }

    @Override
    public boolean isDirectory() {
        return node.isFolder;
    }

    @Override
    public boolean isSymbolicLink() {
        return false;
    }

    @Override
    public boolean isOther() {
        return false;
    }

    @Override
    public long size() {
        return node.bytes().length;
    }

    @Override
    public Object fileKey() {
        return System.identityHashCode(node);
    }
}
