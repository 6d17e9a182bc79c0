package io.tarpon.block.disk;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.tarpon.blocks.disk.DirectorySync;
import io.tarpon.wire.format.CorruptFormatException;
import io.tarpon.wire.format.UnknownFormatException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.regex.Pattern;

/// The node's state folder. The file `FORMAT` in it says which build may use it: `TARPON-BLOCK-STATE 1`.
public final class StateFolder {
    /// The format number written, and the only one read.
    public static final int FORMAT = 1;

    private static final String MAGIC = "TARPON-BLOCK-STATE ";
    private static final Pattern LINE = Pattern.compile(MAGIC + "([0-9]{1,9})\n");

    private StateFolder() {}

    /// Makes the folder where there is none. A folder of another format is left as it is.
    ///
    /// @throws UnknownFormatException naming the file, its number and ours
    /// @return path of the folder, absolute
    public static Path open(Path folder) throws IOException {
        var absolute = folder.toAbsolutePath().normalize();
        var file = absolute.resolve("FORMAT");
        if (!Files.exists(file)) {
            Files.createDirectories(absolute);
            write(file);
            return absolute;
        }
        var match = LINE.matcher(Files.readString(file, UTF_8));
        if (!match.matches()) {
            throw new CorruptFormatException(file.toString(), "state folder", "FORMAT does not begin with " + MAGIC);
        }
        var found = Long.parseLong(match.group(1));
        if (found != FORMAT) {
            throw new UnknownFormatException(file.toString(), "state folder", found, FORMAT);
        }
        return absolute;
    }

    /// The folder for the indexes of the data folders, each under its folder's name. An index of all folders together,
    /// as earlier builds had, is deleted: it is made again from the block files.
    public static Path indexes(Path state) throws IOException {
        var all = state.resolve("index");
        if (Files.isDirectory(all)) {
            try (var files = Files.list(all)) {
                for (var file : files.toList()) {
                    Files.delete(file);
                }
            }
            Files.delete(all);
        }
        return Files.createDirectories(state.resolve("indexes"));
    }

    /// Whole or not at all: a crash leaves no empty FORMAT.
    private static void write(Path file) throws IOException {
        var unfinished = file.resolveSibling("FORMAT.new");
        try (var channel = FileChannel.open(
                unfinished,
                StandardOpenOption.CREATE,
                StandardOpenOption.TRUNCATE_EXISTING,
                StandardOpenOption.WRITE)) {
            var bytes = ByteBuffer.wrap((MAGIC + FORMAT + "\n").getBytes(UTF_8));
            while (bytes.hasRemaining()) {
                channel.write(bytes);
            }
            channel.force(true);
        }
        Files.move(unfinished, file, StandardCopyOption.ATOMIC_MOVE);
        DirectorySync.sync(file.resolveSibling("."));
    }
}
