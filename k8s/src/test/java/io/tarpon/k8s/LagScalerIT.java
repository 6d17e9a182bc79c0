package io.tarpon.k8s;

import static org.assertj.core.api.Assertions.assertThat;

import io.tarpon.cluster.ClusterStorage;
import io.tarpon.cluster.Context;
import io.tarpon.cluster.console.Console;
import io.tarpon.cluster.disk.ProcessFacts;
import io.tarpon.cluster.plan.ClusterPaths;
import io.tarpon.cluster.plan.ClusterPlan;
import io.tarpon.cluster.plan.ClusterShape;
import io.tarpon.cluster.plan.Roster;
import io.tarpon.cluster.plan.Storage;
import io.tarpon.cluster.plan.StoreKind;
import io.tarpon.cluster.process.Processes;
import io.tarpon.testkit.Deadline;
import io.tarpon.testkit.Jvm;
import io.tarpon.wire.DatasetName;
import io.tarpon.wire.VersionId;
import io.tarpon.wire.client.MetadataClient;
import io.tarpon.wire.event.DatasetUploaded;
import io.tarpon.wire.event.DatasetUploaded.SpecOverrides;
import io.tarpon.wire.event.Events;
import io.tarpon.wire.http.TarponException;
import io.tarpon.wire.metadata.SplitRecord;
import io.tarpon.wire.metadata.VersionRecord;
import io.tarpon.wire.metadata.VersionState;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.locks.LockSupport;
import java.util.function.ToIntFunction;
import java.util.stream.Stream;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/// What the ScaledObjects of the component `keda` say makes the functions come from zero, be more where more waits, and
/// go back to zero: real processes, started and stopped by KEDA's formula from the lag of a real broker, beside a real
/// S3 server and the other services. Every figure is the render's; its times are shorter by [#FACTOR], the work's are
/// not. `-Dnightly` runs it.
@EnabledIfSystemProperty(named = "nightly", matches = ".*")
class LagScalerIT {
    /// A cooldown of ten minutes is one of ten seconds.
    private static final int FACTOR = 60;

    private static final String INGEST = "ingest-fn";
    private static final String SHARD = "shard-fn";
    private static final List<String> LATER = List.of("second", "third", "fourth");
    private static final long SHARD_BYTES = 4 << 20;
    private static final int FILE_BYTES = 200_000;
    private static final int FEW_FILES = 60;
    private static final int MANY_FILES = 160;

    private static final Duration PATIENCE = Duration.ofMinutes(5);
    private static final Duration PAUSE = Duration.ofMillis(20);
    private static final Duration ALONE = Duration.ofSeconds(1);

    @TempDir
    Path scratch = Path.of("");

    private Context cluster;
    private Roster roster;

    @BeforeEach
    void start() throws IOException {
        var nowhere = new PrintStream(OutputStream.nullOutputStream(), false, StandardCharsets.UTF_8);
        var product = Product.ROOT.toAbsolutePath().normalize();
        cluster = Context.of(
                new Console(nowhere, nowhere, false, true),
                new ClusterPaths(scratch.toRealPath().resolve("home"), product));
        roster = cluster.cluster().up(ClusterShape.USUAL.withStore(StoreKind.S3));
    }

    @AfterEach
    void stop() {
        cluster.cluster().down();
    }

    @Test
    void functionsComeFromZeroWithTheLagAndGoBackToItAndBuildNothingTwice() throws Exception {
        var manifests = Manifests.renderBase(Files.createDirectory(scratch.resolve("render")), "keda", "strimzi");
        putFolder("few", FEW_FILES);
        putFolder("many", MANY_FILES);
        try (var broker = new GroupLag(brokers());
                var planners = replicas(INGEST, Autoscaling.of(manifests, INGEST));
                var builders = replicas(SHARD, Autoscaling.of(manifests, SHARD));
                var metadata = MetadataClient.readOnly(roster.metadata());
                var ingest = new ScaledFunction(Autoscaling.of(manifests, INGEST), FACTOR, broker, planners);
                var shard = new ScaledFunction(Autoscaling.of(manifests, SHARD), FACTOR, broker, builders)) {
            var functions = List.of(ingest, shard);
            Deadline.always(ALONE, "nobody is started for nothing", () -> ingest.count() + shard.count() == 0);

            var uploaded = Instant.now();
            upload("first", "few");
            await(functions, "a sealed shard", () -> sum(metadata, SplitRecord::sealedShards, "first") > 0);
            var toFirstShard = Duration.between(uploaded, Instant.now());
            awaitSealed(functions, metadata, List.of("first"));
            var peakOfFew = shard.peak();

            for (var dataset : LATER) {
                upload(dataset, "many");
            }
            awaitSealed(functions, metadata, LATER);
            var toAllSealed = Duration.between(uploaded, Instant.now());
            await(functions, "zero processes", () -> ingest.count() + shard.count() == 0);
            functions.forEach(ScaledFunction::close);

            print(uploaded, toFirstShard, toAllSealed, functions);
            assertRoseAndFell(broker, functions);
            var few = sum(metadata, SplitRecord::shards, "first");
            assertThat((long) peakOfFew)
                    .as("for %d shards", few)
                    .isLessThanOrEqualTo(
                            Math.ceilDiv(few, shard.scaling().trigger().lagThreshold()));
            assertThat(shard.peak()).as("for more").isGreaterThan(peakOfFew).isGreaterThan(1);
            assertThat(planners.allEndedInTime() && builders.allEndedInTime())
                    .as("each ended within the grace of its pod")
                    .isTrue();
            var datasets = Stream.concat(Stream.of("first"), LATER.stream()).toList();
            assertBuiltOnce(builders, sum(metadata, SplitRecord::shards, datasets.toArray(String[]::new)));
            for (var dataset : datasets) {
                verify(dataset);
            }
        }
    }

    private Replicas replicas(String function, Autoscaling scaling) {
        assertThat(new Processes(ProcessFacts.detacher()).stop(roster.member(function), scaling.grace()))
                .as(function + " of the cluster ends")
                .isTrue();
        return new Replicas(roster.member(function), cluster.state().paths(), scaling.grace());
    }

    private String brokers() {
        return roster.member(ClusterPlan.BROKER).url();
    }

    private void putFolder(String name, int files) throws Exception {
        var folder = Files.createDirectory(scratch.resolve(name));
        var random = new Random(files);
        var names = new ArrayList<String>();
        for (int number = 0; number < files; number++) {
            var bytes = new byte[FILE_BYTES];
            random.nextBytes(bytes);
            names.add("img-" + number + ".jpg");
            Files.write(folder.resolve(names.getLast()), bytes);
        }
        var keys = cluster.state().s3Keys();
        var where = roster.s3().orElseThrow() + "/" + Storage.RAW_BUCKET + "/" + name + "/";
        SignedUploads.put(folder, names, where, keys.accessKey(), keys.secretKey());
    }

    private void upload(String dataset, String folder) throws Exception {
        var uploaded = new DatasetUploaded(
                "s3://" + Storage.RAW_BUCKET + "/" + folder,
                new DatasetName(dataset),
                new SpecOverrides(null, SHARD_BYTES, null, null, null, null, null),
                false);
        var envelope = new Events.Envelope(dataset + "-1", "/test", Instant.now(), Optional.empty());
        try (var producer = new KafkaProducer<>(
                Map.of("bootstrap.servers", brokers()), new StringSerializer(), new ByteArraySerializer())) {
            var _ = producer.send(new ProducerRecord<>("tarpon.uploads", dataset, Events.encode(envelope, uploaded)))
                    .get();
        }
    }

    private interface Question {
        boolean holds() throws Exception;
    }

    private static void await(List<ScaledFunction> functions, String what, Question question) throws Exception {
        Deadline.until(PATIENCE, what, () -> {
            functions.forEach(ScaledFunction::requireSound);
            LockSupport.parkNanos(PAUSE.toNanos());
            return question.holds();
        });
    }

    private static void awaitSealed(List<ScaledFunction> functions, MetadataClient metadata, List<String> datasets)
            throws Exception {
        await(
                functions,
                "sealed " + datasets,
                () -> datasets.stream()
                                .map(dataset -> version(metadata, dataset))
                                .flatMap(Optional::stream)
                                .filter(version -> version.state() == VersionState.SEALED)
                                .count()
                        == datasets.size());
    }

    /// The first of a dataset, where it has begun.
    private static Optional<VersionRecord> version(MetadataClient metadata, String dataset) {
        try {
            var version = metadata.version(new DatasetName(dataset), VersionId.parse("v1"));
            assertThat(version.state()).as(dataset).isNotEqualTo(VersionState.FAILED);
            return Optional.of(version);
        } catch (TarponException e) {
            return Optional.empty();
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private static int sum(MetadataClient metadata, ToIntFunction<SplitRecord> of, String... datasets) {
        return Stream.of(datasets)
                .map(dataset -> version(metadata, dataset))
                .flatMap(Optional::stream)
                .flatMap(version -> version.splits().stream())
                .mapToInt(of)
                .sum();
    }

    private static void print(
            Instant uploaded, Duration toFirstShard, Duration toAllSealed, List<ScaledFunction> functions) {
        System.out.printf(
                "scaled by lag, with times of the manifests divided by %d: first shard sealed %.1f s after its upload,"
                        + " all sealed after %.1f s%n",
                FACTOR, toFirstShard.toMillis() / 1e3, toAllSealed.toMillis() / 1e3);
        functions.stream()
                .flatMap(function -> function.steps().stream())
                .sorted(Comparator.comparing(ScaledFunction.Step::at))
                .forEach(step -> System.out.printf(
                        "%6.1f s  %-9s  lag %3d on %2d partitions  %d -> %d%n",
                        Duration.between(uploaded, step.at()).toMillis() / 1e3,
                        step.function(),
                        step.lag(),
                        step.partitionsWithLag(),
                        step.from(),
                        step.to()));
    }

    private static void assertRoseAndFell(GroupLag broker, List<ScaledFunction> functions) {
        for (var function : functions) {
            var scaling = function.scaling();
            assertThat(broker.partitions(scaling.trigger().topic()))
                    .as("partitions of " + scaling.trigger().topic())
                    .isEqualTo(scaling.partitions());
            var steps = function.steps();
            assertThat(steps.getFirst().to()).as("from zero").isEqualTo(1);
            assertThat(steps).allSatisfy(step -> {
                assertThat(step.to())
                        .isLessThanOrEqualTo(scaling.limits().most())
                        .isLessThanOrEqualTo(scaling.partitions());
                if (step.to() > step.from()) {
                    assertThat((long) step.to())
                            .as("for a lag of %d", step.lag())
                            .isLessThanOrEqualTo(
                                    Math.ceilDiv(step.lag(), scaling.trigger().lagThreshold()));
                }
            });
            assertThat(steps.getLast().lag()).as("at the end").isZero();
            assertThat(steps.getLast().to()).as("at the end").isZero();
        }
    }

    /// A process that others joined, or that was to end, may have left a shard to them before it was sealed.
    /// Nobody else built one again.
    private void assertBuiltOnce(Replicas builders, int shards) throws IOException {
        try (var storage = ClusterStorage.open(cluster.state(), roster)) {
            var builds = Builds.of(brokers(), storage.store(), builders.logs());
            System.out.printf(
                    "%d shards by %d processes: %d tars, %d messages given back, %d seals%n",
                    shards,
                    builders.logs().size(),
                    Builds.sum(builds.tars()),
                    Builds.sum(builds.givenBack()),
                    Builds.sum(builds.sealed()));
            assertThat(builds.planned()).hasSize(shards);
            for (var shard : builds.planned().keySet()) {
                assertThat(builds.sealed()).as("events").containsEntry(shard, 1);
                assertThat(builds.won()).as("attempts that became the shard").containsEntry(shard, 1);
                assertThat(builds.tars().getOrDefault(shard, 0))
                        .as("tars of " + shard)
                        .isBetween(1, 1 + builds.givenBack().getOrDefault(shard, 0));
            }
        }
    }

    private void verify(String dataset) throws Exception {
        var paths = cluster.state().paths();
        var cli = paths.product().resolve("tools/cli/target");
        var builder = new ProcessBuilder(
                        Jvm.program("java"),
                        "-Xmx192m",
                        "-XX:+UseSerialGC",
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        cli.resolve("cli.jar") + ":" + cli.resolve("lib/*"),
                        "io.tarpon.cli.Tarpon",
                        "verify",
                        dataset,
                        "--source",
                        "--quiet")
                .redirectErrorStream(true);
        builder.environment().put("TARPON_HOME", paths.state().toString());
        builder.environment().put("TARPON_PRODUCT", paths.product().toString());
        var verify = builder.start();
        var said = new String(verify.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        System.out.print(dataset + ": " + said);
        assertThat(verify.waitFor()).as(said).isZero();
    }
}
