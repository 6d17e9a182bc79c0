package io.tarpon.store.directory;

import io.tarpon.store.KeyOrder;
import io.tarpon.store.StoreVisitor;
import io.tarpon.store.StoredObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;

/// Where a key's file is below a store's root, and which keys the files there have. Memory of a listing: one folder
/// for each level.
final class StoreLayout {
    private final Path root;

    StoreLayout(Path root) {
        this.root = root;
    }

    Path path(String key) {
        return folder(key.split("/", -1));
    }

    void list(String prefix, StoreVisitor visitor) throws IOException {
        int slash = prefix.lastIndexOf('/');
        Path start = slash < 0 ? root : folder(prefix.substring(0, slash).split("/", -1));
        visit(start, prefix.substring(0, slash + 1), prefix, visitor);
    }

    private Path folder(String[] parts) {
        Path path = root;
        for (String part : parts) {
            for (String name : FileNames.of(part)) {
                path = path.resolve(name);
            }
        }
        return path;
    }

    private void visit(Path folder, String above, String prefix, StoreVisitor visitor) throws IOException {
        var entries = new ArrayList<Entry>();
        collect(folder, "", above, entries);
        entries.removeIf(entry -> !entry.key.startsWith(prefix));
        entries.sort((a, b) -> KeyOrder.compare(a.key, b.key));
        for (Entry entry : entries) {
            if (entry.isFolder()) {
                visit(entry.path, entry.key, prefix, visitor);
            } else {
                visitor.visit(new StoredObject(entry.key, entry.sizeBytes));
            }
        }
    }

    /// Adds what a folder holds; a name that continues in a folder of its own is put together first. What vanishes
    /// meanwhile was deleted.
    private void collect(Path folder, String begun, String above, List<Entry> into) throws IOException {
        try (var files = Files.newDirectoryStream(folder)) {
            for (Path file : files) {
                String name = file.getFileName().toString();
                if (name.startsWith(".")) {
                    continue; // Ours, but no object: no escaped name starts so.
                }
                String escaped = joined(file, begun, name);
                if (FileNames.continues(name)) {
                    collect(file, escaped, above, into);
                } else {
                    add(file, above + part(file, escaped), into);
                }
            }
        } catch (NoSuchFileException | NotDirectoryException e) {
            // Deleted and its folder pruned, or nothing of that prefix was ever written.
        }
    }

    private static void add(Path file, String key, List<Entry> into) throws IOException {
        try {
            var attributes = Files.readAttributes(file, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
            if (attributes.isDirectory()) {
                into.add(new Entry(key + "/", file, -1));
            } else if (attributes.isRegularFile()) {
                into.add(new Entry(key, file, attributes.size()));
            } else {
                throw new IOException("the store holds what it never wrote, neither file nor folder: " + file);
            }
        } catch (NoSuchFileException e) {
            // Deleted since it was named.
        }
    }

    private static String joined(Path file, String begun, String name) throws IOException {
        try {
            return FileNames.join(begun, name);
        } catch (IllegalArgumentException e) {
            throw foreign(file, e);
        }
    }

    private static String part(Path file, String escaped) throws IOException {
        try {
            return FileNames.part(escaped);
        } catch (IllegalArgumentException e) {
            throw foreign(file, e);
        }
    }

    private static IOException foreign(Path file, IllegalArgumentException cause) {
        return new IOException("the store holds a file that it never wrote: " + file, cause);
    }

    private record Entry(String key, Path path, long sizeBytes) {
        boolean isFolder() {
            return sizeBytes < 0;
        }
    }
}
