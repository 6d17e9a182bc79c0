package io.tarpon.shard;

import static org.assertj.core.api.Assertions.assertThat;

import io.tarpon.storekit.FailingStore.Step;
import io.tarpon.wire.Digests;
import io.tarpon.wire.ObjectKeys;
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

        assertThat(at.store.size(ObjectKeys.tar(REF))).isEmpty();
        assertThat(at.metadata.isSealed(REF)).isFalse();
    }

    /// The store takes its time over a step of the build of the plan before.
    @ParameterizedTest
    @EnumSource(
            value = Step.class,
            names = {"UPLOAD_WRITE", "AFTER_PREPARE", "AFTER_COMPLETE"})
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
        assertThat(sha256(ObjectKeys.tar(REF))).isEqualTo(seal.sha256());
        assertThat(sha256(ObjectKeys.index(REF))).isEqualTo(seal.indexSha256());
        assertThat(at.metadata.failReasons).isEmpty();
    }

    @Test
    void questionIsAskedAgainInEveryAttemptAtTheIndex() throws IOException {
        var before = at.planned();
        at.store.inject(step -> {
            if (step == Step.BEFORE_WRITE) {
                at.store.inject(_ -> {});
                Files.writeString(at.folder.resolve("s042.bin"), "other");
                assertThat(at.other().build(at.planned())).isInstanceOf(Outcome.Sealed.class);
                throw new IOException("the answer got lost");
            }
        });

        at.build.build(before);

        assertThat(sha256(ObjectKeys.index(REF)))
                .isEqualTo(at.metadata.sealOf(REF).indexSha256());
    }

    private String sha256(String key) throws IOException {
        return Digests.sha256Hex(at.store.read(key, 16 << 20));
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
