package io.tarpon.store.directory;

import io.tarpon.store.SourceChangedException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;

/// Resolves keys strictly below a source's root. Safe for several threads.
///
/// That no link stands in for a folder on the way is looked up once a second for each folder, not once a file: a link
/// put there meanwhile is followed for at most that long, and only to a file of exactly the planned size and
/// modification time.
final class SourceFolders {
    private static final long TRUSTED_NANOS = 1_000_000_000L;
    private static final int REMEMBERED = 4096;

    private final SourceRoot root;
    private final ConcurrentHashMap<Path, Long> checkedAt = new ConcurrentHashMap<>();

    SourceFolders(SourceRoot root) {
        this.root = root;
    }

    /// @throws SourceChangedException when no listing of the root could hold the key, though the root is there
    Path resolve(String key) throws IOException {
        if (key.isEmpty() || key.indexOf('\0') >= 0) {
            throw impossible(key);
        }
        for (String part : key.split("/", -1)) {
            if (part.isEmpty() || part.equals(".") || part.equals("..")) {
                throw impossible(key);
            }
        }
        try {
            Path path = root.path().resolve(key);
            checkFolder(key, Objects.requireNonNull(path.getParent()));
            return path;
        } catch (InvalidPathException e) {
            throw impossible(key);
        }
    }

    private void checkFolder(String key, Path folder) throws IOException {
        Long checked = checkedAt.get(folder);
        long now = System.nanoTime();
        if (checked != null && now - checked < TRUSTED_NANOS) {
            return;
        }
        for (Path at = folder; at != null && !at.equals(root.path()); at = at.getParent()) {
            if (!Files.isDirectory(at, LinkOption.NOFOLLOW_LINKS)) {
                root.requireThere();
                throw new SourceChangedException(
                        key, "its folder " + root.path().relativize(at) + " is gone or became a link");
            }
        }
        if (checkedAt.size() >= REMEMBERED) {
            checkedAt.clear();
        }
        checkedAt.put(folder, now);
    }

    private static SourceChangedException impossible(String key) {
        return new SourceChangedException(key, "a folder cannot hold an object of that key");
    }
}
