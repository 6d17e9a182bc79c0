package io.tarpon.store.directory;

import java.nio.file.attribute.BasicFileAttributes;
import java.util.concurrent.TimeUnit;

/// The ETag of a file in a folder: modification time in nanoseconds and size, in hex. A file that is written again
/// with the same length within one tick of the file system's clock keeps it.
final class FileTag {
    private FileTag() {}

    static String of(BasicFileAttributes attributes) {
        long modifiedNanos = attributes.lastModifiedTime().to(TimeUnit.NANOSECONDS);
        return Long.toHexString(modifiedNanos) + "-" + Long.toHexString(attributes.size());
    }
}
