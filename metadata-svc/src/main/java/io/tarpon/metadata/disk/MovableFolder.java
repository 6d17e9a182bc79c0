package io.tarpon.metadata.disk;

import io.tarpon.metadata.entry.FollowedLog;
import io.tarpon.metadata.entry.FollowedTopic;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Comparator;

/// A state folder of either format, held by who moves its log while no service has it.
///
/// Crash points: which log counts changes with `FORMAT` alone, by a rename. Before it everything else is ready, and
/// what counts no more is put aside after it; so in between there may be a `log` that does not count, which the next
/// move puts aside, or a half-made `log-new`, which it deletes.
public final class MovableFolder implements AutoCloseable {
    private static final String LOG = "log";
    private static final String VIEW = "view";
    private static final String NEW_LOG = "log-new";
    private static final String RESTORING = "RESTORING";
    private static final String MOVING = "MOVING";
    private static final String ASIDE = "log-moved-";

    private final Path folder;
    private final FileChannel lock;

    private MovableFolder(Path folder, FileChannel lock) {
        this.folder = folder;
        this.lock = lock;
    }

    /// @throws io.tarpon.wire.format.UnknownFormatException another build's folder; nothing is changed
    /// @throws IOException there is no folder of ours, it is in use by a service, or cannot be read
    public static MovableFolder open(Path given) throws IOException {
        var folder = given.toAbsolutePath().normalize();
        if (StateFolder.format(folder) == 0) {
            throw new IOException("folder " + folder + " is no metadata folder: set tarpon.metadata.dir to the one that"
                    + " has the log, or remembers its topic");
        }
        requireNotRestoring(folder);
        return new MovableFolder(folder, StateFolder.lock(folder));
    }

    /// One that may be half restored, or is made where there is none or an empty one.
    ///
    /// @throws IOException not a folder of ours, in use by a service, or not to be read or written
    public static MovableFolder openToRestore(Path given) throws IOException {
        var folder = given.toAbsolutePath().normalize();
        if (StateFolder.format(folder) == 0) {
            StateFolder.open(folder).close();
        }
        return new MovableFolder(folder, StateFolder.lock(folder));
    }

    /// Throws where what is in a folder is half a restore.
    static void requireNotRestoring(Path folder) throws IOException {
        if (Files.exists(folder.resolve(RESTORING))) {
            throw new IOException(
                    "a restore into folder " + folder + " was broken off: run it again, or delete the" + " folder");
        }
    }

    /// Whether the log that counts is in a topic.
    public boolean followsTopic() throws IOException {
        return StateFolder.format(folder) == StateFolder.FOLLOWS_TOPIC;
    }

    /// Of the log that counts, or where [#hasLeftover], of one that does not.
    public Path log() throws IOException {
        var log = folder.resolve(LOG);
        StateFolder.make(log);
        return log;
    }

    public Path view() throws IOException {
        var view = folder.resolve(VIEW);
        StateFolder.make(view);
        return view;
    }

    /// Whether there is a view at all.
    public boolean hasView() {
        return Files.isDirectory(folder.resolve(VIEW));
    }

    public Path libraries() throws IOException {
        return Files.createDirectories(folder.resolve("lib"));
    }

    public FollowedTopic topic() {
        return StateFolder.topic(folder);
    }

    public FollowedLog logId() {
        return StateFolder.logId(folder);
    }

    /// From here on the log in that topic counts, and no service begins with the one in this folder.
    public void countTopic(String topicId) throws IOException {
        topic().follow(topicId);
        StateFolder.write(folder, "FORMAT", StateFolder.MAGIC + StateFolder.FOLLOWS_TOPIC);
    }

    /// A move of the log begins here: from now on this folder may finish it, or take it back, and no other may.
    public void beginMove() throws IOException {
        StateFolder.write(folder, MOVING, "TARPON-MOVING");
    }

    /// Whether a move was begun here and is not finished.
    public boolean isMoving() {
        return Files.exists(folder.resolve(MOVING));
    }

    public void finishMove() throws IOException {
        Files.deleteIfExists(folder.resolve(MOVING));
        StateFolder.sync(folder, StandardOpenOption.READ);
    }

    public boolean hasLog() {
        return Files.isDirectory(folder.resolve(LOG));
    }

    /// Whether what is here is half a restore: nothing of it counts.
    public boolean isRestoring() {
        return Files.exists(folder.resolve(RESTORING));
    }

    /// From here on no service opens the folder. What it knew of a log it knows no more.
    public void beginRestore() throws IOException {
        StateFolder.write(folder, RESTORING, "TARPON-RESTORING");
        Files.deleteIfExists(folder.resolve(StateFolder.LOG_ID));
    }

    /// From here on the log that was made in [#freshLog] counts, with the view that is here. There is no other log.
    public void finishRestore() throws IOException {
        move(folder.resolve(NEW_LOG), folder.resolve(LOG));
        Files.delete(folder.resolve(RESTORING));
        StateFolder.sync(folder, StandardOpenOption.READ);
    }

    /// Whether there is a log here that does not count, because its topic does.
    public boolean hasLeftover() throws IOException {
        return followsTopic() && hasLog();
    }

    /// Puts a log that does not count aside, under a name with its last revision: nothing reads it any more.
    public void putAside(long revision) throws IOException {
        var aside = folder.resolve(ASIDE + revision);
        for (int more = 2; Files.exists(aside); more++) {
            aside = folder.resolve(ASIDE + revision + "-" + more);
        }
        move(folder.resolve(LOG), aside);
    }

    /// An empty folder for a log to be made in.
    public Path freshLog() throws IOException {
        var fresh = folder.resolve(NEW_LOG);
        if (Files.exists(fresh)) {
            try (var files = Files.walk(fresh)) {
                for (var file : files.sorted(Comparator.reverseOrder()).toList()) {
                    Files.delete(file);
                }
            }
        }
        StateFolder.make(fresh);
        return fresh;
    }

    /// From here on the log that was made in [#freshLog] counts, and no service follows the topic from this folder.
    public void countFreshLog() throws IOException {
        move(folder.resolve(NEW_LOG), folder.resolve(LOG));
        StateFolder.write(folder, "FORMAT", StateFolder.MAGIC + StateFolder.HOLDS_LOG);
    }

    private void move(Path from, Path to) throws IOException {
        Files.move(from, to, StandardCopyOption.ATOMIC_MOVE);
        StateFolder.sync(folder, StandardOpenOption.READ);
    }

    @Override
    public String toString() {
        return folder.toString();
    }

    @Override
    public void close() throws IOException {
        lock.close();
    }
}
