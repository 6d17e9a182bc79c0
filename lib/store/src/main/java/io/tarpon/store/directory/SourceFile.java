package io.tarpon.store.directory;

import io.tarpon.store.SourceChangedException;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Set;

/// One planned file of a folder.
///
/// Races considered: a file changed or replaced before the open is seen by the first [#check], between open and the
/// last byte by the second; a link that takes its place is refused by the kernel at the open; a pipe that takes its
/// place within the microseconds between first check and open would block the reader: nothing in Java opens without
/// that.
record SourceFile(SourceRoot root, String key, Path path, String etag, long sizeBytes) {
    private static final Set<OpenOption> READ_NO_LINK = Set.of(StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS);

    /// @throws SourceChangedException when it is not the planned file
    FileChannel open() throws IOException {
        check();
        try {
            return FileChannel.open(path, READ_NO_LINK);
        } catch (AccessDeniedException e) {
            throw new AccessDeniedException(path.toString(), null, "this process may not read the file");
        } catch (IOException e) {
            check(); // Says so when it vanished or became a link since the first check.
            throw e;
        }
    }

    /// Afterwards the path holds, or held a moment ago, a regular file of the planned size and modification time.
    ///
    /// @throws SourceChangedException when it does not, though the source's folder is there
    void check() throws IOException {
        BasicFileAttributes now;
        try {
            now = Files.readAttributes(path, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
        } catch (NoSuchFileException e) {
            root.requireThere();
            throw gone();
        }
        if (!now.isRegularFile()) {
            throw new SourceChangedException(key, "it is no longer a regular file");
        }
        if (now.size() != sizeBytes) {
            throw new SourceChangedException(key, "it has " + now.size() + " bytes, planned were " + sizeBytes);
        }
        if (!FileTag.of(now).equals(etag)) {
            throw new SourceChangedException(key, "it was written again at " + now.lastModifiedTime());
        }
    }

    private SourceChangedException gone() {
        return new SourceChangedException(key, "it is gone");
    }
}
