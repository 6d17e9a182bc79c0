package io.tarpon.shard;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tarpon.service.retry.AbandonedException;
import io.tarpon.store.directory.DirectorySource;
import io.tarpon.storekit.FailingStore.Step;
import io.tarpon.wire.Digests;
import io.tarpon.wire.ObjectKeys;
import io.tarpon.wire.ShardRef;
import io.tarpon.wire.VersionId;
import io.tarpon.wire.event.PlanLink;
import io.tarpon.wire.event.TarponEvent.ShardPlanned;
import io.tarpon.wire.index.ShardIndexFormat;
import io.tarpon.wire.metadata.FieldTotals;
import io.tarpon.wire.metadata.SealShard;
import io.tarpon.wire.metadata.ShardRecord;
import io.tarpon.wire.metadata.VersionState;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.List;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;
import org.junit.jupiter.params.provider.ValueSource;

class BuildShardTest {
    private static final ShardRef REF = Folders.ref(0);

    /// More in a row than any limit of attempts there ever was.
    private static final int FAILURES = 15;

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
    void whatIsSealedIsWhatTheStoreHolds() throws IOException {
        var planned = at.planned();
        assertThat(at.build.build(planned)).isEqualTo(new Outcome.Sealed(planned.samples(), planned.bytes()));
        var seal = at.metadata.sealOf(REF);
        var tar = at.tar();
        var index = at.index();
        assertThat(Digests.sha256Hex(tar)).isEqualTo(seal.sha256());
        assertThat(Digests.sha256Hex(index)).isEqualTo(seal.indexSha256());
        assertThat(ShardIndexFormat.decode("index", index).shardBytes())
                .isEqualTo(seal.bytes())
                .isEqualTo(tar.length);
        assertThat(seal.fields().get("bin").samples()).isEqualTo(100);
        assertThat(seal.planSha256()).isEqualTo(planned.plan().sha256());
    }

    @Test
    void aSampleOfTenThousandFilesIsBuilt() throws IOException {
        int files = 10_000;
        for (int i = 0; i < files; i++) {
            Files.writeString(at.folder.resolve("video.%05d.png".formatted(i)), "frame " + i);
        }
        try (var source = new DirectorySource(at.folder)) {
            var video = Folders.samples(source).stream()
                    .filter(sample -> sample.key().equals("video"))
                    .toList();
            assertThat(at.build.build(at.planned("in", video))).isInstanceOf(Outcome.Sealed.class);
        }
        var index = ShardIndexFormat.decode("index", at.index());
        var tar = at.tar();
        assertThat(index.sampleCount()).isEqualTo(1);
        assertThat(index.members(0)).hasSize(files);
        var last = index.member(0, "09999.png").orElseThrow();
        assertThat(new String(tar, (int) last.dataOffset(), (int) last.size(), UTF_8))
                .isEqualTo("frame 9999");
    }

    @Test
    void aSecondDeliveryChangesNothing() throws IOException {
        var planned = at.planned();
        at.build.build(planned);
        var seal = at.metadata.sealOf(REF);
        assertThat(at.build.build(planned)).isEqualTo(new Outcome.Repeated());
        assertThat(at.metadata.sealOf(REF)).isEqualTo(seal);
        assertThat(at.store.uploads()).isEqualTo(1);
    }

    @ParameterizedTest
    @EnumSource(value = Step.class, mode = Mode.MATCH_NONE, names = ".*(LIST|DELETE)")
    void aCrashAnywhereIsHealedByTheNextDelivery(Step crash) throws IOException {
        var planned = at.planned();
        at.store.inject(step -> {
            if (step == crash) {
                throw new Crash();
            }
        });
        assertThatThrownBy(() -> at.build.build(planned)).isInstanceOf(Crash.class);
        assertThat(at.metadata.isSealed(REF)).isFalse();
        assertThat(at.tars()).hasSize(crash.compareTo(Step.AFTER_COMPLETE) >= 0 ? 1 : 0);
        at.store.inject(step -> {});
        assertThat(at.build.build(planned)).isInstanceOf(Outcome.Sealed.class);
        assertThat(Digests.sha256Hex(at.tar()))
                .isEqualTo(at.metadata.sealOf(REF).sha256());
    }

    @Test
    void twoBuildsOfOnePlanAreEqual() throws IOException {
        var planned = at.planned();
        at.build.build(planned);
        var first = at.metadata.sealOf(REF);
        at.metadata.planned(planned);
        at.build.build(planned);
        assertThat(at.metadata.sealOf(REF)).satisfies(second -> {
            assertThat(second.hasBytesOf(first)).isTrue();
            assertThat(second.attempt()).isNotEqualTo(first.attempt());
        });
        assertThat(at.tars()).hasSize(2);
    }

    @Test
    void anAnswerLostAfterTheSealIsAskedForAgain() throws IOException {
        at.metadata.lostAnswers.set(1);
        assertThat(at.build.build(at.planned())).isInstanceOf(Outcome.Sealed.class);
        assertThat(at.store.uploads()).isEqualTo(1);
    }

    @Test
    void metadataAwayForAMomentCostsNoSecondTar() throws IOException {
        at.metadata.faultyPath = "/seal";
        at.metadata.unavailable.set(3);
        assertThat(at.build.build(at.planned())).isInstanceOf(Outcome.Sealed.class);
        assertThat(at.store.uploads()).isEqualTo(1);
    }

    @Test
    void aStoreAwayForAMomentIsTriedAgain() throws IOException {
        var failures = new AtomicInteger(2);
        at.store.inject(step -> {
            if (step == Step.UPLOAD_WRITE && failures.getAndDecrement() > 0) {
                throw new IOException("no route to the store");
            }
        });
        var planned = at.planned();
        assertThat(at.build.build(planned)).isInstanceOf(Outcome.Sealed.class);
    }

    @Test
    void aStoreThatIsAwayIsWaitedFor() throws Exception {
        var planned = at.planned();
        at.store.inject(step -> {
            throw new IOException("no space left on device");
        });
        var outcome = at.waiting(planned, FAILURES);
        assertThat(at.waits.now()).singleElement().satisfies(wait -> {
            assertThat(wait.what()).isEqualTo("build demo/v1/train/shard-000000");
            assertThat(wait.reason()).contains("no space left on device");
        });
        at.store.inject(step -> {});
        assertThat(outcome.get(30, SECONDS)).isInstanceOf(Outcome.Sealed.class);
        assertThat(at.metadata.failReasons).isEmpty();
        assertThat(at.waits.now()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(ints = {MetadataStandIn.SILENT, 401, 403, 404, 429, 500, 502, 503, 504})
    void metadataInTroubleIsWaitedFor(int trouble) throws Exception {
        var planned = at.planned();
        at.metadata.trouble.set(trouble);
        var outcome = at.waiting(planned, FAILURES);
        at.metadata.trouble.set(0);
        assertThat(outcome.get(30, SECONDS)).isInstanceOf(Outcome.Sealed.class);
        assertThat(at.store.uploads()).isEqualTo(1);
        assertThat(at.metadata.failReasons).isEmpty();
    }

    @ParameterizedTest
    @EnumSource(value = Step.class, mode = Mode.MATCH_NONE, names = ".*(LIST|DELETE)")
    void metadataThatGoesAwayInTheMiddleIsWaitedForAndCostsNoSecondTar(Step middle) throws Exception {
        var planned = at.planned();
        at.store.inject(step -> {
            if (step == middle) {
                at.metadata.trouble.set(MetadataStandIn.SILENT);
            }
        });
        var outcome = at.waiting(planned, FAILURES);
        at.store.inject(step -> {});
        at.metadata.trouble.set(0);
        assertThat(outcome.get(30, SECONDS)).isInstanceOf(Outcome.Sealed.class);
        assertThat(at.store.uploads()).isEqualTo(1);
        assertThat(at.metadata.failReasons).isEmpty();
    }

    @Test
    void aTokenThatIsNotTakenIsWaitedFor() throws Exception {
        var planned = at.planned();
        at.metadata.token = "another-token-of-the-tests";
        var outcome = at.waiting(planned, FAILURES);
        assertThat(at.waits.now())
                .singleElement()
                .satisfies(wait -> assertThat(wait.reason()).contains("Authorization"));
        at.metadata.token = MetadataStandIn.TOKEN;
        assertThat(outcome.get(30, SECONDS)).isInstanceOf(Outcome.Sealed.class);
        assertThat(at.metadata.failReasons).isEmpty();
    }

    @Test
    void aSealThatIsNotUnderstoodEndsTheVersion() throws IOException {
        at.metadata.unacceptable = true;
        dead(at.planned(), DeadReason.REFUSED, "not a seal");
        assertThat(at.metadata.failReasons).singleElement().asString().contains("train/shard-000000", "not a seal");
    }

    @Test
    void aFailureIsToldWhenMetadataIsBack() throws Exception {
        var planned = at.planned();
        Files.writeString(at.folder.resolve("s042.bin"), "other");
        at.metadata.faultyPath = "/fail";
        at.metadata.unavailable.set(FAILURES + 5);
        var outcome = at.waiting(planned, FAILURES);
        assertThat(at.metadata.failReasons).isEmpty();
        assertThat(outcome.get(30, SECONDS)).isInstanceOf(Outcome.Dead.class);
        assertThat(at.metadata.failReasons).singleElement().asString().contains("s042.bin");
    }

    @Test
    void aStopEndsTheWaitAndDecidesNothing() throws Exception {
        var planned = at.planned();
        at.metadata.trouble.set(MetadataStandIn.SILENT);
        var outcome = at.waiting(planned, FAILURES);
        at.stopping = true;
        assertThatThrownBy(() -> outcome.get(30, SECONDS)).hasCauseInstanceOf(AbandonedException.class);
        assertThat(at.metadata.failReasons).isEmpty();
    }

    @Test
    void aMessageThatIsTakenAwayEndsTheWaitAndDecidesNothing() throws Exception {
        var planned = at.planned();
        var taken = new AtomicBoolean();
        at.store.inject(step -> taken.set(true));
        assertThatThrownBy(() -> at.build.until(taken::get).build(planned)).isInstanceOf(AbandonedException.class);
        assertThat(at.tars()).isEmpty();
        assertThat(at.metadata.failReasons).isEmpty();
    }

    @ParameterizedTest
    @EnumSource(
            value = VersionState.class,
            names = {"FAILED", "REMOVED"})
    void aVersionThatEndsEndsTheWaitForItsSource(VersionState state) throws Exception {
        var planned = at.planned("stuttering");
        var outcome = at.waiting(planned, FAILURES);
        at.metadata.state = state;
        assertThat(outcome.get(30, SECONDS)).isEqualTo(new Outcome.Dropped("version is " + state.wireName()));
    }

    @Test
    void aVersionThatEndsEndsAReadThatStandsStill() throws Exception {
        var planned = at.planned("silent");
        var outcome = CompletableFuture.supplyAsync(() -> at.asking().build(planned));
        at.silentRead.get(30, SECONDS);
        at.metadata.state = VersionState.FAILED;
        assertThat(outcome.get(30, SECONDS)).isEqualTo(new Outcome.Dropped("version is failed"));
        assertThat(at.tars()).isEmpty();
    }

    @Test
    void aShardThatAnotherProcessSealsEndsAReadThatStandsStill() throws Exception {
        var planned = at.planned("silent");
        var outcome = CompletableFuture.supplyAsync(() -> at.asking().build(planned));
        at.silentRead.get(30, SECONDS);
        at.metadata.shards.put(REF.path(), otherSeal(planned));
        assertThat(outcome.get(30, SECONDS)).isEqualTo(new Outcome.Repeated());
    }

    @Test
    void aReadGoesOnWhileNobodyCanBeAskedWhetherItIsWanted() throws Exception {
        var planned = at.planned("slow");
        var outcome = CompletableFuture.supplyAsync(() -> at.asking().build(planned));
        at.silentRead.get(30, SECONDS);
        int asked = at.metadata.asked.get();
        at.metadata.trouble.set(503);
        at.until("asked three times", () -> at.metadata.asked.get() >= asked + 3);
        assertThat(outcome).isNotDone();
        at.metadata.trouble.set(0);
        at.goOn.countDown();
        assertThat(outcome.get(30, SECONDS)).isInstanceOf(Outcome.Sealed.class);
        assertThat(at.store.uploads()).isEqualTo(1);
    }

    @Test
    void aChangedInputEndsTheVersionAndIsNamed() throws IOException {
        var planned = at.planned();
        Files.writeString(at.folder.resolve("s042.bin"), "other");
        dead(planned, DeadReason.SOURCE_CHANGED, "s042.bin");
        assertThat(at.metadata.failReasons).singleElement().asString().contains("s042.bin", "ingest");
        assertThat(at.tars()).isEmpty();
        assertThat(at.build.build(planned)).isEqualTo(new Outcome.Dropped("version is failed"));
    }

    @Test
    void anInputThatBecameAFolderIsNamed() throws IOException {
        var planned = at.planned();
        Files.delete(at.folder.resolve("s010.bin"));
        Files.createDirectory(at.folder.resolve("s010.bin"));
        dead(planned, DeadReason.SOURCE_CHANGED, "s010.bin");
    }

    @Test
    void anInputThatMayNotBeReadIsNamedAfterThreeAttempts() throws IOException {
        dead(at.planned("locked"), DeadReason.SOURCE_UNREADABLE, "s000.bin");
        assertThat(at.metadata.failReasons).singleElement().asString().contains("s000.bin", "right to read");
        assertThat(at.store.uploads()).isEqualTo(3);
    }

    @ParameterizedTest
    @EnumSource(
            value = VersionState.class,
            names = {"FAILED", "REMOVED"})
    void aVersionThatEndedIsNotBuilt(VersionState state) throws IOException {
        var planned = at.planned();
        at.metadata.state = state;
        assertThat(at.build.build(planned)).isInstanceOf(Outcome.Dropped.class);
        assertThat(at.store.uploads()).isZero();
    }

    @Test
    void anUnknownVersionIsNotBuilt() throws IOException {
        var of = at.planned();
        var planned = new ShardPlanned(
                of.dataset(),
                VersionId.parse("v9"),
                of.split(),
                of.shard(),
                1,
                2048,
                new PlanLink(
                        "datasets/demo/v9/plan/train/shard-000000.plan",
                        of.plan().sha256()));
        assertThat(at.build.build(planned)).isInstanceOf(Outcome.Dropped.class);
    }

    @Test
    void aPlanElsewhereIsNeverRead() throws IOException {
        var planned = withPlan(
                at.planned(),
                new PlanLink("http://169.254.169.254/plan", at.planned().plan().sha256()));
        dead(planned, DeadReason.WRONG_PLAN_URL, "datasets/demo/v1/plan/train/shard-000000.");
        assertThat(at.metadata.failReasons).isEmpty();
    }

    @Test
    void aPlanThatWasNotPlannedIsRefusedAndFailsNothing() throws IOException {
        var planned = withPlan(at.planned(), new PlanLink(ObjectKeys.plan(REF), "0".repeat(64)));
        dead(planned, DeadReason.NOT_PLANNED, "shard-000000");
        assertThat(at.metadata.failReasons).isEmpty();
    }

    @Test
    void aDamagedPlanEndsTheVersion() throws IOException {
        var planned = at.planned();
        var bytes = at.store.read(ObjectKeys.plan(REF), 1 << 20);
        bytes[bytes.length / 2] ^= 1;
        at.store.write(ObjectKeys.plan(REF), bytes);
        dead(planned, DeadReason.PLAN_DAMAGED, ObjectKeys.plan(REF));
        assertThat(at.metadata.failReasons).hasSize(1);
    }

    @Test
    void aPlanOfAnotherFormatIsNamedWithBothNumbers() throws IOException {
        at.planned();
        var text = "TARPON-PLAN 7\n{}\n".getBytes(UTF_8);
        at.store.write(ObjectKeys.plan(REF), text);
        var planned = withPlan(at.planned(), new PlanLink(ObjectKeys.plan(REF), Digests.sha256Hex(text)));
        at.store.write(ObjectKeys.plan(REF), text);
        at.metadata.planned(planned);
        dead(planned, DeadReason.PLAN_DAMAGED, "format 7");
    }

    @Test
    void aMissingPlanEndsTheVersion() throws IOException {
        var planned = at.planned();
        at.store.delete(ObjectKeys.plan(REF));
        dead(planned, DeadReason.PLAN_DAMAGED, ObjectKeys.plan(REF));
    }

    @Test
    void aSourceThatIsNotConfiguredIsNotOpened() throws IOException {
        dead(at.planned("s3://elsewhere/"), DeadReason.UNKNOWN_SOURCE, "s3://elsewhere/");
    }

    @Test
    void aPlanUnderTheNameOfItsDigestIsBuilt() throws IOException {
        var before = at.planned();
        var key = ObjectKeys.plan(REF, ObjectKeys.planName(before.plan().sha256()));
        at.store.write(key, at.store.read(ObjectKeys.plan(REF), 1 << 20));
        at.store.delete(ObjectKeys.plan(REF));
        var planned = withPlan(before, new PlanLink(key, before.plan().sha256()));
        assertThat(at.build.build(planned)).isInstanceOf(Outcome.Sealed.class);
    }

    /// The source gives other bytes under the ETag that was planned.
    @ParameterizedTest
    @EnumSource(
            value = Step.class,
            names = {"BEFORE_COMPLETE", "AFTER_COMPLETE", "BEFORE_WRITE", "AFTER_WRITE"})
    void ofTwoAttemptsWithOtherBytesTheFirstSealStaysAndIsNotTouched(Step slow) throws IOException {
        var planned = at.planned();
        at.store.inject(step -> {
            if (step == slow) {
                at.store.inject(_ -> {});
                overwritten("s042.bin");
                assertThat(at.other().build(planned)).isInstanceOf(Outcome.Sealed.class);
            }
        });
        dead(planned, DeadReason.CONFLICT, "the sealed one was kept");
        var seal = at.metadata.sealOf(REF);
        assertThat(Digests.sha256Hex(at.tar())).isEqualTo(seal.sha256());
        assertThat(Digests.sha256Hex(at.index())).isEqualTo(seal.indexSha256());
        assertThat(at.tars()).hasSize(2).contains(ObjectKeys.tar(REF, seal.attempt()));
        assertThat(at.metadata.failReasons).isEmpty();
    }

    /// With as many bytes and the same time, which is what a folder's ETag is made of.
    private void overwritten(String file) throws IOException {
        var path = at.folder.resolve(file);
        var time = Files.getLastModifiedTime(path);
        var bytes = Files.readAllBytes(path);
        bytes[bytes.length / 2] ^= 1;
        Files.write(path, bytes);
        Files.setLastModifiedTime(path, time);
    }

    @Test
    void whatWasSealedWhileItWasReadIsNoReasonToGoOn() throws IOException {
        var planned = at.planned();
        var other = otherSeal(planned);
        at.store.inject(step -> {
            if (step == Step.UPLOAD_WRITE) {
                at.metadata.shards.put(REF.path(), other);
                throw new IOException("no route to the store");
            }
        });
        assertThat(at.build.build(planned)).isEqualTo(new Outcome.Repeated());
        assertThat(at.tars()).isEmpty();
    }

    @Test
    void aSealRefusedForOtherContentIsADeadLetterAndFailsNothing() throws IOException {
        var planned = at.planned();
        at.store.inject(step -> {
            if (step == Step.AFTER_COMPLETE) {
                at.metadata.shards.put(REF.path(), otherSeal(planned));
            }
        });
        dead(planned, DeadReason.CONFLICT, "the sealed one was kept");
        assertThat(at.metadata.failReasons).isEmpty();
    }

    @Test
    void aStopInTheMiddleLeavesNothingVisible() throws IOException {
        var planned = at.planned();
        at.store.inject(step -> at.stopping = true);
        assertThatThrownBy(() -> at.build.build(planned)).isInstanceOf(AbandonedException.class);
        assertThat(at.tars()).isEmpty();
        assertThat(at.metadata.failReasons).isEmpty();
    }

    private void dead(ShardPlanned planned, DeadReason reason, String detail) {
        assertThat(at.build.build(planned)).isInstanceOfSatisfying(Outcome.Dead.class, dead -> {
            assertThat(dead.reason()).isEqualTo(reason);
            assertThat(dead.detail()).contains(detail);
        });
    }

    private static ShardRecord otherSeal(ShardPlanned planned) {
        var digest = HexFormat.of().formatHex(new byte[32]);
        var fields = new TreeMap<String, FieldTotals>();
        var seal = new SealShard(planned.plan().sha256(), 1, 2048, digest, "00000000", 1, digest, fields, List.of(0));
        return new ShardRecord(planned.shard(), 1, 2048, planned.plan().sha256(), seal);
    }

    private static ShardPlanned withPlan(ShardPlanned of, PlanLink plan) {
        return new ShardPlanned(of.dataset(), of.version(), of.split(), of.shard(), of.samples(), of.bytes(), plan);
    }
}
