package io.tarpon.shard;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import io.tarpon.storekit.FailingStore.Step;
import io.tarpon.wire.Digests;
import io.tarpon.wire.ShardRef;
import io.tarpon.wire.metadata.VersionState;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Messages around a version that failed and is tried again: some are of the try before.
class RetriedVersionTest {
    private static final ShardRef REF = Folders.ref(0);

    @TempDir
    Path temp;

    private BuildFixture at;

    @BeforeEach
    void open() throws IOException {
        at = new BuildFixture(temp);
        at.someFiles();
    }

    @AfterEach
    void close() {
        at.close();
    }

    @Test
    void messageOfTheTryBeforeFailsNothingWhileTheVersionIsPlannedAnew() throws IOException {
        var before = at.planned();
        at.metadata.state = VersionState.PLANNING;

        assertThat(at.build.build(before)).isInstanceOf(Outcome.Dropped.class);

        assertThat(at.metadata.failReasons).isEmpty();
        assertThat(at.store.uploads()).isZero();
    }

    @ParameterizedTest
    @EnumSource(names = {"FAILED", "PLANNING", "REMOVED"})
    void replicaThatIsBehindTheRetryDropsNothing(VersionState before) throws IOException {
        at.metadata.stateBefore = before;

        assertThat(at.build.build(at.planned())).isInstanceOf(Outcome.Sealed.class);
    }

    @Test
    void planThatCameOutAsBeforeIsBuiltFromEitherMessage() throws IOException {
        var before = at.planned();
        at.metadata.state = VersionState.FAILED;
        assertThat(at.build.build(before)).isInstanceOf(Outcome.Dropped.class);
        at.metadata.state = VersionState.BUILDING;
        var now = at.planned();

        assertThat(at.build.build(before)).isInstanceOf(Outcome.Sealed.class);
        assertThat(at.build.build(now)).isEqualTo(new Outcome.Repeated());
    }

    @Test
    void inputChangedInTheTryBeforeIsPlannedAndBuiltAsItIsNow() throws IOException {
        var before = at.planned();
        Files.writeString(at.folder.resolve("s042.bin"), "other");
        assertThat(at.build.build(before)).isInstanceOf(Outcome.Dead.class);
        assertThat(at.metadata.failReasons).singleElement().asString().contains("s042.bin");
        at.metadata.state = VersionState.BUILDING;
        var now = at.planned();

        assertThat(at.build.build(now)).isInstanceOf(Outcome.Sealed.class);
        assertThat(at.build.build(before))
                .isInstanceOfSatisfying(
                        Outcome.Dead.class, dead -> assertThat(dead.reason()).isEqualTo(DeadReason.NOT_PLANNED));
        assertThat(at.metadata.failReasons).hasSize(1);
    }

    @Test
    void buildThatFailsAfterItsVersionWasPlannedAnewFailsNothing() throws IOException {
        var before = at.planned();
        at.store.inject(step -> {
            if (step == Step.UPLOAD_WRITE) {
                // Meanwhile: another shard failed the version, and somebody tried it again.
                at.metadata.state = VersionState.PLANNING;
                throw new IOException("no space left on device");
            }
        });

        assertThat(at.build.build(before)).isInstanceOf(Outcome.Dropped.class);

        assertThat(at.metadata.failReasons).isEmpty();
    }

    @Test
    void versionPlannedAnewInTheMiddleOfABuildGetsNothingOfIt() throws IOException {
        var before = at.planned();
        at.store.inject(step -> at.metadata.state = VersionState.PLANNING);

        assertThat(at.build.build(before)).isInstanceOf(Outcome.Dropped.class);

        assertThat(at.metadata.isSealed(REF)).isFalse();
    }

    /// The store takes its time over a step of the build of the plan before.
    @ParameterizedTest
    @EnumSource(
            value = Step.class,
            names = {"UPLOAD_WRITE", "BEFORE_COMPLETE", "AFTER_COMPLETE", "BEFORE_WRITE", "AFTER_WRITE"})
    void buildOfThePlanBeforeLeavesWhatIsSealedSince(Step slow) throws IOException {
        var before = at.planned();
        at.store.inject(step -> {
            if (step == slow) {
                at.store.inject(_ -> {});
                Files.writeString(at.folder.resolve("s042.bin"), "other");
                assertThat(at.other().build(at.planned())).isInstanceOf(Outcome.Sealed.class);
            }
        });

        at.build.build(before);

        var seal = at.metadata.sealOf(REF);
        assertThat(Digests.sha256Hex(at.tar())).isEqualTo(seal.sha256());
        assertThat(Digests.sha256Hex(at.index())).isEqualTo(seal.indexSha256());
        assertThat(at.metadata.failReasons).isEmpty();
    }

    @Test
    void versionThatEndsEndsTheWaitForTheStoreOfTheIndex() throws IOException {
        var planned = at.planned();
        at.store.inject(step -> {
            if (step == Step.BEFORE_WRITE) {
                at.metadata.state = VersionState.FAILED;
                throw new IOException("no space left on device");
            }
        });

        assertThat(at.build.build(planned)).isEqualTo(new Outcome.Dropped("version is failed"));
    }

    /// Between the last look at the version and the word that it failed.
    @Test
    void buildOfOnePlanDoesNotFailAVersionWithAnother() throws Exception {
        var before = at.planned();
        Files.writeString(at.folder.resolve("s042.bin"), "other");
        at.metadata.faultyPath = "/fail";
        at.metadata.unavailable.set(Integer.MAX_VALUE);
        var outcome = at.waiting(before, 3);
        at.metadata.beforeFail = () -> at.metadata.planDigest = "cd".repeat(32);
        at.metadata.unavailable.set(0);

        assertThat(outcome.get(30, SECONDS)).isEqualTo(new Outcome.Dropped("the version was planned again"));

        assertThat(at.metadata.failReasons).isEmpty();
        assertThat(at.metadata.state).isEqualTo(VersionState.BUILDING);
    }

    @Test
    void shardThatIsSealedAlreadyFailsNothingWhenItsSourceIsGone() throws IOException {
        var planned = at.planned();
        var failing = new boolean[] {true};
        at.store.inject(step -> {
            if (step == Step.UPLOAD_WRITE && failing[0]) {
                failing[0] = false;
                assertThat(at.other().build(planned)).isInstanceOf(Outcome.Sealed.class);
                Files.delete(at.folder.resolve("s099.bin"));
            }
        });

        assertThat(at.build.build(planned)).isEqualTo(new Outcome.Repeated());

        assertThat(at.metadata.failReasons).isEmpty();
    }

    @Test
    void commandsCarryTheTraceOfTheMessage() throws IOException {
        var parent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";

        assertThat(at.build.with(parent).build(at.planned())).isInstanceOf(Outcome.Sealed.class);

        assertThat(at.metadata.traces).containsExactly(parent);
    }
}
