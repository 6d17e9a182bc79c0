package io.tarpon.cluster.disk;

import io.tarpon.cluster.CommandFailure;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;

/// Whose a state folder is: its file `format` says that Tarpon made it and how it is laid out. A folder of
/// another format or of another owner is left as it is.
final class StateFormat {
    static final String FILE = "format";
    static final String MAGIC = "TARPON-STATE";
    static final int FORMAT = 1;
    private static final String OURS = MAGIC + " " + FORMAT;
    private static final String OWNER_ONLY = "rwx------";
    private static final int MAX_FORMAT_BYTES = 64;

    private StateFormat() {}

    /// Afterwards the folder exists, is ours, has our format and is readable by its owner only.
    static void claim(Path folder) throws IOException {
        if (!Files.isDirectory(folder)) {
            Files.createDirectories(
                    folder, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(OWNER_ONLY)));
        }
        var format = folder.resolve(FILE);
        if (!Files.exists(format) && isEmpty(folder)) {
            requireOwner(folder);
            Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString(OWNER_ONLY));
            AtomicFile.write(format, (OURS + "\n").getBytes(StandardCharsets.US_ASCII));
        }
        // Asked again, for another command may have claimed the folder in between.
        if (!Files.exists(format)) {
            throw CommandFailure.failed(
                    folder + " is not empty and not a state folder of Tarpon", "set TARPON_HOME to another folder");
        }
        requireOwner(folder);
        requireFormat(format);
    }

    /// A name for what a killed command left of its writing counts as nothing.
    private static boolean isEmpty(Path folder) throws IOException {
        try (var entries = Files.list(folder)) {
            return entries.allMatch(entry -> {
                var name = entry.getFileName().toString();
                return name.startsWith(FILE + ".") && name.endsWith(AtomicFile.TEMPORARY_SUFFIX);
            });
        }
    }

    private static void requireFormat(Path file) throws IOException {
        String text;
        try (var in = Files.newInputStream(file)) {
            text = new String(in.readNBytes(MAX_FORMAT_BYTES), StandardCharsets.UTF_8).strip();
        }
        if (!text.equals(OURS)) {
            throw CommandFailure.failed(
                    file + " says '" + text + "', this Tarpon reads '" + OURS + "'",
                    "use the Tarpon that made this folder, or set TARPON_HOME to another one");
        }
    }

    /// Another user who owns the folder could read the token and name folders to read. Where the system does
    /// not tell who we are, nothing is refused.
    private static void requireOwner(Path folder) throws IOException {
        var we = ProcessHandle.current().info().user();
        var owner = Files.getOwner(folder).getName();
        if (we.isPresent() && !we.get().equals(owner)) {
            throw CommandFailure.failed(
                    "the state folder " + folder + " belongs to " + owner + ", not to " + we.get(),
                    "set TARPON_HOME to a folder of your own");
        }
    }
}
