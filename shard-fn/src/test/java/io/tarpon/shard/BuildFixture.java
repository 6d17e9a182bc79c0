package io.tarpon.shard;

import static org.assertj.core.api.Assertions.assertThat;

import io.tarpon.service.retry.Failures;
import io.tarpon.service.retry.Patience;
import io.tarpon.service.retry.Pauses;
import io.tarpon.service.retry.Waits;
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
import java.io.InterruptedIOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/// One folder of files, a store, a metadata stand-in and the use case between them.
final class BuildFixture implements AutoCloseable {
    private static final Duration SELDOM = Duration.ofSeconds(10);
    private static final Duration OFTEN = Duration.ofMillis(20);
    private static final Duration LIMIT = Duration.ofSeconds(30);
    private static final long POLL_NANOS = 1_000_000;

    final Path folder;
    final FailingStore store;
    final MetadataStandIn metadata = new MetadataStandIn();
    final MetadataClient client = metadata.client();
    final ShardAssembly assembly = new ShardAssembly(new AssemblyLimits(2, 1 << 20, 1));
    final BuildShard build;
    private final ShardAssembly otherAssembly = new ShardAssembly(new AssemblyLimits(2, 1 << 20, 1));
    private final DirectorySource source;
    private final Random random = new Random(3);
    final Waits waits = new Waits();

    /// The source `slow` answers when this is at zero.
    final CountDownLatch goOn = new CountDownLatch(1);

    /// Once somebody reads the source `slow`, or `silent`, which never answers.
    final CompletableFuture<Void> silentRead = new CompletableFuture<>();
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
        build = build(assembly, waits, SELDOM);
    }

    /// What another process would build with: nothing shared but source, store and metadata-svc.
    BuildShard other() {
        return build(otherAssembly, new Waits(), SELDOM);
    }

    /// Asks often whether a shard that is being read is still wanted.
    BuildShard asking() {
        return build(assembly, waits, OFTEN);
    }

    private BuildShard build(ShardAssembly by, Waits waits, Duration askEvery) {
        var pauses = new Pauses(Duration.ofMillis(2), Duration.ofMillis(5));
        var patience = new Patience(pauses, Failures::mayPass, waits, () -> stopping);
        return new BuildShard(client, store, this::open, by, patience, askEvery, () -> stopping);
    }

    /// Waits for nothing: what fails, fails.
    static Patience impatience() {
        return new Patience(new Pauses(Pauses.MOST, Pauses.MOST), _ -> false, new Waits(), () -> false);
    }

    /// The outcome of a build that something is in the way of, once it has failed so many times in a row.
    CompletableFuture<Outcome> waiting(ShardPlanned planned, int failures) {
        var outcome = CompletableFuture.supplyAsync(() -> build.build(planned));
        until(
                failures + " failures in a row",
                () -> outcome.isDone() || waits.now().stream().anyMatch(wait -> wait.failures() >= failures));
        assertThat(outcome).isNotDone();
        return outcome;
    }

    void until(String what, BooleanSupplier condition) {
        long end = System.nanoTime() + LIMIT.toNanos();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() > end) {
                throw new AssertionError("not within " + LIMIT + ": " + what + "; waits for " + waits.now());
            }
            LockSupport.parkNanos(POLL_NANOS);
        }
    }

    ObjectSource open(String reference) throws IOException {
        return switch (reference) {
            case "in" -> source;
            case "locked" ->
                new OddSource(key -> {
                    throw new AccessDeniedException(key);
                });
            case "stuttering" ->
                new OddSource(key -> {
                    throw new IOException("the connection to " + key + " broke");
                });
            case "slow" ->
                new OddSource(key -> {
                    silentRead.complete(null);
                    goOn.await();
                    return Files.newInputStream(folder.resolve(key));
                });
            case "silent" ->
                new OddSource(key -> {
                    silentRead.complete(null);
                    new CountDownLatch(1).await();
                    return InputStream.nullInputStream();
                });
            case null, default -> elsewhere.open(reference);
        };
    }

    /// What becomes of a read of its objects, of which it has every one.
    private interface Read {
        InputStream of(String key) throws IOException, InterruptedException;
    }

    private record OddSource(Read read) implements ObjectSource {
        @Override
        public void list(SourceVisitor visitor) {}

        @Override
        public Optional<SourceObject> find(String key) {
            return Optional.empty();
        }

        @Override
        public InputStream open(String key, String etag, long size) throws IOException {
            try {
                return read.of(key);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new InterruptedIOException(key);
            }
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

    /// The tar that was sealed as shard 0.
    byte[] tar() throws IOException {
        return store.read(metadata.record(Folders.ref(0)).tarKey(Folders.ref(0)), 1 << 24);
    }

    /// Its index.
    byte[] index() throws IOException {
        return store.read(metadata.record(Folders.ref(0)).indexKey(Folders.ref(0)), 1 << 24);
    }

    /// Keys of the tars of every attempt.
    List<String> tars() throws IOException {
        var keys = new ArrayList<String>();
        store.list("", object -> {
            if (object.key().endsWith(".tar")) {
                keys.add(object.key());
            }
        });
        return keys;
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
