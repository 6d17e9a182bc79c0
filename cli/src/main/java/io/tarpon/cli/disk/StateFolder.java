package io.tarpon.cli.disk;

import io.tarpon.cli.CommandFailure;
import io.tarpon.cli.cluster.ClusterPaths;
import io.tarpon.cli.cluster.Roster;
import io.tarpon.wire.http.WriteToken;
import io.tarpon.wire.json.Json;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;

/// The state folder of one local cluster, readable by its owner only. Its file `format` says how it is laid out; a
/// folder of
/// another format is left as it is.
public final class StateFolder {
    static final String MAGIC = "TARPON-STATE";
    static final int FORMAT = 1;
    private static final int TOKEN_BYTES = 32;

    private final ClusterPaths paths;

    private StateFolder(ClusterPaths paths) {
        this.paths = paths;
    }

    /// Opens the folder, making it where there is none.
    public static StateFolder open(ClusterPaths paths) {
        try {
            if (!Files.isDirectory(paths.state())) {
                Files.createDirectories(
                        paths.state(),
                        PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
            }
            var format = paths.state().resolve("format");
            if (Files.exists(format)) {
                checkFormat(format);
            } else if (isEmpty(paths.state())) {
                Files.writeString(format, MAGIC + " " + FORMAT + "\n");
            } else {
                throw CommandFailure.failed(
                        paths.state() + " is not empty and not a state folder of Tarpon",
                        "set TARPON_HOME to another folder");
            }
            return new StateFolder(paths);
        } catch (IOException e) {
            throw CommandFailure.failed(
                    "cannot use the state folder " + paths.state() + ": " + e,
                    "set TARPON_HOME to a folder you can write");
        }
    }

    private static boolean isEmpty(Path folder) throws IOException {
        try (var entries = Files.list(folder)) {
            return entries.findAny().isEmpty();
        }
    }

    private static void checkFormat(Path file) throws IOException {
        var text = Files.readString(file).strip();
        if (!text.equals(MAGIC + " " + FORMAT)) {
            throw CommandFailure.failed(
                    file + " says '" + text + "', this Tarpon reads '" + MAGIC + " " + FORMAT + "'",
                    "use the Tarpon that made this folder, or set TARPON_HOME to another one");
        }
    }

    /// Whether this machine has `setsid`, with which a process leaves the terminal's reach.
    public static boolean hasSetsid() {
        return Files.isExecutable(Path.of("/usr/bin/setsid")) || Files.isExecutable(Path.of("/bin/setsid"));
    }

    public ClusterPaths paths() {
        return paths;
    }

    /// Empty where no cluster was started since the last `down`.
    public Optional<Roster> roster() {
        try {
            return Optional.of(Json.read(Files.readAllBytes(paths.roster()), Roster.class));
        } catch (NoSuchFileException e) {
            return Optional.empty();
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read " + paths.roster(), e);
        }
    }

    public void write(Roster roster) {
        try {
            var temporary = paths.roster().resolveSibling("cluster.json.tmp");
            Files.write(temporary, Json.MAPPER.writerWithDefaultPrettyPrinter().writeValueAsBytes(roster));
            Files.move(temporary, paths.roster(), StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot write " + paths.roster(), e);
        }
    }

    public void forgetRoster() {
        try {
            Files.deleteIfExists(paths.roster());
        } catch (IOException e) {
            throw new UncheckedIOException("cannot delete " + paths.roster(), e);
        }
    }

    /// The write token; made on first use, readable by the owner only.
    public WriteToken token() {
        try {
            if (!Files.exists(paths.token())) {
                var random = new byte[TOKEN_BYTES];
                new SecureRandom().nextBytes(random);
                Files.createFile(
                        paths.token(),
                        PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
                Files.writeString(paths.token(), HexFormat.of().formatHex(random) + "\n");
            }
            return new WriteToken(Files.readString(paths.token()));
        } catch (IOException e) {
            throw new UncheckedIOException("cannot use " + paths.token(), e);
        }
    }

    /// Lets the functions read below `folder`: whoever may write this folder's files decides what may be read.
    public void allowSource(Path folder) {
        try {
            var line = folder.toRealPath().toString();
            var known = Files.exists(paths.directoryRoots())
                    ? Files.readAllLines(paths.directoryRoots())
                    : List.<String>of();
            if (!known.contains(line)) {
                Files.writeString(
                        paths.directoryRoots(), line + "\n", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
            }
        } catch (IOException e) {
            throw new UncheckedIOException("cannot write " + paths.directoryRoots(), e);
        }
    }

    public void createFolders(List<Path> folders) {
        try {
            for (var folder : folders) {
                Files.createDirectories(folder);
            }
        } catch (IOException e) {
            throw new UncheckedIOException("cannot make the folders of the cluster", e);
        }
    }

    /// Keeps two commands from starting or stopping the cluster at once; closed, it lets the next one on.
    public AutoCloseable lock() {
        try {
            var channel = FileChannel.open(
                    paths.state().resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
            FileLock lock = channel.lock();
            return () -> {
                lock.release();
                channel.close();
            };
        } catch (IOException e) {
            throw new UncheckedIOException("cannot lock " + paths.state(), e);
        }
    }

    public Optional<String> lastLine(Path file) {
        try {
            return Files.readAllLines(file).stream()
                    .filter(line -> !line.isBlank())
                    .reduce((first, second) -> second);
        } catch (IOException e) {
            return Optional.empty();
        }
    }
}
