package io.tarpon.metadata.disk;

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

/// The folder that holds the metadata log, of one process at a time. Its file `FORMAT` is one line,
/// `TARPON-METADATA <number>`, and is read before anything in the folder is touched: a folder of another format
/// stays as it is.
///
/// Crash points while a folder is made: `FORMAT` comes into being by a rename, and nothing else is written before
/// it.
public final class StateFolder implements AutoCloseable {
    public static final int FORMAT = 1;
    private static final String MAGIC = "TARPON-METADATA ";
    private static final String WHAT = "metadata folder";
    private static final int MAX_FORMAT_BYTES = 64;

    private final Path folder;
    private final FileChannel lock;

    private StateFolder(Path folder, FileChannel lock) {
        this.folder = folder;
        this.lock = lock;
    }

    /// Opens the folder, or makes a new one where there is none or an empty one.
    ///
    /// @throws UnknownFormatException another build's folder; nothing is changed
    /// @throws IOException not a folder of ours, in use by another process, or not to be read or written
    public static StateFolder open(Path given) throws IOException {
        var folder = given.toAbsolutePath().normalize();
        var isNew = !checkFormat(folder);
        if (isNew) {
            requireEmpty(folder);
            make(folder);
            Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwx------"));
        }
        var lock = lock(folder);
        if (isNew) {
            writeFormat(folder);
        }
        return new StateFolder(folder, lock);
    }

    /// Where the log lies: a folder whose entry survives a power cut, as what is written into it does.
    public Path log() throws IOException {
        var log = folder.resolve("log");
        if (!Files.isDirectory(log)) {
            make(log);
        }
        return log;
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

    /// False where there is no format file.
    private static boolean checkFormat(Path folder) throws IOException {
        var file = folder.resolve("FORMAT");
        String text;
        try (var in = Files.newInputStream(file)) {
            text = new String(in.readNBytes(MAX_FORMAT_BYTES), StandardCharsets.US_ASCII).strip();
        } catch (NoSuchFileException e) {
            return false;
        }
        var number = text.startsWith(MAGIC) ? text.substring(MAGIC.length()) : "";
        if (!number.matches("[1-9][0-9]{0,8}")) {
            throw new CorruptFormatException(file.toString(), WHAT, "its line is not '" + MAGIC + FORMAT + "'");
        }
        if (Integer.parseInt(number) != FORMAT) {
            throw new UnknownFormatException(file.toString(), WHAT, Integer.parseInt(number), FORMAT);
        }
        return true;
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

    private static FileChannel lock(Path folder) throws IOException {
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

    private static void writeFormat(Path folder) throws IOException {
        var made = folder.resolve("FORMAT.tmp");
        Files.writeString(made, MAGIC + FORMAT + "\n", StandardCharsets.US_ASCII);
        sync(made, StandardOpenOption.WRITE);
        Files.move(made, folder.resolve("FORMAT"), StandardCopyOption.ATOMIC_MOVE);
        sync(folder, StandardOpenOption.READ);
    }

    /// Makes the folder and those above it that are missing, each entry forced to disk.
    private static void make(Path folder) throws IOException {
        if (Files.isDirectory(folder)) {
            return;
        }
        var parent = Objects.requireNonNull(folder.getParent(), "the root is there");
        make(parent);
        Files.createDirectories(folder);
        sync(parent, StandardOpenOption.READ);
    }

    private static void sync(Path path, StandardOpenOption mode) throws IOException {
        try (var channel = FileChannel.open(path, mode)) {
            channel.force(true);
        }
    }
}
