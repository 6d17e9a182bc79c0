package io.tarpon.store.directory;

import io.tarpon.store.KeyOrder;
import io.tarpon.store.SourceObject;
import io.tarpon.store.SourceVisitor;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// One walk through a folder in key order, one `lstat` for each entry. For one thread.
///
/// A directory sorts as its name and `/`, so what is in `a` comes after `a-b` and `a.jpg`. Whether a name is a
/// directory is only known when its turn comes; it then waits until the next name is greater than name and `/`. Names
/// between them all start with the directory's name, so the waiting ones form a stack whose top comes first.
///
/// What vanishes between being named and being looked at was removed before it was listed: it is left out, unless the
/// root itself is away, which makes everything vanish: that ends the walk, which may go on behind its last key.
final class FolderWalk {
    private static final Comparator<Name> BYTE_ORDER = (a, b) -> Arrays.compareUnsigned(a.bytes, b.bytes);

    private final SourceRoot root;
    private final String after;
    private final SourceVisitor visitor;

    /// @param after only what comes after that key is visited, and folders that hold nothing such are not looked into
    FolderWalk(SourceRoot root, String after, SourceVisitor visitor) {
        this.root = root;
        this.after = after;
        this.visitor = visitor;
    }

    /// @throws IOException naming the folder when it is missing, not a folder or cannot be listed, or when it went away
    /// meanwhile ([SourceRoot#requireThere])
    void walk() throws IOException {
        root.requireThere();
        visit(root.path(), namesOfRoot(), "", true);
        root.requireThere();
    }

    private List<Name> namesOfRoot() throws IOException {
        try {
            return names(root.path());
        } catch (NoSuchFileException | NotDirectoryException e) {
            throw root.away();
        }
    }

    private void visit(Path folder, List<Name> names, String prefix, boolean decodable) throws IOException {
        var waiting = new ArrayDeque<Name>();
        for (int i = 0; i < names.size(); i++) {
            Name name = names.set(i, Name.VISITED);
            while (!waiting.isEmpty() && waiting.getFirst().sortsAsFolderBefore(name)) {
                descend(folder, waiting.removeFirst(), prefix, decodable);
            }
            if (visitUnlessFolder(folder, name, prefix, decodable)) {
                waiting.addFirst(name);
            }
        }
        while (!waiting.isEmpty()) {
            descend(folder, waiting.removeFirst(), prefix, decodable);
        }
    }

    /// Says whether it is a folder.
    private boolean visitUnlessFolder(Path folder, Name name, String prefix, boolean decodable) throws IOException {
        String key = prefix + name.text();
        if (isBefore(key)) {
            return false;
        }
        BasicFileAttributes attributes;
        try {
            attributes = Files.readAttributes(name.in(folder), BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
        } catch (NoSuchFileException e) {
            root.requireThere();
            return false;
        }
        if (attributes.isDirectory()) {
            return true;
        }
        if (KeyOrder.compare(key, after) <= 0) {
            return false;
        }
        if (!decodable || name.undecodable != null) {
            visitor.visit(SourceObject.undecodable(key));
        } else if (attributes.isRegularFile()) {
            visitor.visit(SourceObject.file(key, attributes.size(), FileTag.of(attributes)));
        } else {
            visitor.visit(SourceObject.notRegular(key));
        }
        return false;
    }

    /// Whether it and, should it be a folder, all in it come before what is wanted.
    private boolean isBefore(String key) {
        return KeyOrder.compare(key + "/", after) < 0 && !after.startsWith(key + "/");
    }

    private void descend(Path folder, Name name, String prefix, boolean decodable) throws IOException {
        Path child = name.in(folder);
        List<Name> names;
        try {
            names = names(child);
        } catch (NoSuchFileException | NotDirectoryException e) {
            root.requireThere();
            return;
        }
        visit(child, names, prefix + name.text() + "/", decodable && name.undecodable == null);
    }

    private static List<Name> names(Path folder) throws IOException {
        var names = new ArrayList<Name>();
        try (var entries = Files.newDirectoryStream(folder)) {
            for (Path entry : entries) {
                names.add(Name.of(entry));
            }
        } catch (DirectoryIteratorException e) {
            throw e.getCause();
        } catch (AccessDeniedException e) {
            throw unreadable(folder, e);
        }
        names.sort(BYTE_ORDER);
        return names;
    }

    private static IOException unreadable(Path folder, AccessDeniedException cause) {
        var e = new AccessDeniedException(
                folder.toString(), null, "this process may not list the folder; give it read and execute rights");
        e.initCause(cause);
        return e;
    }

    /// A name as UTF-8, which is compact and sorts as keys do; with its path only where that cannot be made from the
    /// text.
    private record Name(byte[] bytes, @Nullable Path undecodable) {
        static final Name VISITED = new Name(new byte[0], null);

        static Name of(Path entry) throws IOException {
            var name = PrintableName.of(entry);
            return new Name(name.text().getBytes(StandardCharsets.UTF_8), name.decodable() ? null : entry);
        }

        String text() {
            return new String(bytes, StandardCharsets.UTF_8);
        }

        Path in(Path folder) {
            return undecodable == null ? folder.resolve(text()) : undecodable;
        }

        /// Whether this name and `/` sorts before the other, which sorts after this name.
        boolean sortsAsFolderBefore(Name other) {
            int common = Arrays.mismatch(bytes, other.bytes);
            return common < bytes.length || Byte.toUnsignedInt(other.bytes[common]) > '/';
        }
    }
}
