package io.tarpon.store.directory;

import io.tarpon.store.AbandonedUpload;
import io.tarpon.store.AbandonedVisitor;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// Files being written, in `<root>/.tmp/<session>/`, beside `<root>/.tmp/<session>.lock`, which the process that owns
/// the session keeps locked.
///
/// Several processes share a root. Opening one removes the sessions of the dead, told by a lock that can be had: the
/// kernel drops it with the process, so neither age nor process id is guessed at. Crash points: before the lock is
/// taken, a lock file is left over and removed by the next open; between lock and close, the whole session is;
/// half-way through a removal, the lock file goes last, so the next open goes on with it; after a power cut, which may
/// lose the lock file alone, a session without one is nobody's, for its owner makes the lock file first. A sweep may
/// take a lock file between its making and its locking: the owner then sees that its name is gone and makes another.
/// A lock probed in the process that holds it would be lost when the probe closes (POSIX), hence [#OURS].
final class Scratch implements AutoCloseable {
    private static final String LOCK = ".lock";
    /// A session's UUID and a number in it.
    private static final Pattern FILE = Pattern.compile("[0-9a-f-]{36}/[0-9]{1,19}");
    private static final Set<String> OURS = ConcurrentHashMap.newKeySet();

    private final Path all;
    private final Path folder;
    private final Path lockFile;
    private final FileChannel lock;
    private final AtomicLong made = new AtomicLong();

    private Scratch(Path all, Path folder, Path lockFile, FileChannel lock) {
        this.all = all;
        this.folder = folder;
        this.lockFile = lockFile;
        this.lock = lock;
    }

    static Scratch open(Path all) throws IOException {
        DurableFolders.make(all);
        sweep(all);
        while (true) {
            String session = UUID.randomUUID().toString();
            Path lockFile = all.resolve(session + LOCK);
            OURS.add(session);
            FileChannel lock = lock(lockFile, StandardOpenOption.CREATE_NEW);
            if (lock != null && Files.exists(lockFile)) {
                Path folder = Files.createDirectory(all.resolve(session));
                return new Scratch(all, folder, lockFile, lock);
            }
            OURS.remove(session);
            if (lock != null) {
                lock.close();
            }
        }
    }

    /// Whether this session's own folder is: the one of all sessions says nothing, since a process that starts while
    /// the file system is away makes it anew on the bare mount point.
    boolean isThere() {
        return Files.isDirectory(folder);
    }

    /// A path that nothing else uses.
    Path next() {
        return folder.resolve(Long.toString(made.incrementAndGet()));
    }

    /// Visits the files of every session, also of the living, that nobody has written to for so long.
    void abandoned(Duration olderThan, AbandonedVisitor visitor) throws IOException {
        if (olderThan.isNegative()) {
            throw new IllegalArgumentException("older than " + olderThan);
        }
        Instant before = Instant.now().minus(olderThan);
        try (DirectoryStream<Path> sessions = Files.newDirectoryStream(all, Files::isDirectory)) {
            for (Path session : sessions) {
                abandoned(session, before, visitor);
            }
        }
    }

    private void abandoned(Path session, Instant before, AbandonedVisitor visitor) throws IOException {
        try (DirectoryStream<Path> files = Files.newDirectoryStream(session)) {
            for (Path file : files) {
                Optional<Instant> since = lastWritten(file);
                if (since.isPresent() && since.get().isBefore(before)) {
                    String id = all.relativize(file).toString();
                    visitor.visit(new AbandonedUpload(all.getFileName() + "/" + id, id, since.get()));
                }
            }
        } catch (NoSuchFileException e) {
            // The session ended meanwhile.
        }
    }

    /// Removes the file if it was not written to since. Its owner, if it lives, fails to complete it: the name is gone.
    void abandon(AbandonedUpload upload) throws IOException {
        if (!FILE.matcher(upload.id()).matches()) {
            throw new IllegalArgumentException("no upload of this store: " + upload.key());
        }
        Path file = all.resolve(upload.id());
        if (lastWritten(file).equals(Optional.of(upload.since()))) {
            Files.deleteIfExists(file);
        }
    }

    /// Empty when it is no longer there.
    private static Optional<Instant> lastWritten(Path file) throws IOException {
        try {
            return Optional.of(
                    Files.getLastModifiedTime(file, LinkOption.NOFOLLOW_LINKS).toInstant());
        } catch (NoSuchFileException e) {
            return Optional.empty();
        }
    }

    /// Removes what is left of this session.
    @Override
    public void close() throws IOException {
        try (lock) {
            remove(folder);
            Files.deleteIfExists(lockFile);
        } finally {
            OURS.remove(session(lockFile));
        }
    }

    private static void sweep(Path all) throws IOException {
        try (DirectoryStream<Path> locks = Files.newDirectoryStream(all, "*" + LOCK)) {
            for (Path lockFile : locks) {
                if (!OURS.contains(session(lockFile))) {
                    sweepIfDead(all, lockFile);
                }
            }
        }
        sweepUnlocked(all);
    }

    /// A power cut may keep a session and lose the lock file that was made before it.
    private static void sweepUnlocked(Path all) throws IOException {
        try (DirectoryStream<Path> sessions = Files.newDirectoryStream(all, Files::isDirectory)) {
            for (Path session : sessions) {
                if (!Files.exists(all.resolve(session.getFileName() + LOCK))) {
                    remove(session);
                }
            }
        }
    }

    private static void sweepIfDead(Path all, Path lockFile) throws IOException {
        try (FileChannel lock = lock(lockFile, StandardOpenOption.WRITE)) {
            if (lock != null) {
                remove(all.resolve(session(lockFile)));
                Files.deleteIfExists(lockFile);
            }
        } catch (NoSuchFileException e) {
            // Its owner, or another sweep, has just removed it.
        }
    }

    /// Null when another process holds it; the lock lasts until the channel closes.
    private static @Nullable FileChannel lock(Path lockFile, StandardOpenOption how) throws IOException {
        FileChannel channel = FileChannel.open(lockFile, StandardOpenOption.WRITE, how);
        try {
            FileLock held = channel.tryLock();
            if (held != null) {
                return channel;
            }
        } catch (OverlappingFileLockException e) {
            // Held by this process: another class loader's copy of OURS.
        } catch (IOException e) {
            channel.close();
            throw e;
        }
        channel.close();
        return null;
    }

    private static void remove(Path session) throws IOException {
        try (DirectoryStream<Path> files = Files.newDirectoryStream(session)) {
            for (Path file : files) {
                Files.deleteIfExists(file);
            }
        } catch (NoSuchFileException e) {
            return;
        }
        Files.deleteIfExists(session);
    }

    private static String session(Path lockFile) {
        String name = lockFile.getFileName().toString();
        return name.substring(0, name.length() - LOCK.length());
    }
}
