package io.tarpon.metadata.replica;

import static io.tarpon.metadata.Fixtures.DEMO;
import static io.tarpon.metadata.Fixtures.SPEC;
import static io.tarpon.metadata.Fixtures.V1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tarpon.metadata.entry.Change;
import io.tarpon.metadata.entry.Entity;
import io.tarpon.metadata.entry.Entry;
import io.tarpon.metadata.entry.EntryFormat;
import io.tarpon.metadata.entry.MetadataLog;
import io.tarpon.metadata.image.Image;
import io.tarpon.metadata.log.LocalLog;
import io.tarpon.wire.VersionId;
import io.tarpon.wire.http.TarponException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReplicaTest {
    @TempDir
    Path temp;

    /// The first record of the entry is applied, the second cannot be: a reader who waits for the lock meanwhile must
    /// not see the first.
    @Test
    void aHalfAppliedEntryIsNeverRead() throws Exception {
        try (var log = LocalLog.open(
                temp.resolve("log"),
                Files.createDirectories(temp.resolve("lib")),
                16,
                MetadataLog.MAX_ENTRY_BYTES,
                Duration.ofMinutes(1))) {
            var replica = new Replica(log, new EventTail(16), new Image());
            var entry = new Entry(
                    "nonsense",
                    Instant.EPOCH,
                    null,
                    new TreeMap<>(Map.of(new Entity.Numbers(DEMO).toString(), 0L)),
                    List.of(
                            new Change.VersionBegun(DEMO, V1, "a", SPEC, null),
                            new Change.VersionBegun(DEMO, new VersionId(7), "b", SPEC, null)));
            log.append(EntryFormat.encode(entry));
            var inside = new CountDownLatch(1);
            var goOn = new CompletableFuture<Void>();
            var reader = new CompletableFuture<Object>();
            // Holds the read lock, so that replay and the reader both queue for theirs, in this order.
            var first = Thread.ofPlatform()
                    .start(() -> replica.read(_ -> {
                        inside.countDown();
                        return goOn.join();
                    }));
            inside.await();
            var replay = Thread.ofPlatform()
                    .start(() -> assertThatThrownBy(replica::catchUp).isInstanceOf(IllegalStateException.class));
            awaitState(replay);
            var second = Thread.ofPlatform().start(() -> {
                try {
                    reader.complete(replica.read(image -> image.reads().datasets(null, Integer.MAX_VALUE))
                            .value());
                } catch (TarponException e) {
                    reader.complete(e);
                }
            });
            awaitState(second);
            goOn.complete(null);
            assertThat(reader.get(30, TimeUnit.SECONDS)).isInstanceOf(TarponException.class);
            assertThat(replica.broken()).hasMessageContaining("the image cannot take");
            first.join();
            replay.join();
            second.join();
        }
    }

    private static void awaitState(Thread thread) {
        var deadline = System.nanoTime() + Duration.ofSeconds(30).toNanos();
        while (thread.getState() != Thread.State.WAITING) {
            assertThat(System.nanoTime()).as("the thread waits for the lock").isLessThan(deadline);
            Thread.onSpinWait();
        }
    }
}
