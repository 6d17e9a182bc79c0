package io.tarpon.testkit.power;

import java.io.IOException;
import java.nio.file.AtomicMoveNotSupportedException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/// A disk in memory, below [#root], that forgets at a cut what POSIX allows it to forget: bytes that were not forced,
/// and names in folders that were not forced since. It is harsher than a journal: what was not forced is lost or
/// kept each for itself, in any order. A rename is kept whole or not at all, or leaves both names; it never loses
/// the file, as no file system does in whose new folder the name was forced.
///
/// Every change counts as a step; [#cutAt] says before which one the power goes. Safe for threads: one lock, this.
public final class PowerCutDisk {
    private final Node root = new Node(true);
    private final List<Change> unforced = new ArrayList<>();
    private final DiskFileSystem fileSystem = new DiskFileSystem(this);
    private long changes;
    private int steps;
    private int cutAt = Integer.MAX_VALUE;
    private boolean failsListings;
    private boolean isJournaled;

    /// A name that came or went.
    ///
    /// @param number tells it from others
    /// @param node what it names since; null where it went
    /// @param renamed the change that gave the node its new name, without which this one may not be
    private record Change(
            long number, Node folder, String name, @Nullable Node node, Optional<Change> renamed) {}

    /// Its `/`.
    public Path root() {
        return fileSystem.path("/");
    }

    public synchronized int steps() {
        return steps;
    }

    /// The power goes before the step of that number, from 0.
    public synchronized void cutAt(int step) {
        cutAt = step;
    }

    /// Names come and go in the order in which they did, as with the journals of ext4, XFS and btrfs, which a program
    /// may
    /// rest on that forces its folder only after several of them. Bytes are lost as before.
    public synchronized void journaled() {
        isJournaled = true;
    }

    /// From now on folders can be opened, and fail as they are listed, as on a disk with a bad sector.
    public synchronized void failListings() {
        failsListings = true;
    }

    synchronized boolean failsListings() {
        return failsListings;
    }

    /// One of the states that a cut now may leave, as files of a folder of this machine.
    public synchronized void leave(Path folder, RandomGenerator random) throws IOException {
        leave(root, folder, isJournaled ? beginning(random) : some(random), random);
    }

    private List<Change> beginning(RandomGenerator random) {
        return List.copyOf(unforced.subList(0, random.nextInt(unforced.size() + 1)));
    }

    private List<Change> some(RandomGenerator random) {
        var kept = new ArrayList<Change>();
        for (var change : unforced) {
            if (random.nextBoolean()
                    && change.renamed().map(each -> isKept(each, kept)).orElse(true)) {
                kept.add(change);
            }
        }
        return kept;
    }

    /// Kept now, or forced before.
    private boolean isKept(Change change, List<Change> kept) {
        return kept.contains(change) || !unforced.contains(change);
    }

    private static void leave(Node node, Path at, List<Change> kept, RandomGenerator random) throws IOException {
        Files.createDirectories(at);
        var entries = new TreeMap<>(node.durableEntries);
        for (var change : kept) {
            if (change.folder() == node) {
                put(entries, change.name(), change.node());
            }
        }
        for (var entry : entries.entrySet()) {
            var path = at.resolve(entry.getKey());
            if (entry.getValue().isFolder) {
                leave(entry.getValue(), path, kept, random);
            } else {
                Files.write(path, entry.getValue().afterCut(random));
            }
        }
    }

    private static void put(Map<String, Node> entries, String name, @Nullable Node node) {
        if (node == null) {
            entries.remove(name);
        } else {
            entries.put(name, node);
        }
    }

    synchronized Node node(Path path) throws IOException {
        return find(path).orElseThrow(() -> new NoSuchFileException(path.toString()));
    }

    private Optional<Node> find(Path path) {
        var node = root;
        for (var name : path.toAbsolutePath().normalize()) {
            if (!node.isFolder) {
                return Optional.empty();
            }
            var next = node.entries.get(name.toString());
            if (next == null) {
                return Optional.empty();
            }
            node = next;
        }
        return Optional.of(node);
    }

    synchronized Node create(Path path, boolean isFolder) throws IOException {
        step();
        if (find(path).isPresent()) {
            throw new FileAlreadyExistsException(path.toString());
        }
        var node = new Node(isFolder);
        change(folderOf(path), path, node, Optional.empty());
        return node;
    }

    synchronized void delete(Path path) throws IOException {
        step();
        if (!node(path).entries.isEmpty()) {
            throw new DirectoryNotEmptyException(path.toString());
        }
        change(folderOf(path), path, null, Optional.empty());
    }

    synchronized void move(Path from, Path to) throws IOException {
        step();
        var node = node(from);
        if (node.isFolder) {
            throw new AtomicMoveNotSupportedException(from.toString(), to.toString(), "only files move here");
        }
        if (find(to).filter(other -> other.isFolder).isPresent()) {
            throw new FileAlreadyExistsException(to.toString());
        }
        var renamed = change(folderOf(to), to, node, Optional.empty());
        change(folderOf(from), from, null, Optional.of(renamed));
    }

    synchronized void write(Node file, int position, byte[] bytes) {
        step();
        file.write(position, bytes);
    }

    synchronized void force(Node node) {
        step();
        if (!node.isFolder) {
            node.force();
            return;
        }
        for (var change : List.copyOf(unforced)) {
            if (change.folder() == node) {
                change.renamed().ifPresent(this::keep);
                keep(change);
            }
        }
    }

    private void keep(Change change) {
        if (unforced.remove(change)) {
            put(change.folder().durableEntries, change.name(), change.node());
        }
    }

    private Node folderOf(Path path) throws IOException {
        var parent = path.toAbsolutePath().normalize().getParent();
        if (parent == null) {
            throw new FileAlreadyExistsException(path.toString());
        }
        var folder = node(parent);
        if (!folder.isFolder) {
            throw new NotDirectoryException(parent.toString());
        }
        return folder;
    }

    private Change change(Node folder, Path path, @Nullable Node node, Optional<Change> renamed) {
        var name = path.getFileName().toString();
        var change = new Change(changes++, folder, name, node, renamed);
        put(folder.entries, name, node);
        unforced.add(change);
        return change;
    }

    private void step() {
        if (steps >= cutAt) {
            throw new PowerCut();
        }
        steps++;
    }
}
