package io.tarpon.cli.disk;

import io.tarpon.cli.CommandFailure;
import io.tarpon.cli.cluster.ClusterPaths;
import io.tarpon.cli.cluster.Roster;
import io.tarpon.wire.http.WriteToken;
import io.tarpon.wire.json.Json;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;

/// What a local cluster's state folder holds of the cluster itself: roster, write token, folders that may be read,
/// lock.
/// Every file is replaced whole, so a crash at any point leaves the old one or the new one.
public final class StateFolder {
    private static final int TOKEN_BYTES = 32;
    private static final Duration CHANGE_PATIENCE = Duration.ofMinutes(5);
    private static final Duration LINE_PATIENCE = Duration.ofSeconds(10);

    private final ClusterPaths paths;

    private StateFolder(ClusterPaths paths) {
        this.paths = paths;
    }

    /// Opens the folder, making it where there is none.
    public static StateFolder open(ClusterPaths paths) {
        try {
            StateFormat.claim(paths.state());
            return new StateFolder(paths);
        } catch (IOException e) {
            throw CommandFailure.failed(
                    "cannot use the state folder " + paths.state() + ": " + e,
                    "set TARPON_HOME to a folder you can write");
        }
    }

    public ClusterPaths paths() {
        return paths;
    }

    /// Only one command at a time starts or stops processes.
    public StateLock lock() {
        return StateLock.acquire(paths.state().resolve("lock"), CHANGE_PATIENCE);
    }

    /// Empty where no cluster was started since the last `down`.
    public Optional<Roster> roster() {
        try {
            return Optional.of(Json.read(Files.readAllBytes(paths.roster()), Roster.class));
        } catch (NoSuchFileException e) {
            return Optional.empty();
        } catch (IOException e) {
            throw CommandFailure.failed(
                    "cannot read " + paths.roster() + ": " + e.getMessage(),
                    "end the processes it names, if any run, then delete the file");
        }
    }

    public void write(Roster roster) {
        try {
            AtomicFile.write(
                    paths.roster(), Json.MAPPER.writerWithDefaultPrettyPrinter().writeValueAsBytes(roster));
        } catch (IOException e) {
            throw cannotWrite(paths.roster(), e);
        }
    }

    public void forgetRoster() {
        try {
            Files.deleteIfExists(paths.roster());
        } catch (IOException e) {
            throw cannotWrite(paths.roster(), e);
        }
    }

    /// Makes the write token where there is none. The caller holds the lock: a token must not change under services
    /// that
    /// have read it.
    public void makeToken() {
        try {
            if (!Files.exists(paths.token())) {
                var random = new byte[TOKEN_BYTES];
                new SecureRandom().nextBytes(random);
                var text = HexFormat.of().formatHex(random) + "\n";
                AtomicFile.write(paths.token(), text.getBytes(StandardCharsets.US_ASCII));
            } else {
                Files.setPosixFilePermissions(paths.token(), PosixFilePermissions.fromString("rw-------"));
            }
        } catch (IOException e) {
            throw cannotWrite(paths.token(), e);
        }
    }

    /// The write token that the running services know.
    public WriteToken token() {
        try {
            return new WriteToken(Files.readString(paths.token()));
        } catch (IOException | IllegalArgumentException e) {
            throw CommandFailure.failed(
                    "cannot use the write token in " + paths.token() + ": " + e,
                    "delete it, then: ./tarpon down, ./tarpon up");
        }
    }

    /// Lets the functions read below `folder`, a real path.
    public void allowSource(Path folder) {
        try (var lock = StateLock.acquire(paths.state().resolve("directory-roots.lock"), LINE_PATIENCE)) {
            new DirectoryRoots(paths.directoryRoots()).allow(folder);
        } catch (IOException e) {
            throw cannotWrite(paths.directoryRoots(), e);
        }
    }

    public void createFolders(List<Path> folders) {
        for (var folder : folders) {
            try {
                Files.createDirectories(folder);
            } catch (IOException e) {
                throw cannotWrite(folder, e);
            }
        }
    }

    /// An empty file for what a process prints; what its predecessor printed is kept beside it, once.
    public File freshOutput(String name) {
        var output = paths.output(name);
        try {
            if (Files.exists(output) && Files.size(output) > 0) {
                Files.move(
                        output,
                        output.resolveSibling(output.getFileName() + ".1"),
                        StandardCopyOption.ATOMIC_MOVE,
                        StandardCopyOption.REPLACE_EXISTING);
            }
            return output.toFile();
        } catch (IOException e) {
            throw cannotWrite(output, e);
        }
    }

    private static CommandFailure cannotWrite(Path what, IOException e) {
        return CommandFailure.failed("cannot write " + what + ": " + e, "check its rights and the free space");
    }
}
