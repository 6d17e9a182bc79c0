package io.tarpon.blocks.disk;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.tarpon.wire.block.BlockId;
import io.tarpon.wire.block.BlockPath;
import io.tarpon.wire.format.CorruptFormatException;
import io.tarpon.wire.format.UnknownFormatException;
import io.tarpon.wire.placement.Placement;
import io.tarpon.wire.placement.PlacementNode;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Collection;
import java.util.HexFormat;
import java.util.List;
import java.util.UUID;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/// A folder of block files, one to a disk, and its name for good: wherever it is mounted and in whatever order folders
/// are told, its blocks stay its own. The name lies in it, in the file `FOLDER`:
///
/// ```
/// TARPON-BLOCK-FOLDER 1 <32 hex digits>
/// ```
///
/// @param path where the folder is at the moment
/// @param id the 32 digits
public record BlockFolder(Path path, String id) {
    /// The format number written, and the only one read.
    public static final int FORMAT = 1;

    /// The file's name.
    public static final String FILE = "FOLDER";

    private static final String MAGIC = "TARPON-BLOCK-FOLDER ";
    private static final Pattern LINE = Pattern.compile(MAGIC + "([0-9]{1,9}) ([0-9a-f]{32})\n");
    private static final Pattern ID = Pattern.compile("[0-9a-f]{32}");

    public BlockFolder {
        if (!ID.matcher(id).matches()) {
            throw new IllegalArgumentException("a folder's name is 32 hex digits, not '" + id + "'");
        }
    }

    /// The folder that was named before.
    ///
    /// @throws NoSuchFileException where it was not
    /// @throws UnknownFormatException where another build named it
    /// @throws CorruptFormatException where the file is none of ours
    public static BlockFolder read(Path path) throws IOException {
        var file = path.resolve(FILE);
        var match = LINE.matcher(Files.readString(file, US_ASCII));
        if (!match.matches()) {
            throw new CorruptFormatException(file.toString(), "block folder", "FOLDER does not begin with " + MAGIC);
        }
        var format = Integer.parseInt(match.group(1));
        if (format != FORMAT) {
            throw new UnknownFormatException(file.toString(), "block folder", format, FORMAT);
        }
        return new BlockFolder(path, match.group(2));
    }

    /// The same, and a folder without a name gets one, which survives a crash. One process at a time.
    public static BlockFolder named(Path path) throws IOException {
        try {
            return read(path);
        } catch (NoSuchFileException e) {
            var id = UUID.randomUUID();
            var digits = HexFormat.of();
            var folder = new BlockFolder(
                    path,
                    digits.toHexDigits(id.getMostSignificantBits()) + digits.toHexDigits(id.getLeastSignificantBits()));
            folder.write();
            return folder;
        }
    }

    /// Writes the name into the folder, whole or not at all.
    public void write() throws IOException {
        var unfinished = path.resolve(FILE + ".new");
        try (var channel = FileChannel.open(
                unfinished,
                StandardOpenOption.CREATE,
                StandardOpenOption.TRUNCATE_EXISTING,
                StandardOpenOption.WRITE)) {
            var bytes = ByteBuffer.wrap((MAGIC + FORMAT + " " + id + "\n").getBytes(US_ASCII));
            while (bytes.hasRemaining()) {
                channel.write(bytes);
            }
            channel.force(true);
        }
        Files.move(unfinished, path.resolve(FILE), StandardCopyOption.ATOMIC_MOVE);
        DirectorySync.sync(path);
    }

    /// Where the block's file lies if it is in this folder.
    public Path file(BlockId block) {
        return path.resolve(BlockPath.relative(block));
    }

    /// The folders in the order in which a block belongs into them: rendezvous hashing over their names, so that a
    /// folder that comes or goes moves its own share of the blocks and no other.
    public static List<BlockFolder> ranked(BlockId block, Collection<BlockFolder> folders) {
        return ranked(block, folders, BlockFolder::id);
    }

    /// The same of whatever has a folder's name.
    public static <T> List<T> ranked(BlockId block, Collection<T> folders, Function<T, String> id) {
        if (folders.size() == 1) {
            return List.copyOf(folders);
        }
        var byId = folders.stream().collect(Collectors.toMap(id, Function.identity()));
        var nodes = byId.keySet().stream()
                .map(name -> new PlacementNode(name, name, 1))
                .toList();
        return Placement.owners(block, nodes, Math.max(1, nodes.size())).stream()
                .map(node -> byId.get(node.id()))
                .toList();
    }
}
