package io.tarpon.cluster.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.tarpon.cluster.CommandFailure;
import io.tarpon.wire.json.Json;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ClusterPlanTest {
    private static final ClusterPaths PATHS = new ClusterPaths(Path.of("/a state"), Path.of("/a checkout"));
    private static final Programs JVMS = new Programs(PATHS, "java", Set.of(), false, List.of());
    private static final Pattern ADDRESS = Pattern.compile("(?<![0-9.])(?:[0-9]{1,3}\\.){3}[0-9]{1,3}(?![0-9.])");

    private int nextPort = 20_000;

    private final Roster roster = new ClusterPlan(JVMS, wanted -> wanted == 0 ? nextPort++ : wanted).roster();

    private static boolean isService(Member member) {
        return member.isService();
    }

    @Test
    void theProcessesHaveTheirNamesInTheOrderOfTheirStart() {
        assertThat(roster.members()).extracting(Member::name).isEqualTo(ClusterPlan.names(ClusterShape.USUAL));
        assertThat(ClusterPlan.names(ClusterShape.USUAL))
                .containsExactly(
                        "kafka",
                        "metadata-svc",
                        "block-svc-1",
                        "block-svc-2",
                        "block-svc-3",
                        "loader-gateway",
                        "ingest-fn",
                        "shard-fn");
    }

    @Test
    void severalProcessesOfAFunctionDifferInNamePortAndLogAndAreStoppedWithTheFirst() {
        var shape = ClusterShape.USUAL.withFunctions(2);
        var two = of(shape);
        assertThat(two.members()).extracting(Member::name).isEqualTo(ClusterPlan.names(shape));
        assertThat(two.members())
                .extracting(Member::name)
                .endsWith("loader-gateway", "ingest-fn", "ingest-fn-2", "shard-fn", "shard-fn-2");
        for (var module : List.of("ingest-fn", "shard-fn")) {
            var first = two.member(module);
            var second = two.member(module + "-2");
            assertThat(second.port()).isNotEqualTo(first.port());
            assertThat(second.command())
                    .contains("-Dquarkus.log.file.path=/a state/logs/" + module + "-2.log")
                    .contains("-Dquarkus.http.port=" + second.port())
                    .endsWith("/a checkout/" + module + "/target/quarkus-app/quarkus-run.jar");
            assertThat(ClusterPlan.height(second.name())).isEqualTo(ClusterPlan.height(module));
        }
        assertThat(two.ingest()).isEqualTo(two.member("ingest-fn").url());
    }

    @Test
    void nodesAndGatewaysAreAsManyAsTheLayoutHas() {
        var shape = ClusterShape.USUAL.withLayout(Layout.USUAL.withNodes(2).withGateways(3));
        var several = of(shape);
        assertThat(several.members())
                .extracting(Member::name)
                .isEqualTo(ClusterPlan.names(shape))
                .containsSubsequence(
                        "block-svc-1",
                        "block-svc-2",
                        "loader-gateway",
                        "loader-gateway-2",
                        "loader-gateway-3",
                        "ingest-fn")
                .doesNotContain("block-svc-3");
        assertThat(several.members().stream().filter(Member::isBlockService)).hasSize(2);
        assertThat(several.gateway()).isEqualTo("http://127.0.0.1:7070");
        assertThat(several.member("loader-gateway-2").command())
                .contains("-Dtarpon.node.host=node-2", "-Dtarpon.gateway.dir=/a state/gateway-2");
        assertThat(several.member("loader-gateway-3").command()).contains("-Dtarpon.node.host=node-1");
        assertThat(ClusterPlan.height("loader-gateway-2")).isEqualTo(ClusterPlan.height("loader-gateway"));
    }

    private static Roster inNamespaces(ClusterShape shape) {
        var network = new Namespaces("0a1b2c3d", "10.9.8", ClusterPlan.names(shape));
        var keys = shape.store() == StoreKind.S3 ? KEYS : null;
        return new ClusterPlan(JVMS, network, keys, TraceExport.off(), shape).roster();
    }

    @Test
    void inNamespacesEachProcessEntersItsOwnAndListensOnItsAddressAlone() {
        var members = inNamespaces(ON_S3.withMetadataReplicas(2)).members();
        assertThat(members).extracting(Member::host).doesNotHaveDuplicates().startsWith("10.9.8.2", "10.9.8.3");
        for (var member : members) {
            assertThat(member.command())
                    .startsWith("nsenter", "--net=/run/netns/tarpon-0a1b2c3d-" + member.name(), "java");
            assertThat(String.join(" ", member.command())).doesNotContain("127.0.0.1");
            if (member.isService()) {
                assertThat(member.command())
                        .contains("-Dtarpon.bind=" + member.host(), "-Dquarkus.http.host=" + member.host());
            } else {
                assertThat(member.command()).containsSequence("--bind", member.host());
            }
        }
    }

    @Test
    void inNamespacesNoGatewayIsOnTheMachineOfANode() {
        var shape = ClusterShape.USUAL.withLayout(new Layout(1, 2, true));
        assertThat(hosts(inNamespaces(shape))).containsExactly("node-1", "gateway-1", "gateway-2");
    }

    private static List<String> hosts(Roster roster) {
        return roster.members().stream()
                .flatMap(member -> member.command().stream())
                .filter(word -> word.startsWith("-Dtarpon.node.host="))
                .map(word -> word.substring(word.indexOf('=') + 1))
                .toList();
    }

    @Test
    void aJobOfAReplicaRunsInItsNamespace() {
        var replica = inNamespaces(ClusterShape.USUAL).member("metadata-svc");
        assertThat(ClusterPlan.job(replica, List.of("move", "kafka")))
                .startsWith("nsenter", "--net=/run/netns/tarpon-0a1b2c3d-metadata-svc")
                .endsWith("move", "kafka");
    }

    private Roster of(ClusterShape shape) {
        return new ClusterPlan(JVMS, wanted -> wanted == 0 ? nextPort++ : wanted, null, TraceExport.off(), shape)
                .roster();
    }

    @Test
    void severalReplicasOfMetadataShareALogInKafkaAndDifferInNamePortAndFolder() {
        var shape = ClusterShape.USUAL.withMetadataReplicas(3);
        var three = of(shape);
        assertThat(three.members())
                .extracting(Member::name)
                .startsWith("kafka", "metadata-svc", "metadata-svc-2", "metadata-svc-3", "block-svc-1")
                .isEqualTo(ClusterPlan.names(shape));
        for (var name : List.of("metadata-svc", "metadata-svc-2", "metadata-svc-3")) {
            var member = three.member(name);
            assertThat(member.command())
                    .contains("-Dtarpon.metadata.log=kafka", "-Dtarpon.metadata.kafka.replicas=1")
                    .contains("-Dtarpon.metadata.dir=/a state/" + name.replace("-svc", ""))
                    .contains("-Dquarkus.log.file.path=/a state/logs/" + name + ".log")
                    .contains("-Dquarkus.http.port=" + member.port())
                    .endsWith("/a checkout/metadata-svc/target/quarkus-app/quarkus-run.jar");
            assertThat(ClusterPlan.height(name)).isEqualTo(ClusterPlan.height("metadata-svc"));
        }
        assertThat(three.members()).extracting(Member::port).doesNotHaveDuplicates();
        assertThat(three.metadata()).hasSize(3).doesNotHaveDuplicates();
    }

    @Test
    void everyServiceIsToldAllReplicasAndNotAllTheSameOneFirst() {
        var three = of(ClusterShape.USUAL.withMetadataReplicas(3));
        var urls = three.metadata().stream().map(URI::toString).toList();
        var told = three.members().stream()
                .filter(member -> member.isService() && !member.isMetadata())
                .map(ClusterPlanTest::metadataUrls)
                .toList();
        assertThat(told).hasSize(6).allSatisfy(each -> assertThat(each).containsExactlyInAnyOrderElementsOf(urls));
        assertThat(told.stream().map(List::getFirst)).containsAll(urls);
    }

    private static List<String> metadataUrls(Member member) {
        var key = "-Dtarpon.metadata.url=";
        return member.command().stream()
                .filter(argument -> argument.startsWith(key))
                .flatMap(argument -> Stream.of(argument.substring(key.length()).split(",")))
                .toList();
    }

    @Test
    void aSingleMetadataKeepsItsLogItself() {
        assertThat(roster.member("metadata-svc").command())
                .contains("-Dtarpon.metadata.dir=/a state/metadata")
                .noneMatch(argument -> argument.startsWith("-Dtarpon.metadata.log"))
                .noneMatch(argument -> argument.startsWith("-Dtarpon.metadata.kafka"));
        assertThat(roster.members())
                .filteredOn(member -> member.isService() && !member.isMetadata())
                .allSatisfy(member -> assertThat(metadataUrls(member))
                        .containsExactly(roster.member("metadata-svc").url()));
    }

    @Test
    void aReplicaIsTheSameOverALogElsewhereAndBack() {
        var local = roster.member("metadata-svc");
        var shared = of(ClusterShape.USUAL.withLog(LogPlace.KAFKA)).member("metadata-svc");
        var moved = ClusterPlan.over(LogPlace.KAFKA, local);
        assertThat(moved.command())
                .containsSubsequence(
                        "-Dtarpon.metadata.dir=/a state/metadata",
                        "-Dquarkus.http.port=" + local.port(),
                        "/a checkout/metadata-svc/target/quarkus-app/quarkus-run.jar");
        assertThat(logSettings(moved)).isEqualTo(logSettings(shared)).hasSize(2);
        assertThat(ClusterPlan.over(LogPlace.KAFKA, moved)).isEqualTo(moved);
        assertThat(ClusterPlan.over(LogPlace.LOCAL, moved)).isEqualTo(local);
    }

    private static Set<String> logSettings(Member member) {
        return member.command().stream()
                .filter(word -> word.startsWith("-Dtarpon.metadata.log") || word.startsWith("-Dtarpon.metadata.kafka"))
                .collect(Collectors.toSet());
    }

    @Test
    void aJobIsTheProgramOfAReplicaWithItsSettingsAndArguments() {
        var job = ClusterPlan.job(roster.member("metadata-svc"), List.of("move", "kafka"));
        assertThat(job)
                .contains("-Dtarpon.metadata.dir=/a state/metadata", "-Dtarpon.metadata.kafka.replicas=1")
                .endsWith("/a checkout/metadata-svc/target/quarkus-app/quarkus-run.jar", "move", "kafka");
    }

    @Test
    void severalReplicasCannotShareALogOnTheDiskOfOne() {
        assertThatThrownBy(() -> new ClusterShape(StoreKind.DIRECTORY, 1, 2, LogPlace.LOCAL, Layout.USUAL))
                .hasMessageContaining("cannot share a log on the disk of one");
        assertThat(ClusterShape.USUAL.withMetadataReplicas(3).withLog(LogPlace.LOCAL))
                .isEqualTo(ClusterShape.USUAL);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 6})
    void thereAreOneToFiveReplicas(int replicas) {
        assertThatThrownBy(() -> ClusterShape.USUAL.withMetadataReplicas(replicas))
                .hasMessage(replicas + " replicas of metadata-svc are not between 1 and 5");
    }

    private static final ClusterShape ON_S3 = ClusterShape.USUAL.withStore(StoreKind.S3);

    private static final S3Keys KEYS = new S3Keys("tarpon0123456789", "0123456789abcdef0123456789abcdef");

    private final Roster onS3 = new ClusterPlan(JVMS, wanted -> wanted == 0 ? nextPort++ : wanted, KEYS).roster();

    @Test
    void onS3ThereIsOneProcessMoreAndEveryServiceKeepsItsObjectsThere() {
        assertThat(onS3.members()).extracting(Member::name).isEqualTo(ClusterPlan.names(ON_S3));
        assertThat(ClusterPlan.names(ON_S3)).startsWith("kafka", "s3", "metadata-svc");
        assertThat(onS3.s3()).contains("http://127.0.0.1:9000");
        assertThat(roster.s3()).isEmpty();
        assertThat(onS3.members())
                .filteredOn(Member::isService)
                .allSatisfy(member -> assertThat(member.command())
                        .contains(
                                "-Dtarpon.store.kind=s3",
                                "-Dtarpon.store.s3.endpoint=http://127.0.0.1:9000",
                                "-Dtarpon.store.s3.bucket=tarpon"));
        assertThat(onS3.member("s3").command())
                .containsSequence("--port", "9000")
                .contains("tarpon", "raw");
    }

    @Test
    void onlyTheFunctionsReadTheBucketOfRawData() {
        for (var member : onS3.members()) {
            var isFunction = member.name().equals("ingest-fn") || member.name().equals("shard-fn");
            assertThat(member.command().stream()
                            .anyMatch(argument -> argument.contains("tarpon.sources.raw.bucket=raw")))
                    .as(member.name())
                    .isEqualTo(isFunction);
        }
    }

    @Test
    void theLoginIsInTheEnvironmentAndNeverAnArgument() {
        for (var member : onS3.members()) {
            assertThat(String.join(" ", member.command())).doesNotContain(KEYS.accessKey(), KEYS.secretKey());
            if (!member.name().equals("kafka")) {
                assertThat(member.environment())
                        .containsEntry("AWS_ACCESS_KEY_ID", KEYS.accessKey())
                        .containsEntry("AWS_SECRET_ACCESS_KEY", KEYS.secretKey());
            }
        }
        assertThat(KEYS.toString()).doesNotContain(KEYS.secretKey());
    }

    @Test
    void whoStandsOnOthersIsStoppedBeforeThem() {
        var stopped = onS3.members().stream()
                .map(Member::name)
                .sorted(java.util.Comparator.comparingInt(name -> -ClusterPlan.height(name)))
                .toList();
        assertThat(stopped)
                .containsSubsequence("ingest-fn", "loader-gateway", "block-svc-1", "metadata-svc", "kafka")
                .containsSubsequence("shard-fn", "loader-gateway", "block-svc-3", "metadata-svc", "s3");
    }

    @Test
    void everyServiceIsToldWhereObjectsAre() {
        assertThat(roster.members())
                .filteredOn(Member::isService)
                .allSatisfy(member -> assertThat(member.command())
                        .contains("-Dtarpon.store.kind=directory", "-Dtarpon.store.directory.root=/a state/store"));
    }

    @Test
    void noSettingNamesAnAddressBeyondLoopback() {
        for (var member : roster.members()) {
            var text = String.join("\n", member.command());
            assertThat(ADDRESS.matcher(text + "\n" + member.url()).results().map(result -> result.group()))
                    .as(member.name())
                    .isNotEmpty()
                    .containsOnly("127.0.0.1");
        }
        assertThat(roster.members())
                .filteredOn(ClusterPlanTest::isService)
                .allSatisfy(member -> assertThat(member.command())
                        .contains("-Dtarpon.bind=127.0.0.1", "-Dquarkus.http.host=127.0.0.1"));
    }

    @Test
    void everyHeapIsBounded() {
        assertThat(roster.members()).allSatisfy(member -> {
            assertThat(member.command()).anyMatch(argument -> argument.matches("-Xmx[0-9]{2,3}m"));
            assertThat(member.command()).anyMatch(argument -> argument.startsWith("-XX:MaxDirectMemorySize="));
        });
        assertThat(roster.member("block-svc-1").command()).contains("-Dtarpon.block.capacity=8GiB");
    }

    @Test
    void everyServiceReadsTheTokenAndItsOwnLog() {
        assertThat(roster.members())
                .filteredOn(ClusterPlanTest::isService)
                .allSatisfy(member -> assertThat(member.command())
                        .contains("-Dtarpon.token-file=/a state/token")
                        .contains("-Dquarkus.log.file.path=/a state/logs/" + member.name() + ".log"));
    }

    @Test
    void everyProcessHasAPortOfItsOwnAndIsToldIt() {
        assertThat(roster.members()).extracting(Member::port).doesNotHaveDuplicates();
        assertThat(roster.members())
                .filteredOn(ClusterPlanTest::isService)
                .allSatisfy(member -> assertThat(member.command()).contains("-Dquarkus.http.port=" + member.port()));
        assertThat(roster.gateway()).isEqualTo("http://127.0.0.1:7070");
        assertThat(roster.member("kafka").command()).containsSequence("--port", "20000");
    }

    @Test
    void nothingIsTracedWithoutAnEndpoint() {
        assertThat(TraceExport.of(Map.of("OTEL_EXPORTER_OTLP_PROTOCOL", "grpc")))
                .isEqualTo(TraceExport.off());
        assertThat(TraceExport.of(
                        Map.of("OTEL_EXPORTER_OTLP_ENDPOINT", "http://127.0.0.1:4317", "OTEL_SDK_DISABLED", "true")))
                .isEqualTo(TraceExport.off());
        assertThat(roster.members())
                .allSatisfy(
                        member -> assertThat(String.join(" ", member.command())).doesNotContain("otel"));
    }

    @Test
    void everyServiceSendsItsTracesToTheEndpoint() {
        var traces = TraceExport.of(
                Map.of("OTEL_EXPORTER_OTLP_ENDPOINT", "http://127.0.0.1:4318", "OTEL_TRACES_SAMPLER_ARG", "0.25"));
        var traced = new ClusterPlan(JVMS, wanted -> wanted == 0 ? nextPort++ : wanted, null, traces).roster();
        assertThat(traced.members())
                .filteredOn(ClusterPlanTest::isService)
                .hasSize(7)
                .allSatisfy(member -> assertThat(member.command())
                        .contains(
                                "-Dquarkus.otel.sdk.disabled=false",
                                "-Dquarkus.otel.exporter.otlp.endpoint=http://127.0.0.1:4318",
                                "-Dquarkus.otel.exporter.otlp.protocol=http/protobuf",
                                "-Dquarkus.otel.traces.sampler.arg=0.25"));
    }

    @Test
    void whereNothingElseIsSaidTheEndpointSpeaksGrpc() {
        assertThat(TraceExport.of(Map.of("OTEL_EXPORTER_OTLP_ENDPOINT", "http://collector:4317"))
                        .settings())
                .containsEntry("quarkus.otel.exporter.otlp.protocol", "grpc")
                .doesNotContainKey("quarkus.otel.traces.sampler.arg");
    }

    @ParameterizedTest
    @CsvSource({
        "OTEL_EXPORTER_OTLP_ENDPOINT, 127.0.0.1:4317",
        "OTEL_EXPORTER_OTLP_ENDPOINT, http://${HOST}:4317",
        "OTEL_EXPORTER_OTLP_ENDPOINT, file:///etc/passwd",
        "OTEL_EXPORTER_OTLP_PROTOCOL, http/json",
        "OTEL_TRACES_SAMPLER_ARG, 1.5"
    })
    void aVariableThatServicesCannotStartWithIsRefusedByName(String variable, String value) {
        var environment = new HashMap<>(Map.of("OTEL_EXPORTER_OTLP_ENDPOINT", "http://127.0.0.1:4317"));
        environment.put(variable, value);
        var failure = catchThrowableOfType(CommandFailure.class, () -> TraceExport.of(environment));
        assertThat(failure).hasMessageContaining(variable + "=" + value);
    }

    @Test
    void theGatewayHasAFolderBelowTheState() {
        assertThat(roster.member("loader-gateway").command()).contains("-Dtarpon.gateway.dir=" + PATHS.data("gateway"));
    }

    @Test
    void theGatewayIsOnTheHostOfTheFirstNodeAndTheNodesAreOnThree() {
        assertThat(roster.member("loader-gateway").command()).contains("-Dtarpon.node.host=node-1");
        for (int number = 1; number <= 3; number++) {
            assertThat(roster.member("block-svc-" + number).command())
                    .contains("-Dtarpon.node.host=node-" + number, "-Dtarpon.node.zone=zone-" + number);
        }
    }

    @Test
    void topicsHaveTheirContractedPartitions() {
        assertThat(roster.member("kafka").command())
                .contains("tarpon.uploads:4", "tarpon.plans:12", "tarpon.events:4")
                .contains("tarpon.uploads.dlq:1", "tarpon.plans.dlq:1");
    }

    @Test
    void childrenSpeakUtf8() {
        assertThat(roster.members())
                .allSatisfy(member -> assertThat(member.environment()).containsEntry("LC_ALL", "C.UTF-8"));
    }

    @Test
    void aRosterComesBackAsItWasWritten() throws IOException {
        var changed = roster.with(roster.member("shard-fn").startedAs(42, 1_000_000_000_123L));
        assertThat(Json.read(Json.bytes(changed), Roster.class)).isEqualTo(changed);
        assertThat(changed.member("shard-fn").pid()).isEqualTo(42);
        assertThat(changed.members()).hasSameSizeAs(roster.members());
    }

    @Test
    void anUnknownNameIsWrongUseAndTheNamesAreSaid() {
        var failure = catchThrowableOfType(CommandFailure.class, () -> roster.member("kafak"));
        assertThat(failure.exitCode()).isEqualTo(CommandFailure.USAGE);
        assertThat(failure).hasMessageContaining("kafak");
        assertThat(failure.next()).contains("kafka").contains("shard-fn");
    }

    @ParameterizedTest
    @ValueSource(strings = {"/a:b", "/a,b", "/a${b}", "/a\\b", "/a\nb"})
    void aPathThatASettingCannotHoldIsRefused(String path) {
        for (var paths : List.of(
                new ClusterPaths(Path.of(path), Path.of("/fine")), new ClusterPaths(Path.of("/fine"), Path.of(path)))) {
            var failure = catchThrowableOfType(CommandFailure.class, () -> ClusterPlan.requireUsable(paths));
            assertThat(failure).hasMessageContaining(path);
        }
        ClusterPlan.requireUsable(PATHS);
    }

    @Test
    void servicesKeepTheSecondCompilerForLaterAndServersDoWithoutIt() {
        for (var member : roster.members()) {
            if (member.isService()) {
                assertThat(member.command())
                        .contains("-XX:Tier4InvocationThreshold=50000")
                        .doesNotContain("-XX:TieredStopAtLevel=1");
            } else {
                assertThat(member.command()).contains("-XX:TieredStopAtLevel=1");
            }
            assertThat(member.command().stream().filter(word -> word.startsWith("-XX:AOTCache=")))
                    .hasSize(1);
            assertThat(member.isRehearsal()).isFalse();
        }
    }

    @Test
    void aRehearsalWritesOneCacheForEachProgramBesideTheOneInUse() {
        var programs = Programs.of(PATHS, Map.of("TARPON_AOT", "rehearse"), path -> true);
        var rehearsal = new ClusterPlan(programs, wanted -> wanted == 0 ? nextPort++ : wanted).roster();
        var written = rehearsal.members().stream()
                .flatMap(member -> member.command().stream())
                .filter(word -> word.startsWith(Programs.REHEARSES))
                .toList();
        assertThat(written)
                .doesNotHaveDuplicates()
                .hasSize(6)
                .allMatch(word -> word.endsWith(".aot.new"))
                .contains(Programs.REHEARSES + PATHS.serviceAot("block-svc") + ".new");
        assertThat(rehearsal.member(ClusterPlan.blockService(1)).isRehearsal()).isTrue();
        assertThat(rehearsal.member(ClusterPlan.blockService(2)).isRehearsal()).isFalse();
    }

    @Test
    void executablesAreStartedWithTheMemoryAndTheSettingsOfTheJars() {
        nextPort = 20_000;
        var executables = new ClusterPlan(
                        new Programs(
                                PATHS,
                                "java",
                                Programs.of(PATHS, Map.of("TARPON_FORM", "native"), path -> true)
                                        .executables(),
                                false,
                                List.of()),
                        wanted -> wanted == 0 ? nextPort++ : wanted)
                .roster();
        for (var member : roster.members()) {
            var twin = executables.member(member.name());
            if (!member.isService()) {
                assertThat(twin).isEqualTo(member);
                continue;
            }
            assertThat(twin.form()).isEqualTo("native");
            assertThat(twin.url()).isEqualTo(member.url());
            assertThat(twin.command().getFirst()).startsWith("/a checkout/").endsWith("-runner");
            assertThat(twin.command()).doesNotContain("-jar");
            assertThat(twin.command().stream().filter(ClusterPlanTest::isBoundOrSetting))
                    .containsExactlyElementsOf(member.command().stream()
                            .filter(ClusterPlanTest::isBoundOrSetting)
                            .toList());
        }
    }

    @Test
    void everyJvmHasTheOptionsOfTheEnvironmentAfterItsOwnAndNoExecutableHas() {
        var environment = Map.of("TARPON_FORM", "shard-fn", "TARPON_JVM_OPTIONS", " -XX:+PrintFlagsFinal  -Xmx99m ");
        var programs = Programs.of(PATHS, environment, path -> true);
        for (var member : new ClusterPlan(programs, wanted -> wanted == 0 ? nextPort++ : wanted)
                .roster()
                .members()) {
            if (member.name().equals("shard-fn")) {
                assertThat(member.command()).doesNotContain("-XX:+PrintFlagsFinal");
            } else {
                assertThat(member.command())
                        .containsSubsequence("-XX:+ExitOnOutOfMemoryError", "-XX:+PrintFlagsFinal", "-Xmx99m");
            }
        }
    }

    private static boolean isBoundOrSetting(String argument) {
        return argument.startsWith("-D") || argument.startsWith("-Xmx") || argument.contains("MaxDirectMemorySize");
    }

    @Test
    void someServicesRunAsExecutables() {
        var some = Programs.of(PATHS, Map.of("TARPON_FORM", "shard-fn,block-svc"), path -> true);
        assertThat(some.executables()).containsExactlyInAnyOrder("shard-fn", "block-svc");
        var members = new ClusterPlan(some, wanted -> wanted == 0 ? nextPort++ : wanted).roster();
        assertThat(members.member("block-svc-2").form()).isEqualTo("native");
        assertThat(members.member("loader-gateway").form()).isEqualTo("jvm");
        for (var none : List.of(Map.<String, String>of(), Map.of("TARPON_FORM", "jvm"))) {
            assertThat(Programs.of(PATHS, none, path -> false).executables()).isEmpty();
        }
    }

    @Test
    void aRosterThatWasPlannedInAnotherFormIsSeen() {
        var some = Programs.of(PATHS, Map.of("TARPON_FORM", "shard-fn,block-svc"), path -> true);
        assertThat(some.plannedOtherwise(roster).stream().map(Member::name))
                .containsExactly("block-svc-1", "block-svc-2", "block-svc-3", "shard-fn");
        assertThat(Programs.of(PATHS, Map.of(), path -> true).plannedOtherwise(roster))
                .isEmpty();
    }

    @Test
    void aFormThatThereIsNotIsRefusedAndAMissingExecutableIsNamed() {
        for (var odd : List.of("graal", "jvm,native", "shard-fn,kafka", ",")) {
            assertThat(catchThrowableOfType(
                            CommandFailure.class, () -> Programs.of(PATHS, Map.of("TARPON_FORM", odd), path -> true)))
                    .as(odd)
                    .hasMessage("TARPON_FORM is '" + odd + "', which names no form of the services");
        }
        var missing = catchThrowableOfType(
                CommandFailure.class, () -> Programs.of(PATHS, Map.of("TARPON_FORM", "shard-fn"), path -> false));
        assertThat(missing).hasMessage("TARPON_FORM is 'shard-fn', but shard-fn has no executable");
        assertThat(missing.next()).contains("./tarpon build --native shard-fn");
    }
}
