package io.tarpon.store.directory;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/// Files being written, in `<root>/.tmp/<session>/`, beside `<root>/.tmp/<session>.lock`, which the process that owns
/// the session keeps locked.
///
/// Several processes share a root. Opening one removes the sessions of the dead, told by a lock that can be had: the
/// kernel drops it with the process, so neither age nor process id is guessed at. Crash points: before the lock is
/// taken, a lock file is left over and removed by the next open; between lock and close, the whole session is;
/// half-way through a removal, the lock file goes last, so the next open goes on with it. A sweep may take a lock
/// file between its making and its locking: the owner then sees that its name is gone and makes another. A lock
/// probed in the process that holds it would be lost when the probe closes (POSIX), hence [#OURS].
final class Scratch implements AutoCloseable {
    private static final String LOCK = ".lock";
    private static final Set<String> OURS = ConcurrentHashMap.newKeySet();

    private final Path folder;
    private final Path lockFile;
    private final FileChannel lock;
    private final AtomicLong made = new AtomicLong();

    private Scratch(Path folder, Path lockFile, FileChannel lock) {
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
                return new Scratch(folder, lockFile, lock);
            }
            OURS.remove(session);
            if (lock != null) {
                lock.close();
            }
        }
    }

    /// A path that nothing else uses.
    Path next() {
        return folder.resolve(Long.toString(made.incrementAndGet()));
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
