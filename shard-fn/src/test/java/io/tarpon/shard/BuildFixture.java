package io.tarpon.shard;

import io.tarpon.shard.assembly.AssemblyLimits;
import io.tarpon.shard.assembly.ShardAssembly;
import io.tarpon.store.ObjectSource;
import io.tarpon.store.SourceObject;
import io.tarpon.store.SourceVisitor;
import io.tarpon.store.UnknownSourceException;
import io.tarpon.store.directory.DirectorySource;
import io.tarpon.store.directory.DirectoryStore;
import io.tarpon.storekit.FailingStore;
import io.tarpon.wire.client.MetadataClient;
import io.tarpon.wire.event.TarponEvent.ShardPlanned;
import io.tarpon.wire.plan.PlannedSample;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Random;

/// One folder of files, a store, a metadata stand-in and the use case between them.
final class BuildFixture implements AutoCloseable {
    final Path folder;
    final FailingStore store;
    final MetadataStandIn metadata = new MetadataStandIn();
    final MetadataClient client = metadata.client();
    final ShardAssembly assembly = new ShardAssembly(new AssemblyLimits(2, 1 << 20, 1));
    final BuildShard build;
    private final ShardAssembly otherAssembly = new ShardAssembly(new AssemblyLimits(2, 1 << 20, 1));
    private final DirectorySource source;
    private final Random random = new Random(3);
    volatile boolean stopping;

    private final BuildShard.OpenSource elsewhere;

    BuildFixture(Path temp) throws IOException {
        this(temp, reference -> {
            throw new UnknownSourceException(reference, "no such source in this test");
        });
    }

    /// @param elsewhere opens every source but the folder
    BuildFixture(Path temp, BuildShard.OpenSource elsewhere) throws IOException {
        this.elsewhere = elsewhere;
        folder = Files.createDirectories(temp.resolve("in"));
        store = new FailingStore(DirectoryStore.open(temp.resolve("store")));
        source = new DirectorySource(folder);
        var attempts = new Attempts(4, Duration.ofMillis(2), Duration.ofMillis(5), random, () -> stopping);
        build = new BuildShard(client, store, this::open, assembly, attempts, () -> stopping);
    }

    /// What another process would build with: nothing shared but source, store and metadata-svc.
    BuildShard other() {
        var attempts = new Attempts(4, Duration.ofMillis(2), Duration.ofMillis(5), random, () -> stopping);
        return new BuildShard(client, store, this::open, otherAssembly, attempts, () -> stopping);
    }

    ObjectSource open(String reference) throws IOException {
        return switch (reference) {
            case "in" -> source;
            case "locked" -> new LockedSource();
            case null, default -> elsewhere.open(reference);
        };
    }

    /// Its objects are there and may not be read.
    private static final class LockedSource implements ObjectSource {
        @Override
        public void list(SourceVisitor visitor) {}

        @Override
        public Optional<SourceObject> find(String key) throws IOException {
            throw new AccessDeniedException(key);
        }

        @Override
        public InputStream open(String key, String etag, long size) throws IOException {
            throw new AccessDeniedException(key);
        }

        @Override
        public void close() {}
    }

    void someFiles() throws IOException {
        for (int i = 0; i < 100; i++) {
            var bytes = new byte[random.nextInt(30_000)];
            random.nextBytes(bytes);
            Files.write(folder.resolve("s%03d.bin".formatted(i)), bytes);
        }
    }

    /// Plans all files as they are now as shard 0.
    ShardPlanned planned() throws IOException {
        return planned("in");
    }

    ShardPlanned planned(String reference) throws IOException {
        return planned(reference, Folders.samples(source));
    }

    ShardPlanned planned(String reference, List<PlannedSample> samples) throws IOException {
        var planned = Folders.plan(store, Folders.ref(0), reference, samples);
        metadata.planned(planned);
        return planned;
    }

    @Override
    public void close() {
        client.close();
        metadata.close();
        assembly.close();
        otherAssembly.close();
        store.close();
    }
}
