package io.tarpon.ingest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.tarpon.ingest.VersionPlanning.Outcome;
import io.tarpon.ingest.disk.SpoolArea;
import io.tarpon.ingest.upload.Refusal;
import io.tarpon.ingest.upload.Upload;
import io.tarpon.service.retry.AbandonedException;
import io.tarpon.service.retry.Patience;
import io.tarpon.service.retry.Waits;
import io.tarpon.service.retry.WaitsReady;
import io.tarpon.store.UnknownSourceException;
import io.tarpon.store.directory.DirectoryStore;
import io.tarpon.wire.DatasetName;
import io.tarpon.wire.Digests;
import io.tarpon.wire.ObjectKeys;
import io.tarpon.wire.VersionId;
import io.tarpon.wire.client.MetadataClient;
import io.tarpon.wire.event.DatasetUploaded;
import io.tarpon.wire.event.DatasetUploaded.SpecOverrides;
import io.tarpon.wire.event.Events;
import io.tarpon.wire.event.TarponEvent.ShardPlanned;
import io.tarpon.wire.metadata.DatasetSpec;
import io.tarpon.wire.metadata.VersionState;
import io.tarpon.wire.trace.Traces;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.eclipse.microprofile.health.HealthCheckResponse;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// The whole use case, with metadata over HTTP and a store on disk.
@Timeout(120)
class VersionPlanningTest {
    private static final DatasetName DEMO = new DatasetName("demo");
    private static final SpecOverrides SMALL_SHARDS = new SpecOverrides(null, 16_384L, null, null, null, null, null);
    private static final SpecOverrides NOTHING = new SpecOverrides(null, null, null, null, null, null, null);

    @TempDir
    Path folder;

    private final SimpleMeterRegistry meters = new SimpleMeterRegistry();
    private final KeptMessages topic = new KeptMessages();
    private final OneSource sources = new OneSource(OneSource.HUNDRED);
    private SmallMetadata metadata;
    private MetadataClient client;
    private DirectoryStore store;
    private VersionPlanning planning;
    private Counter planned;

    @BeforeEach
    void start() throws Exception {
        metadata = new SmallMetadata();
        client = new MetadataClient(metadata.url(), SmallMetadata.TOKEN);
        store = DirectoryStore.open(folder.resolve("store"));
        planned = meters.counter("planned");
        planning = planning(ShortPauses.forEver(), 64 << 20);
    }

    @AfterEach
    void stop() {
        client.close();
        metadata.close();
        store.close();
    }

    @Test
    void anUploadBecomesOneMessageForEachShard() throws Exception {
        assertThat(planning.plan(upload("r1", SMALL_SHARDS, false))).isEqualTo(new Outcome.Done());

        var version = metadata.version("v1");
        assertThat(version.state()).isEqualTo(VersionState.BUILDING);
        assertThat(version.spec().source()).isEqualTo("photos");
        assertThat(topic.messages)
                .hasSizeGreaterThan(2)
                .hasSize(version.splits().getFirst().shards());
        var files = new PlanFiles(store, DEMO, new VersionId(1));
        var ids = new HashSet<String>();
        for (var message : topic.messages) {
            var event = Events.decode(message.value());
            var shard = (ShardPlanned) event.data();
            assertThat(message.key()).isEqualTo(shard.ref().path());
            assertThat(shard.plan().url())
                    .isEqualTo(ObjectKeys.plan(
                            shard.ref(), ObjectKeys.planName(shard.plan().sha256())));
            assertThat(files.sha256(shard.ref())).isEqualTo(shard.plan().sha256());
            assertThat(event.traceparent()).contains("00-11111111111111111111111111111111-2222222222222222-01");
            ids.add(event.id());
        }
        assertThat(ids).hasSameSizeAs(topic.messages);
        assertThat(planned.count()).isEqualTo(100);
    }

    @Test
    void anUploadThatComesAgainAfterACrashBeforeItsMessagesGetsTheSameOnes() throws Exception {
        topic.refuse = 1_000;
        var stopped = ShortPauses.until(() -> topic.refuse < 995);
        assertThatThrownBy(() -> planning(stopped, 64 << 20).plan(upload("r1", SMALL_SHARDS, false)))
                .isInstanceOf(AbandonedException.class);
        topic.refuse = 0;
        planning.plan(upload("r1", SMALL_SHARDS, false));
        var first = topic.ids();
        topic.messages.clear();
        planning.plan(upload("r1", SMALL_SHARDS, false));
        assertThat(topic.ids()).isEqualTo(first);
        assertThat(metadata.count()).isEqualTo(1);
    }

    @Test
    void aBrokerThatGoesAwayInTheMiddleIsWaitedForAndMissesNoMessage() throws Exception {
        topic.refuse = 5;
        topic.takeOfRefused = 2;
        assertThat(planning.plan(upload("r1", SMALL_SHARDS, false))).isEqualTo(new Outcome.Done());

        var shards = metadata.version("v1").splits().getFirst().shards();
        assertThat(topic.messages).hasSize(5 * 2 + shards);
        assertThat(new HashSet<>(topic.ids()))
                .as("what was sent again is the same")
                .hasSize(shards);
        assertThat(metadata.count()).isEqualTo(1);
    }

    @Test
    void onlyShardsThatAreNotSealedAreAnnouncedAgain() throws Exception {
        planning.plan(upload("r1", SMALL_SHARDS, false));
        int shards = topic.messages.size();
        topic.messages.clear();
        metadata.seal("v1", "train", "shard-000001");
        planning.plan(upload("r1", SMALL_SHARDS, false));
        assertThat(topic.messages).hasSize(shards - 1);
        assertThat(topic.messages).extracting(message -> message.key()).doesNotContain("demo/v1/train/shard-000001");
    }

    @Test
    void aRequestThatIsAnsweredChangesNothing() throws Exception {
        planning.plan(upload("r1", SMALL_SHARDS, false));
        metadata.end("v1", VersionState.SEALED);
        topic.messages.clear();
        assertThat(planning.plan(upload("r1", SMALL_SHARDS, false))).isEqualTo(new Outcome.Done());
        assertThat(topic.messages).isEmpty();
        assertThat(metadata.version("v1").state()).isEqualTo(VersionState.SEALED);
    }

    @Test
    void theSamePlanGivesTheSealedVersionBackAndLeavesNoFiles() throws Exception {
        planning.plan(upload("r1", SMALL_SHARDS, false));
        metadata.end("v1", VersionState.SEALED);
        topic.messages.clear();
        planning.plan(upload("r2", SMALL_SHARDS, false));
        assertThat(metadata.version("v2").sameAs()).isEqualTo(new VersionId(1));
        assertThat(topic.messages).isEmpty();
        assertThat(keys()).isNotEmpty().noneMatch(key -> key.startsWith("datasets/demo/v2/"));
    }

    @Test
    void forceMakesANewVersionOfTheSamePlan() throws Exception {
        planning.plan(upload("r1", SMALL_SHARDS, false));
        metadata.end("v1", VersionState.SEALED);
        topic.messages.clear();
        planning.plan(upload("r2", SMALL_SHARDS, true));
        assertThat(metadata.version("v2").state()).isEqualTo(VersionState.BUILDING);
        assertThat(metadata.version("v2").planDigest())
                .isEqualTo(metadata.version("v1").planDigest());
        assertThat(topic.messages)
                .isNotEmpty()
                .allMatch(message -> message.key().startsWith("demo/v2/"));
    }

    @Test
    void aSourceWithoutASampleFailsAndItsReportSaysWhy() throws Exception {
        sources.objects = List.of(OneSource.file("README"), OneSource.file("_SUCCESS"));
        planning.plan(upload("r1", NOTHING, false));
        assertThat(metadata.version("v1").reason()).isEqualTo("no-samples");
        assertThat(metadata.version("v1").inputs().leftOutCount()).isEqualTo(2);
        assertThat(new PlanFiles(store, DEMO, new VersionId(1)).report()).hasSize(2);
        assertThat(topic.messages).isEmpty();
    }

    @Test
    void fewerSamplesThanShardsAskedForFailsTheVersion() throws Exception {
        planning.plan(upload("r1", new SpecOverrides(null, null, 101, null, null, null, null), false));
        assertThat(metadata.version("v1").reason()).contains("100 samples do not fill 101 shards");
        assertThat(keys()).containsExactly("datasets/demo/v1/report.jsonl");
    }

    @Test
    void aSourceThatIsGoneFailsTheVersionNamingIt() throws Exception {
        sources.failure = new NoSuchFileException("/data/photos", null, "there is no such folder");
        planning.plan(upload("r1", NOTHING, false));
        assertThat(metadata.version("v1").state()).isEqualTo(VersionState.FAILED);
        assertThat(metadata.version("v1").reason()).contains("photos").contains("/data/photos");
    }

    @Test
    void aFullSpoolFailsTheVersionNamingTheSetting() throws Exception {
        planning(ShortPauses.forEver(), 1_000).plan(upload("r1", NOTHING, false));
        assertThat(metadata.version("v1").reason()).contains("tarpon.ingest.spool-capacity");
    }

    @Test
    void metadataThatIsAwayForAWhileIsWaitedFor() throws Exception {
        metadata.failNext(3);
        planning.plan(upload("r1", NOTHING, false));
        assertThat(metadata.version("v1").state()).isEqualTo(VersionState.BUILDING);
    }

    @Test
    void metadataThatIsAwayIsWaitedForWithoutLimitAndReadinessSaysSo() throws Exception {
        metadata.failNext(Integer.MAX_VALUE);
        var waits = new Waits();
        var patient = planning(ShortPauses.until(() -> false, waits), 64 << 20);
        try (var pool = Executors.newSingleThreadExecutor()) {
            var planned = pool.submit(() -> patient.plan(upload("r1", NOTHING, false)));
            // The pauses are at their longest by now.
            await(() -> waits.now().stream().anyMatch(wait -> wait.failures() > 20));
            assertThat(waits.now().getFirst().what()).isEqualTo("read dataset demo");
            assertThat(new WaitsReady(waits).call().getStatus()).isEqualTo(HealthCheckResponse.Status.DOWN);
            metadata.failNext(0);
            assertThat(planned.get(60, TimeUnit.SECONDS)).isEqualTo(new Outcome.Done());
        }
        assertThat(waits.now()).isEmpty();
        assertThat(new WaitsReady(waits).call().getStatus()).isEqualTo(HealthCheckResponse.Status.UP);
        assertThat(metadata.version("v1").state()).isEqualTo(VersionState.BUILDING);
    }

    @Test
    void aSourceThatBreaksOffAgainAndAgainIsListedOnWhereItWas() throws Exception {
        planning.plan(upload("r1", SMALL_SHARDS, true));
        sources.breaksEvery = 7;
        sources.visited = 0;
        assertThat(planning.plan(upload("r2", SMALL_SHARDS, true))).isEqualTo(new Outcome.Done());
        assertThat(metadata.version("v2").planDigest())
                .isEqualTo(metadata.version("v1").planDigest());
        assertThat(sources.visited).as("no object twice").isEqualTo(OneSource.HUNDRED.size());
        assertThat(sources.breaks).isGreaterThan(20);
    }

    @Test
    void aVersionThatIsCancelledWhileItsSourceIsListedIsListedNoFurther() throws Exception {
        sources.generated = GeneratedSource.images(1_000_000);
        sources.whenVisited = count -> {
            if (count == 1_000) {
                metadata.end("v1", VersionState.FAILED);
            }
        };
        assertThat(planning.plan(upload("r1", SMALL_SHARDS, false))).isEqualTo(new Outcome.Done());
        assertThat(sources.visited).isGreaterThan(999).isLessThan(1_000_000);
        assertThat(topic.messages).isEmpty();
        assertThat(keys()).isEmpty();
    }

    private static void await(BooleanSupplier condition) {
        long deadline = System.nanoTime() + Duration.ofSeconds(60).toNanos();
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime()).as("in time").isLessThan(deadline);
            LockSupport.parkNanos(1_000_000);
        }
    }

    @Test
    void aPlanThatMetadataHasNoRoomForFailsItsVersionAtOnce() throws Exception {
        metadata.fillFor("plan");
        assertThat(planning(ShortPauses.forEver(), 64 << 20).plan(upload("r1", SMALL_SHARDS, false)))
                .isEqualTo(new Outcome.Done());
        assertThat(metadata.version("v1").state()).isEqualTo(VersionState.FAILED);
        assertThat(metadata.version("v1").reason()).endsWith("make shards larger");
    }

    @Test
    void aVersionThatMetadataHasNoRoomForIsRefusedAtOnce() throws Exception {
        metadata.fillFor("versions");
        assertThat(planning(ShortPauses.forEver(), 64 << 20).plan(upload("r1", SMALL_SHARDS, false)))
                .isEqualTo(new Outcome.Refused(Refusal.REFUSED, "make shards larger"));
    }

    @Test
    void answersThatGetLostAfterTheCommandWasAppliedChangeNothing() throws Exception {
        // Read dataset, begin, read version twice, plan.
        for (int i = 0; i < 5; i++) {
            metadata.loseAnswerAfter(i);
            planning.plan(upload("r" + i, SMALL_SHARDS, true));
        }
        assertThat(metadata.count()).isEqualTo(5);
        for (int i = 1; i <= 5; i++) {
            assertThat(metadata.version("v" + i).state()).isEqualTo(VersionState.BUILDING);
        }
    }

    @Test
    void anIdThatWasUsedForAnotherDatasetIsRefused() throws Exception {
        planning.plan(upload("r1", NOTHING, false));
        var other = new Upload(
                "r1",
                "/test",
                Optional.empty(),
                Optional.empty(),
                new DatasetUploaded("photos", new DatasetName("other"), null, false));
        assertThat(planning.plan(other))
                .isInstanceOfSatisfying(
                        Outcome.Refused.class,
                        refused -> assertThat(refused.why()).isEqualTo(Refusal.REFUSED));
    }

    @Test
    void aSourceThatIsNotConfiguredIsRefusedAndNothingIsBegun() throws Exception {
        sources.failure = new UnknownSourceException("http://169.254.169.254/", "it is not configured");
        assertThat(planning.plan(upload("r1", NOTHING, false)))
                .isInstanceOfSatisfying(Outcome.Refused.class, refused -> {
                    assertThat(refused.why()).isEqualTo(Refusal.UNKNOWN_SOURCE);
                    assertThat(refused.detail()).contains("169.254.169.254");
                });
        assertThat(metadata.count()).isZero();
    }

    @Test
    void aSpecificationThatCannotBeIsRefused() throws Exception {
        for (var spec : List.of(
                new SpecOverrides("train=2", null, null, null, null, null, null),
                new SpecOverrides(null, 1L, null, null, null, null, null),
                new SpecOverrides(null, null, 0, null, null, null, null))) {
            assertThat(planning.plan(upload("r1", spec, false)))
                    .isInstanceOfSatisfying(
                            Outcome.Refused.class,
                            refused -> assertThat(refused.why()).isEqualTo(Refusal.MALFORMED));
        }
        assertThat(metadata.count()).isZero();
    }

    @Test
    void theOrderOfSharesAndTheirZerosAreNoPartOfASpecification() throws Exception {
        for (var splits : List.of("train=0.8,val=0.2", "val=0.20,train=.80")) {
            planning.plan(upload(splits, new SpecOverrides(splits, null, null, null, null, null, null), false));
            metadata.end("v1", VersionState.SEALED);
        }
        assertThat(metadata.version("v2").spec())
                .isEqualTo(metadata.version("v1").spec());
        assertThat(metadata.version("v1").spec().splits()).isEqualTo("train=0.8,val=0.2");
        assertThat(metadata.version("v2").sameAs()).isEqualTo(new VersionId(1));
    }

    @Test
    void whatIsNotAskedForIsAsRegistered() throws Exception {
        metadata.register(new DatasetSpec("elsewhere", "none", 20_000, 2, 9, 3, false, "allow"));
        planning.plan(upload("r1", new SpecOverrides(null, null, 4, null, null, null, null), false));
        assertThat(metadata.version("v1").spec())
                .isEqualTo(new DatasetSpec("photos", "none", 20_000, 4, 9, 3, false, "allow"));
    }

    @Test
    void aVersionThatWasEndedWhileItsSourceWasReadLeavesNoFilesAndNoMessages() throws Exception {
        sources.whenListed = () -> metadata.end("v1", VersionState.FAILED);
        assertThat(planning.plan(upload("r1", SMALL_SHARDS, false))).isEqualTo(new Outcome.Done());
        assertThat(topic.messages).isEmpty();
        assertThat(keys()).isEmpty();
    }

    @Test
    void aReplicaThatDoesNotKnowTheEndYetMakesNoFilesAndNoMessages() throws Exception {
        sources.whenListed = () -> {
            metadata.fallBehind();
            metadata.end("v1", VersionState.FAILED);
        };
        assertThat(planning.plan(upload("r1", SMALL_SHARDS, false))).isEqualTo(new Outcome.Done());
        assertThat(topic.messages).isEmpty();
        assertThat(keys()).isEmpty();
    }

    @Test
    void aReplicaThatDoesNotKnowTheRegistrationYetIsNotBelieved() throws Exception {
        metadata.register(new DatasetSpec("elsewhere", "none", 10_000, 2, 9, 3, false, "allow"));
        metadata.fallBehind();
        metadata.register(new DatasetSpec("elsewhere", "none", 20_000, 2, 9, 3, false, "allow"));
        planning.plan(upload("r1", new SpecOverrides(null, null, 4, null, null, null, null), false));
        assertThat(metadata.version("v1").spec().shardBytes()).isEqualTo(20_000);
    }

    @Test
    void aLatePlannerLeavesTheFilesOfASealedVersionAlone() throws Exception {
        var sealed = new TreeMap<String, String>();
        sources.whenListed = () -> {
            planElsewhere();
            metadata.sealAll("v1");
            sealed.putAll(digests());
            sources.objects = OneSource.HUNDRED.subList(0, 40);
        };
        assertThat(planning.plan(upload("r1", SMALL_SHARDS, false))).isEqualTo(new Outcome.Done());
        assertThat(digests()).isEqualTo(sealed).hasSizeGreaterThan(3);
        assertThat(metadata.version("v1").state()).isEqualTo(VersionState.SEALED);
    }

    @Test
    void aLatePlannerThatCannotPlanDoesNotFailWhatAnotherPlanned() throws Exception {
        sources.whenListed = () -> {
            planElsewhere();
            sources.objects = List.of(OneSource.file("a.jpg"));
        };
        var spec = new SpecOverrides(null, null, 7, null, null, null, null);
        assertThat(planning.plan(upload("r1", spec, false))).isEqualTo(new Outcome.Done());
        assertThat(metadata.version("v1").state()).isEqualTo(VersionState.BUILDING);
        assertThat(keys()).filteredOn(key -> key.endsWith(".plan")).isNotEmpty();
    }

    @Test
    void aLatePlannerAnnouncesThePlanThatWasTaken() throws Exception {
        var announced = new ArrayList<String>();
        sources.whenListed = () -> {
            planElsewhere();
            announced.addAll(topic.shards());
            topic.messages.clear();
            sources.objects = OneSource.HUNDRED.subList(0, 40);
        };
        planning.plan(upload("r1", SMALL_SHARDS, false));
        assertThat(topic.shards()).isEqualTo(announced).hasSizeGreaterThan(2);
    }

    @ParameterizedTest
    @ValueSource(strings = {"/v1", "/plan"})
    void aPlannerThatIsOvertakenAfterItsFilesWereWrittenTakesNoneAway(String next) throws Exception {
        var other = "datasets/demo/v1/plan/train/shard-000099.plan";
        metadata.happenBefore(request -> request.getPath().endsWith(next) && hasPlans(), () -> {
            write(other);
            metadata.end("v1", VersionState.SEALED);
        });
        assertThat(planning.plan(upload("r1", SMALL_SHARDS, false))).isEqualTo(new Outcome.Done());
        assertThat(keys()).contains(other).hasSizeGreaterThan(3);
        assertThat(metadata.version("v1").state()).isEqualTo(VersionState.SEALED);
        assertThat(topic.messages).isEmpty();
    }

    @Test
    void aVersionThatWasCancelledAndTriedAgainIsLeftToItsRetry() throws Exception {
        var other = "datasets/demo/v1/plan/train/shard-000099.plan";
        metadata.happenBefore(request -> hasPlans(), () -> {
            metadata.end("v1", VersionState.FAILED);
            metadata.retry("v1");
            write(other);
        });
        assertThat(planning.plan(upload("r1", SMALL_SHARDS, false))).isEqualTo(new Outcome.Done());
        assertThat(metadata.version("v1").state()).isEqualTo(VersionState.PLANNING);
        assertThat(keys()).contains(other);
        assertThat(topic.messages).isEmpty();
    }

    @Test
    void aListingWhosePartitionIsTakenAwayEndsAtTheNextObjectAndTheNextHolderBeginsAnew() throws Exception {
        var shutdown = new Shutdown();
        var taken = new AtomicBoolean();
        sources.whenVisited = visited -> {
            if (visited == 50) {
                taken.set(true);
                Thread.currentThread().interrupt();
            }
        };
        var here = planning(ShortPauses.until(shutdown::isUnwanted), 64 << 20);
        assertThatThrownBy(() -> shutdown.run(taken::get, () -> here.plan(upload("r1", SMALL_SHARDS, false))))
                .isInstanceOf(AbandonedException.class);
        assertThat(Thread.interrupted()).isTrue();
        assertThat(sources.visited).isEqualTo(50);
        assertThat(metadata.version("v1").state()).isEqualTo(VersionState.PLANNING);
        assertThat(keys()).isEmpty();
        assertThat(topic.messages).isEmpty();

        sources.whenVisited = _ -> {};
        assertThat(planning.plan(upload("r1", SMALL_SHARDS, false))).isEqualTo(new Outcome.Done());
        assertThat(metadata.version("v1").state()).isEqualTo(VersionState.BUILDING);
        assertThat(topic.messages).isNotEmpty();
    }

    /// Once the interrupt is used up by what it met, the question still ends the work.
    @Test
    void workThatIsAnothersByNowIsNotTriedAgainNorFailed() {
        var shutdown = new Shutdown();
        var taken = new AtomicBoolean();
        sources.whenListed = () -> {
            taken.set(true);
            throw new IllegalStateException("broken by the interrupt");
        };
        assertThatThrownBy(() -> shutdown.run(
                        taken::get,
                        () -> planning(ShortPauses.until(shutdown::isUnwanted), 64 << 20)
                                .plan(upload("r1", SMALL_SHARDS, false))))
                .isInstanceOf(AbandonedException.class);
        assertThat(metadata.version("v1").state()).isEqualTo(VersionState.PLANNING);
    }

    /// As the process does that the partition has moved to.
    private void planElsewhere() {
        sources.whenListed = () -> {};
        try {
            planning.plan(upload("r1", SMALL_SHARDS, false));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void write(String key) {
        try {
            store.write(key, new byte[1]);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private SortedMap<String, String> digests() {
        var digests = new TreeMap<String, String>();
        try {
            for (var key : keys()) {
                digests.put(key, Digests.sha256Hex(store.read(key, 1 << 20)));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return digests;
    }

    @Test
    void aBugOfOursFailsTheVersionRatherThanTheTopic() throws Exception {
        sources.whenListed = () -> {
            throw new IllegalStateException("impossible");
        };
        assertThat(planning.plan(upload("r1", NOTHING, false)))
                .isInstanceOfSatisfying(
                        Outcome.Refused.class,
                        refused -> assertThat(refused.why()).isEqualTo(Refusal.INTERNAL));
        assertThat(metadata.version("v1").reason()).contains("impossible");
    }

    private VersionPlanning planning(Patience patience, long spoolBytes) throws IOException {
        return new VersionPlanning(
                client,
                sources,
                new PlanFreezing(store, new SpoolArea(folder.resolve("spool"), spoolBytes), 3 << 20, 1_000, patience),
                new VersionFiles(store),
                new ShardMessages(client, topic, Clock.systemUTC()),
                patience,
                Duration.ofMillis(1),
                planned,
                Traces.off());
    }

    private List<String> keys() throws IOException {
        return new PlanFiles(store, DEMO, new VersionId(1)).keys();
    }

    private boolean hasPlans() {
        try {
            return keys().stream().anyMatch(key -> key.endsWith(".plan"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Upload upload(String id, SpecOverrides spec, boolean force) {
        return new Upload(
                id,
                "/test",
                Optional.empty(),
                Optional.of("00-11111111111111111111111111111111-2222222222222222-01"),
                new DatasetUploaded("photos/", DEMO, spec, force));
    }
}
