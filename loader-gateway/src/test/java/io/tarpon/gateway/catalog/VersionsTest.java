package io.tarpon.gateway.catalog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tarpon.gateway.fixture.MadeShard;
import io.tarpon.gateway.fixture.World;
import io.tarpon.testkit.Deadline;
import io.tarpon.wire.DatasetName;
import io.tarpon.wire.VersionId;
import io.tarpon.wire.client.MetadataClient;
import io.tarpon.wire.http.ProblemType;
import io.tarpon.wire.http.TarponException;
import io.tarpon.wire.metadata.VersionState;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What loaders wait for while metadata-svc answers, hangs or is away.
@NullUnmarked // The test framework fills the fields.
class VersionsTest {
    private static final DatasetName DATASET = new DatasetName("kept");
    private static final VersionId V1 = new VersionId(1);
    private static final Duration SOON = Duration.ofSeconds(2);
    private static final Duration LATER = Duration.ofMinutes(1);

    /// The default of metadata-svc's `tarpon.gc.grace`, after which a removed version may be collected.
    private static final Duration GC_GRACE = Duration.ofSeconds(10);

    /// The default of `gateway.report-every`, within which metadata-svc hears of a read; as long again to arrive.
    private static final Duration REPORTED = Duration.ofSeconds(3).multipliedBy(2);

    @TempDir
    Path folder;

    private final AtomicLong clock = new AtomicLong();
    private final ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor();
    private World world;
    private MetadataClient client;
    private Versions versions;

    @BeforeEach
    void open() throws IOException {
        world = new World(folder);
        world.seal("kept", 1, Map.of("train", List.of(MadeShard.of("kept", new Random(1), 3, _ -> 100))));
        client = MetadataClient.readOnly(world.metadata().url());
        versions = new Versions(client, executor, clock::get);
    }

    @AfterEach
    void close() {
        world.close();
        client.close();
        executor.shutdownNow();
    }

    @Test
    void anAnswerOfLateIsGivenAtOnceAndRenewedBehindIt() {
        assertThat(state()).isEqualTo(VersionState.SEALED);
        world.unsealed("kept", 1, VersionState.REMOVED, "removed");
        pass(SOON);
        var held = versions.version(DATASET, V1);
        assertThat(held.isDone()).as("nobody waits").isTrue();
        assertThat(held.join().state()).isEqualTo(VersionState.SEALED);
        Deadline.until("the removal is seen", () -> state() == VersionState.REMOVED);
    }

    @Test
    void afterALongPauseTheAnswerOfNowIsWaitedFor() {
        assertThat(state()).isEqualTo(VersionState.SEALED);
        world.unsealed("kept", 1, VersionState.REMOVED, "removed");
        pass(LATER);
        assertThat(state()).isEqualTo(VersionState.REMOVED);
    }

    @Test
    void aRemovedVersionIsNotBelievedInForSoLongThatItIsCollectedUnreported() {
        assertThat(state()).isEqualTo(VersionState.SEALED);
        world.unsealed("kept", 1, VersionState.REMOVED, "removed");
        pass(GC_GRACE.minus(REPORTED));
        assertThat(state()).isEqualTo(VersionState.REMOVED);
    }

    @Test
    void oneReadWaitsForAMetadataServiceThatHangsAndNoneAfterIt() {
        assertThat(state()).isEqualTo(VersionState.SEALED);
        var latest = versions.latest(DATASET).join();
        world.metadata().hangs(true);
        pass(LATER);
        assertThat(state()).as("after its patience").isEqualTo(VersionState.SEALED);
        assertThat(versions.latest(DATASET).join()).isEqualTo(latest);
        for (int i = 0; i < 100; i++) {
            pass(SOON);
            assertThat(versions.version(DATASET, V1).isDone())
                    .as("version, read %d", i)
                    .isTrue();
            assertThat(versions.latest(DATASET).isDone())
                    .as("latest, read %d", i)
                    .isTrue();
        }
        world.unsealed("kept", 1, VersionState.REMOVED, "removed");
        world.metadata().hangs(false);
        Deadline.until("what it says then is heard", () -> state() == VersionState.REMOVED);
    }

    @Test
    void aMetadataServiceThatIsAwayIsAskedOnceASecondAndNotForEachRead() {
        assertThat(state()).isEqualTo(VersionState.SEALED);
        world.metadata().down(true);
        pass(LATER);
        assertThat(state()).isEqualTo(VersionState.SEALED);
        world.metadata().down(false);
        var before = world.metadata().requests();
        for (int i = 0; i < 1_000; i++) {
            assertThat(versions.version(DATASET, V1).isDone()).isTrue();
        }
        assertThat(world.metadata().requests()).as("within the same second").isEqualTo(before);
        pass(SOON);
        Deadline.until("it is asked again", () -> {
            state();
            return world.metadata().requests() > before;
        });
    }

    @Test
    void whatWasNeverHeardFailsWhileMetadataIsAway() {
        world.metadata().down(true);
        assertThatThrownBy(this::state)
                .cause()
                .isInstanceOfSatisfying(
                        TarponException.class, e -> assertThat(e.type()).isEqualTo(ProblemType.NOT_READY));
    }

    private VersionState state() {
        return versions.version(DATASET, V1).join().state();
    }

    private void pass(Duration time) {
        clock.addAndGet(time.toNanos());
    }
}
