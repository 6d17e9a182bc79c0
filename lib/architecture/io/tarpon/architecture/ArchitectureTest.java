package io.tarpon.architecture;

import static com.tngtech.archunit.base.DescribedPredicate.alwaysTrue;
import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideOutsideOfPackages;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.ArchConfiguration;
import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.conditions.ArchConditions;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/// The rules of the house for the classes of the module under test: each technology has one home, a package is
/// pure unless its name says what it touches, and edges do not know each other.
class ArchitectureTest {
    private static final Path CLASSES = Path.of("target", "classes");
    private static final Path SOURCES = Path.of("src", "main", "java");

    private static final Set<String> EDGES = Set.of("api", "client", "stream", "log", "index", "disk");

    /// What must give the same answer on every machine and in every year.
    private static final String[] PURE = {
        "io.tarpon.wire",
        "io.tarpon.wire.key..",
        "io.tarpon.wire.tar..",
        "io.tarpon.wire.plan..",
        "io.tarpon.wire.index..",
        "io.tarpon.wire.block..",
        "io.tarpon.wire.placement..",
        "io.tarpon.gateway.body..",
        "io.tarpon.gateway.order..",
        "io.tarpon.gateway.target..",
        "io.tarpon.metadata.image..",
        "io.tarpon.metadata.entry..",
        "io.tarpon.metadata.snapshot..",
    };

    private static final Pattern CLOCK_CALLS = Pattern.compile(
            "java\\.lang\\.System\\.(currentTimeMillis|nanoTime)|java\\.time\\.[A-Za-z]+\\.now|java\\.time\\.Clock\\..*"
                    + "|java\\.lang\\.Math\\.random|java\\.util\\.UUID\\.randomUUID");

    private static final List<String> FILE_HOMES =
            List.of("..disk..", "io.tarpon.store..", "io.tarpon.servers..", "io.tarpon.testkit..");

    private static final Pattern FILE_CALLS =
            Pattern.compile("java\\.io\\.(File(Input|Output)Stream|FileReader|FileWriter|RandomAccessFile)\\.<init>\\("
                    + "(?!java\\.io\\.FileDescriptor\\)).*"
                    + "|java\\.io\\.File\\.(exists|can|is[DFH]|length|last|list|mk|create|delete|rename|set).*");

    private static final JavaClasses MODULE = read();

    private static JavaClasses read() {
        // Names of what is used are enough; reading all libraries would take longer than the module's other tests.
        ArchConfiguration.get().setResolveMissingDependenciesFromClassPath(false);
        return new ClassFileImporter().importPaths(Files.isDirectory(CLASSES) ? List.of(CLASSES) : List.of());
    }

    @BeforeAll
    static void needsClasses() {
        // Of a module that is all tests nothing is to be said; without classes of sources nothing would be looked at.
        assertThat(MODULE.isEmpty()).as("no classes in " + CLASSES).isNotEqualTo(Files.isDirectory(SOURCES));
    }

    @Test
    void inboundHttpIsAtHomeInApi() {
        only(
                "inbound HTTP is at home in api",
                List.of("..api.."),
                resideInAnyPackage("jakarta.ws.rs..", "io.vertx.ext.web..", "io.quarkus.vertx.web.."));
    }

    @Test
    void outboundHttpIsAtHomeInClient() {
        only(
                "outbound HTTP is at home in client",
                List.of("..client.."),
                resideInAnyPackage("java.net.http..", "io.vertx.ext.web.client..")
                        .or(named("io\\.vertx\\.core\\.http\\.(HttpClient|WebSocketClient).*"))
                        .or(named("java\\.net\\.(HttpURLConnection|URLConnection)")));
    }

    @Test
    void kafkaIsAtHomeInStreamAndLog() {
        only(
                "Kafka is at home in stream and log",
                List.of("..stream..", "io.tarpon.metadata.log..", "io.tarpon.servers.kafka.."),
                resideInAnyPackage(
                        "org.apache.kafka..",
                        "kafka..",
                        "org.eclipse.microprofile.reactive.messaging..",
                        "io.smallrye.reactive.messaging.."));
    }

    @Test
    void rocksDbIsAtHomeInIndexLogAndView() {
        only(
                "RocksDB is at home in index, log and view",
                List.of("..index..", "..log..", "..view.."),
                resideInAnyPackage("org.rocksdb.."));
    }

    @Test
    void filesAreAtHomeInDisk() {
        only(
                "files are at home in disk; a Path is a value",
                FILE_HOMES,
                resideInAnyPackage("java.nio.file..")
                        .and(DescribedPredicate.not(named("java\\.nio\\.file\\.(Path|[A-Za-z]+Exception)")))
                        .or(named("java\\.nio\\.channels\\.(FileChannel.*|FileLock|AsynchronousFileChannel)")));
    }

    @Test
    void olderFilesAreAtHomeInDiskToo() {
        // A File is a value where ProcessBuilder wants one, and a stream over a descriptor is the terminal.
        DescribedPredicate<JavaAccess<?>> touch = describe(
                "a file by java.io",
                access -> FILE_CALLS.matcher(access.getTarget().getFullName()).matches());
        check(noClasses()
                .that()
                .resideOutsideOfPackages(FILE_HOMES.toArray(String[]::new))
                .should()
                .accessTargetWhere(touch));
    }

    @Test
    void awsSdkIsAtHomeInStore() {
        only(
                "the AWS SDK is at home in store",
                List.of("io.tarpon.store..", "io.tarpon.servers.s3.."),
                resideInAnyPackage("software.amazon.."));
    }

    @Test
    void wireKnowsNoFramework() {
        check(noClasses()
                .that()
                .resideInAPackage("io.tarpon.wire..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("io.quarkus..", "io.smallrye..", "io.vertx..", "io.netty..", "jakarta..")
                .as("wire knows no framework"));
    }

    @Test
    void edgesDoNotKnowEachOther() {
        check(classes().should(Conditions.knowNoOtherEdge(EDGES)));
    }

    @Test
    void everyPackageIsNullMarked() {
        check(classes().should(Conditions.lieInNullMarkedPackage()));
    }

    @Test
    void namesSayWhatAThingIs() {
        List<String> words = List.of("Manager", "Util", "Helper", "Impl", "Base", "Common", "Processor", "Info");
        check(noClasses().should(ArchConditions.be(Conditions.namedWith(words))));
    }

    @Test
    void foreignMemoryIsNotUsed() {
        only("java.lang.foreign does not compile to native here", List.of(), resideInAnyPackage("java.lang.foreign.."));
    }

    @Test
    void stdoutBelongsToTheCommandLine() {
        check(noClasses()
                .that()
                .resideOutsideOfPackages("io.tarpon.cli..", "io.tarpon.servers..")
                .should()
                .accessField(System.class, "out"));
    }

    @Test
    void pureCodeHasNoClock() {
        DescribedPredicate<JavaAccess<?>> clock = describe(
                "a clock or a random value",
                access -> CLOCK_CALLS
                        .matcher(access.getTargetOwner().getName() + "." + access.getName())
                        .matches());
        check(noClasses().that().resideInAnyPackage(PURE).should().accessTargetWhere(clock));
    }

    @Test
    void pureCodeHasNoDice() {
        check(noClasses()
                .that()
                .resideInAnyPackage(PURE)
                .should()
                .dependOnClassesThat(resideInAnyPackage("java.util.random..")
                        .or(named("java\\.util\\.(Random|SplittableRandom|concurrent\\.ThreadLocalRandom)"))
                        .or(named("java\\.security\\.SecureRandom"))));
    }

    private static void only(String rule, List<String> homes, DescribedPredicate<JavaClass> technology) {
        check(noClasses()
                .that(homes.isEmpty() ? alwaysTrue() : resideOutsideOfPackages(homes.toArray(String[]::new)))
                .should()
                .dependOnClassesThat(technology)
                .as(rule));
    }

    private static DescribedPredicate<JavaClass> named(String pattern) {
        Pattern names = Pattern.compile(pattern);
        return describe(
                "named " + pattern, type -> names.matcher(type.getName()).matches());
    }

    private static void check(ArchRule rule) {
        rule.allowEmptyShould(true).check(MODULE);
    }
}
