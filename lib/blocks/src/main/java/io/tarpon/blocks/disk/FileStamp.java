package io.tarpon.blocks.disk;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;

/// What a name in a folder stands for at one moment. Another file at that name, or a write to the same one, gives
/// another stamp; bytes that a disk lost by itself do not, and are found by their CRC.
///
/// @param file device and inode
record FileStamp(Object file, long bytes, FileTime written) {
    /// @throws java.nio.file.NoSuchFileException where nothing has that name
    static FileStamp of(Path path) throws IOException {
        var attributes = Files.readAttributes(path, BasicFileAttributes.class);
        var key = attributes.fileKey();
        return new FileStamp(key == null ? "" : key, attributes.size(), attributes.lastModifiedTime());
    }
}
