package io.tarpon.cluster.disk;

import io.tarpon.cluster.CommandFailure;
import io.tarpon.cluster.plan.ClusterPaths;
import io.tarpon.cluster.plan.ClusterShape;
import io.tarpon.cluster.plan.Layout;
import io.tarpon.cluster.plan.LogPlace;
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

    /// How many processes of metadata-svc this cluster has: as an earlier `up` chose, else one.
    public int metadataReplicas() {
        try {
            var word = Files.readString(paths.metadataReplicas()).strip();
            if (word.matches("[1-" + ClusterShape.MOST_METADATA_REPLICAS + "]")) {
                return Integer.parseInt(word);
            }
            throw CommandFailure.failed(
                    paths.metadataReplicas() + " says '" + word + "', which is no number of replicas",
                    "use the Tarpon that made this folder, or set TARPON_HOME to another one");
        } catch (NoSuchFileException e) {
            return 1;
        } catch (IOException e) {
            throw CommandFailure.failed("cannot read " + paths.metadataReplicas() + ": " + e, "check its rights");
        }
    }

    /// Where this cluster keeps its metadata log: as an earlier `up` chose or a move left it, else as the number of
    /// replicas says.
    private LogPlace metadataLog() {
        try {
            var word = Files.readString(paths.metadataLog()).strip();
            for (var place : LogPlace.values()) {
                if (place.toString().equals(word)) {
                    return place;
                }
            }
            throw CommandFailure.failed(
                    paths.metadataLog() + " says '" + word + "', which is no place for a log",
                    "use the Tarpon that made this folder, or set TARPON_HOME to another one");
        } catch (NoSuchFileException e) {
            return metadataReplicas() > 1 ? LogPlace.KAFKA : LogPlace.LOCAL;
        } catch (IOException e) {
            throw CommandFailure.failed("cannot read " + paths.metadataLog() + ": " + e, "check its rights");
        }
    }

    /// On how many machines this cluster is: as the last `up` chose, else the usual.
    private Layout layout() {
        try {
            return Json.read(Files.readAllBytes(paths.layout()), Layout.class);
        } catch (NoSuchFileException e) {
            return Layout.USUAL;
        } catch (IOException e) {
            throw CommandFailure.failed(
                    "cannot read " + paths.layout() + ": " + e.getMessage(),
                    "use the Tarpon that made this folder, or set TARPON_HOME to another one");
        }
    }

    /// What was chosen for this folder.
    public ClusterShape shape() {
        return ClusterShape.USUAL
                .withLayout(layout())
                .withStore(storeKind())
                .withLog(metadataLog())
                .withMetadataReplicas(metadataReplicas());
    }

    /// Chooses where objects and the metadata log are kept, once for this folder, and on how many machines the cluster
    /// is until it is chosen anew. The caller holds the lock: what is kept somewhere is not looked for elsewhere.
    public void choose(ClusterShape wanted) {
        var chosen = shape();
        if (isChosen(paths.storeKind()) && chosen.store() != wanted.store()) {
            throw CommandFailure.failed(
                    "this cluster keeps its objects " + words(chosen.store()) + ", not " + words(wanted.store()),
                    "leave --store away; or for a cluster of the other kind, set TARPON_HOME to another folder");
        }
        if (isChosen(paths.metadataReplicas()) && chosen.log() != wanted.log()) {
            throw CommandFailure.failed(
                    "this cluster keeps its metadata log " + words(chosen.log()) + ", not " + words(wanted.log()),
                    "carry it there first: ./tarpon metadata move " + wanted.log()
                            + (wanted.metadataReplicas() > 1 ? " --replicas " + wanted.metadataReplicas() : ""));
        }
        writeWord(paths.storeKind(), wanted.store().toString());
        writeLayout(wanted.layout());
        remember(wanted);
    }

    private void writeLayout(Layout layout) {
        try {
            AtomicFile.write(paths.layout(), Json.bytes(layout));
        } catch (IOException e) {
            throw cannotWrite(paths.layout(), e);
        }
    }

    /// Afterwards the metadata log is looked for where the shape says. The caller holds the lock, and the log is there.
    ///
    /// Crash points: in between the words say one replica over that place, or what they said before.
    public void remember(ClusterShape moved) {
        var replicas = Integer.toString(moved.metadataReplicas());
        switch (moved.log()) {
            case KAFKA -> {
                writeWord(paths.metadataLog(), moved.log().toString());
                writeWord(paths.metadataReplicas(), replicas);
            }
            case LOCAL -> {
                writeWord(paths.metadataReplicas(), replicas);
                writeWord(paths.metadataLog(), moved.log().toString());
            }
        }
    }

    /// Whether this folder has, or remembers, what metadata-svc knows.
    public boolean hasMetadata() {
        return Files.isDirectory(paths.metadata(1));
    }

    /// A folder of a Tarpon that knew no such choice has what it had for everybody.
    private boolean isChosen(Path word) {
        return Files.exists(word) || Files.exists(paths.data("metadata"));
    }

    private static void writeWord(Path file, String word) {
        try {
            AtomicFile.write(file, (word + "\n").getBytes(StandardCharsets.US_ASCII));
        } catch (IOException e) {
            throw cannotWrite(file, e);
        }
    }

    private static String words(LogPlace place) {
        return switch (place) {
            case LOCAL -> "on the disk of one process";
            case KAFKA -> "in Kafka";
        };
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
