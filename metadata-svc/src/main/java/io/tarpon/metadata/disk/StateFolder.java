package io.tarpon.metadata.disk;

import io.tarpon.metadata.entry.FollowedLog;
import io.tarpon.metadata.entry.FollowedTopic;
import io.tarpon.wire.format.CorruptFormatException;
import io.tarpon.wire.format.UnknownFormatException;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Objects;
import java.util.Optional;

/// The folder of one process at a time that holds the metadata log, or remembers which topic holds it. Its file
/// `FORMAT` is one line, `TARPON-METADATA <number>`, and is read before anything in the folder is touched: a folder of
/// another format stays as it is. 1 holds a log; 2 has a file `TOPIC`, one line, `TARPON-TOPIC <id>`. Both have a file
/// `LOG-ID` once the log has an id, `TARPON-LOG <id>`.
///
/// Crash points while a folder is made: `FORMAT` comes into being by a rename, and nothing else is written before
/// it. So do `TOPIC` and `LOG-ID`: without them the topic is looked for once more, and the log taken as it is.
public final class StateFolder implements AutoCloseable {
    public static final int FORMAT = 2;
    static final int HOLDS_LOG = 1;
    static final int FOLLOWS_TOPIC = 2;
    static final String MAGIC = "TARPON-METADATA ";
    private static final String TOPIC_MAGIC = "TARPON-TOPIC ";
    private static final String LOG_MAGIC = "TARPON-LOG ";
    static final String LOG_ID = "LOG-ID";
    private static final String WHAT = "metadata folder";
    private static final int MAX_LINE_BYTES = 64;

    private final Path folder;
    private final FileChannel lock;

    private StateFolder(Path folder, FileChannel lock) {
        this.folder = folder;
        this.lock = lock;
    }

    /// Opens a folder that holds a log, or makes a new one where there is none or an empty one.
    ///
    /// @throws UnknownFormatException another build's folder; nothing is changed
    /// @throws IOException not a folder of ours, or not one with a log, in use by another process, or not to be
    ///     read or written
    public static StateFolder open(Path given) throws IOException {
        return open(given, HOLDS_LOG);
    }

    /// Opens a folder that follows a topic, or makes a new one where there is none or an empty one; throws as
    /// [#open(Path)] does.
    public static StateFolder openFollowing(Path given) throws IOException {
        return open(given, FOLLOWS_TOPIC);
    }

    private static StateFolder open(Path given, int format) throws IOException {
        var folder = given.toAbsolutePath().normalize();
        var isNew = !checkFormat(folder, format);
        MovableFolder.requireNotRestoring(folder);
        if (isNew) {
            requireEmpty(folder);
            make(folder);
            Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwx------"));
        }
        var lock = lock(folder);
        if (isNew) {
            write(folder, "FORMAT", MAGIC + format);
        }
        return new StateFolder(folder, lock);
    }

    /// Where the log lies: a folder whose entry survives a power cut, as what is written into it does.
    public Path log() throws IOException {
        return made("log");
    }

    /// Where the view of the log lies. Whoever deletes it while nobody has it open loses nothing.
    public Path view() throws IOException {
        return made("view");
    }

    private Path made(String name) throws IOException {
        var made = folder.resolve(name);
        if (!Files.isDirectory(made)) {
            make(made);
        }
        return made;
    }

    /// The topic that is followed.
    public FollowedTopic topic() {
        return topic(folder);
    }

    static FollowedTopic topic(Path folder) {
        return new Remembered(folder, "TOPIC", "followed topic", TOPIC_MAGIC);
    }

    /// The log that is followed, or held.
    public FollowedLog logId() {
        return logId(folder);
    }

    static FollowedLog logId(Path folder) {
        return new Remembered(folder, LOG_ID, "followed log", LOG_MAGIC);
    }

    /// A file of one line, which ends with an id.
    private record Remembered(Path folder, String name, String what, String magic)
            implements FollowedTopic, FollowedLog {
        @Override
        public Optional<String> id() throws IOException {
            var file = folder.resolve(name);
            var line = line(file);
            if (line.isPresent() && !line.get().matches(magic + "[A-Za-z0-9_-]{1,40}")) {
                throw new CorruptFormatException(file.toString(), what, "its line is not '" + magic + "' and an id");
            }
            return line.map(text -> text.substring(magic.length()));
        }

        @Override
        public void follow(String id) throws IOException {
            write(folder, name, magic + id);
        }
    }

    /// Where native libraries are unpacked: under one name, so that a killed process leaves none behind in the
    /// system's folder.
    public Path libraries() throws IOException {
        return Files.createDirectories(folder.resolve("lib"));
    }

    @Override
    public void close() throws IOException {
        lock.close();
    }

    /// The format of a folder; 0 where there is no format file.
    static int format(Path folder) throws IOException {
        var file = folder.resolve("FORMAT");
        var line = line(file);
        if (line.isEmpty()) {
            return 0;
        }
        var text = line.get();
        var number = text.startsWith(MAGIC) ? text.substring(MAGIC.length()) : "";
        if (!number.matches("[1-9][0-9]{0,8}")) {
            throw new CorruptFormatException(file.toString(), WHAT, "its line is not '" + MAGIC + "' and a number");
        }
        var found = Integer.parseInt(number);
        if (found > FORMAT) {
            throw new UnknownFormatException(file.toString(), WHAT, found, FORMAT);
        }
        return found;
    }

    /// False where there is no format file.
    private static boolean checkFormat(Path folder, int wanted) throws IOException {
        var found = format(folder);
        if (found == 0) {
            return false;
        }
        if (found != wanted) {
            throw new IOException(
                    found == HOLDS_LOG
                            ? "folder " + folder + " holds a metadata log, and tarpon.metadata.log is kafka: set it to"
                                    + " local, or tarpon.metadata.dir to an empty folder"
                            : "folder " + folder + " follows a log in Kafka, and tarpon.metadata.log is local: set it"
                                    + " to kafka, or tarpon.metadata.dir to an empty folder");
        }
        return true;
    }

    /// Empty where there is no such file.
    private static Optional<String> line(Path file) throws IOException {
        try (var in = Files.newInputStream(file)) {
            return Optional.of(new String(in.readNBytes(MAX_LINE_BYTES), StandardCharsets.US_ASCII).strip());
        } catch (NoSuchFileException e) {
            return Optional.empty();
        }
    }

    /// What another program put there is not ours to write into.
    private static void requireEmpty(Path folder) throws IOException {
        if (!Files.exists(folder)) {
            return;
        }
        try (var names = Files.list(folder)) {
            var stranger = names.filter(path -> !path.endsWith("LOCK") && !path.endsWith("FORMAT.tmp"))
                    .findAny();
            if (stranger.isPresent()) {
                throw new IOException(
                        "folder " + folder + " holds " + stranger.get().getFileName()
                                + " and no FORMAT file: it is not a metadata folder; set tarpon.metadata.dir to an"
                                + " empty one");
            }
        }
    }

    static FileChannel lock(Path folder) throws IOException {
        var channel = FileChannel.open(folder.resolve("LOCK"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        try {
            if (channel.tryLock() != null) {
                return channel;
            }
        } catch (OverlappingFileLockException e) {
            // Held by this very process; said below like any other holder.
        }
        channel.close();
        throw new IOException(
                "folder " + folder + " is in use by another metadata-svc: stop that, or set tarpon.metadata.dir");
    }

    static void write(Path folder, String name, String line) throws IOException {
        var made = folder.resolve(name + ".tmp");
        Files.writeString(made, line + "\n", StandardCharsets.US_ASCII);
        sync(made, StandardOpenOption.WRITE);
        Files.move(made, folder.resolve(name), StandardCopyOption.ATOMIC_MOVE);
        sync(folder, StandardOpenOption.READ);
    }

    /// Makes the folder and those above it that are missing, each entry forced to disk.
    static void make(Path folder) throws IOException {
        if (Files.isDirectory(folder)) {
            return;
        }
        var parent = Objects.requireNonNull(folder.getParent(), "the root is there");
        make(parent);
        Files.createDirectories(folder);
        sync(parent, StandardOpenOption.READ);
    }

    static void sync(Path path, StandardOpenOption mode) throws IOException {
        try (var channel = FileChannel.open(path, mode)) {
            channel.force(true);
        }
    }
}
