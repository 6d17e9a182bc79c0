package io.tarpon.cluster.disk;

import io.tarpon.cluster.CommandFailure;
import io.tarpon.cluster.plan.ClusterPaths;
import io.tarpon.cluster.plan.Roster;
import io.tarpon.cluster.plan.S3Keys;
import io.tarpon.cluster.plan.StoreKind;
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

/// What a local cluster's state folder holds of the cluster itself: roster, write token, where objects are kept and the
/// login there, folders that may be read, lock. Every file is replaced whole, so a crash at any point leaves the old
/// one or the new one.
public final class StateFolder {
    private static final int TOKEN_BYTES = 32;
    private static final int S3_KEY_BYTES = 7;
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

    /// Makes the write token where there is none. The caller holds the lock: a token must not change under
    /// services that have read it.
    public void makeToken() {
        try {
            if (!Files.exists(paths.token())) {
                AtomicFile.write(paths.token(), (random(TOKEN_BYTES) + "\n").getBytes(StandardCharsets.US_ASCII));
            } else {
                Files.setPosixFilePermissions(paths.token(), PosixFilePermissions.fromString("rw-------"));
            }
        } catch (IOException e) {
            throw cannotWrite(paths.token(), e);
        }
    }

    private static String random(int bytes) {
        var random = new byte[bytes];
        new SecureRandom().nextBytes(random);
        return HexFormat.of().formatHex(random);
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

    /// Where this cluster keeps its objects: as an earlier `up` chose, else in a folder.
    public StoreKind storeKind() {
        try {
            var word = Files.readString(paths.storeKind()).strip();
            for (var kind : StoreKind.values()) {
                if (kind.toString().equals(word)) {
                    return kind;
                }
            }
            throw CommandFailure.failed(
                    paths.storeKind() + " says '" + word + "', which is no kind of store",
                    "use the Tarpon that made this folder, or set TARPON_HOME to another one");
        } catch (NoSuchFileException e) {
            return StoreKind.DIRECTORY;
        } catch (IOException e) {
            throw CommandFailure.failed("cannot read " + paths.storeKind() + ": " + e, "check its rights");
        }
    }

    /// Chooses where objects are kept, once for this folder. The caller holds the lock: what is kept somewhere is not
    /// looked for elsewhere.
    public void choose(StoreKind wanted) {
        var isChosen = Files.exists(paths.storeKind()) || Files.exists(paths.data("metadata"));
        if (isChosen && storeKind() != wanted) {
            throw CommandFailure.failed(
                    "this cluster keeps its objects " + words(storeKind()) + ", not " + words(wanted),
                    "leave --store away; or for a cluster of the other kind, set TARPON_HOME to another folder");
        }
        try {
            AtomicFile.write(paths.storeKind(), (wanted + "\n").getBytes(StandardCharsets.US_ASCII));
        } catch (IOException e) {
            throw cannotWrite(paths.storeKind(), e);
        }
    }

    private static String words(StoreKind kind) {
        return switch (kind) {
            case DIRECTORY -> "in a folder (--store directory)";
            case S3 -> "on an S3 server (--store s3)";
        };
    }

    /// Makes the login of the S3 server where there is none. The caller holds the lock.
    public S3Keys makeS3Keys() {
        if (!Files.exists(paths.s3Keys())) {
            var keys = new S3Keys("tarpon" + random(S3_KEY_BYTES), random(TOKEN_BYTES));
            try {
                AtomicFile.write(paths.s3Keys(), keys.text().getBytes(StandardCharsets.US_ASCII));
            } catch (IOException e) {
                throw cannotWrite(paths.s3Keys(), e);
            }
        }
        return s3Keys();
    }

    /// The login that the running S3 server knows.
    public S3Keys s3Keys() {
        try {
            return S3Keys.parse(Files.readString(paths.s3Keys()));
        } catch (IOException | IllegalArgumentException e) {
            throw CommandFailure.failed(
                    "cannot use the login in " + paths.s3Keys() + ": " + e.getMessage(),
                    "delete it, then: ./tarpon down, ./tarpon up");
        }
    }

    /// Lets the functions read below `folder`, a real path.
    public void allowSource(Path folder) {
        changeRoots(roots -> roots.allow(folder));
    }

    /// Afterwards the functions no longer read below `folder`, unless another line allows it.
    public void forbidSource(Path folder) {
        changeRoots(roots -> roots.forbid(folder));
    }

    private interface RootsChange {
        void on(DirectoryRoots roots) throws IOException;
    }

    private void changeRoots(RootsChange change) {
        try (var lock = StateLock.acquire(paths.state().resolve("directory-roots.lock"), LINE_PATIENCE)) {
            change.on(new DirectoryRoots(paths.directoryRoots()));
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
