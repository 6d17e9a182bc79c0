package io.tarpon.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The launcher in a checkout of its own, with a JDK, a Maven and a wrapper that only say that they were called.
class LauncherTest {
    private static final Path LAUNCHER = Path.of("..", "..", "tarpon");
    private static final List<String> TOOLS = List.of(
            "bash",
            "env",
            "sed",
            "find",
            "awk",
            "grep",
            "head",
            "tail",
            "touch",
            "chmod",
            "mkdir",
            "mv",
            "tee",
            "readlink",
            "flock",
            "dirname",
            "cat");

    /// A Maven that makes what a build makes.
    private static final String BUILD = """
            case " $* " in *" package "*|*" verify "*) ;; *) exit 0;; esac
            mkdir -p tools/cli/target/lib tools/local-servers/kafka/target/lib
            touch tools/cli/target/cli.jar tools/local-servers/kafka/target/local-servers-kafka.jar
            for module in ingest-fn shard-fn metadata-svc block-svc loader-gateway; do
                mkdir -p $module/target/quarkus-app && touch $module/target/quarkus-app/quarkus-run.jar
                case " $* " in *" -Dnative "*) ;; *) continue;; esac
                case " $* " in *[\\ ,]$module[\\ ,]*) ;; *) continue;; esac
                touch -d '1 second ago' $module/target/native-started
                eval "${EDIT:-}"
                touch $module/target/$module-runner && chmod +x $module/target/$module-runner
                echo "GraalVM Native Image: Generating '$module-runner' (executable)..."
                echo "Finished generating '$module-runner' in 5m 1s."
            done
            echo "[INFO] Building cli 0.1.0                       [1/2]"
            """;

    @TempDir
    Path scratch = Path.of("");

    private Path checkout = scratch;
    private Path jdk = scratch;
    private Path tools = scratch;
    private final Map<String, String> environment = new HashMap<>();

    private record Result(int exit, String out, String err) {}

    @BeforeEach
    void makeCheckout() throws IOException {
        checkout = Files.createDirectories(scratch.resolve("a check out"));
        tools = Files.createDirectories(scratch.resolve("tools"));
        for (var tool : TOOLS) {
            for (var bin : List.of("/usr/bin", "/bin")) {
                if (Files.isExecutable(Path.of(bin, tool))) {
                    script(tools.resolve(tool), "#!/bin/sh\nexec " + bin + "/" + tool + " \"$@\"\n");
                }
            }
        }
        Files.copy(LAUNCHER, checkout.resolve("tarpon"));
        Files.setPosixFilePermissions(checkout.resolve("tarpon"), PosixFilePermissions.fromString("rwxr-xr-x"));
        file("pom.xml");
        for (var module : List.of("tools/cli", "lib/wire", "block-svc", "tools/local-servers/kafka")) {
            file(module + "/pom.xml");
            file(module + "/src/main/java/A.java");
            file(module + "/src/main/resources/application.properties");
        }
        script(checkout.resolve("mvnw"), "echo wrapper \"$@\" >> \"$CALLS\"\n" + BUILD);
        jdk = jdk("jdks/jdk-25", "25.0.1");
    }

    private void file(String name) throws IOException {
        var file = checkout.resolve(name);
        Files.createDirectories(file.getParent());
        Files.writeString(file, "");
        // From before any build of this test, to the last second.
        var earlier = FileTime.from(Instant.now().minusSeconds(3600));
        for (var path = file; !path.equals(checkout); path = path.getParent()) {
            Files.setLastModifiedTime(path, earlier);
        }
    }

    private static void script(Path file, String body) throws IOException {
        Files.createDirectories(file.getParent());
        Files.writeString(file, body.startsWith("#!") ? body : "#!/usr/bin/env bash\n" + body);
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    private Path jdk(String name, String version) throws IOException {
        var home = scratch.resolve(name);
        script(home.resolve("bin/javac"), "");
        script(
                home.resolve("bin/java"),
                "printf '<%s>' \"${@: -3}\"; echo; echo \"$TARPON_FORM\" > \"$CALLS.form\"; exit 7\n");
        Files.writeString(home.resolve("release"), "IMPLEMENTOR=\"X\"\nJAVA_VERSION=\"" + version + "\"\n");
        return home;
    }

    private void maven(String version) throws IOException {
        script(
                tools.resolve("mvn"),
                "[ \"$1\" = --version ] && { echo 'Apache Maven " + version + " (abc)'; exit; }\n"
                        + "echo maven \"$@\" >> \"$CALLS\"\n" + BUILD);
    }

    private Result tarpon(String... arguments) throws IOException, InterruptedException {
        return run(checkout.resolve("tarpon"), checkout, jdk.toString(), arguments);
    }

    private Result run(Path launcher, Path from, String javaHome, String... arguments)
            throws IOException, InterruptedException {
        var command = new java.util.ArrayList<>(List.of(launcher.toString()));
        command.addAll(List.of(arguments));
        var out = scratch.resolve("out");
        var err = err();
        var builder = new ProcessBuilder(command)
                .directory(from.toFile())
                .redirectOutput(out.toFile())
                .redirectError(err.toFile());
        var environment = builder.environment();
        environment.clear();
        environment.put("PATH", tools.toString());
        environment.put("CALLS", scratch.resolve("calls").toString());
        environment.put("TARPON_JDKS", scratch.resolve("jdks").toString());
        if (!javaHome.isEmpty()) {
            environment.put("JAVA_HOME", javaHome);
        }
        environment.putAll(this.environment);
        var process = builder.start();
        try {
            assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        } finally {
            process.destroyForcibly();
        }
        return new Result(process.exitValue(), Files.readString(out), Files.readString(err));
    }

    /// What the launcher that runs last or now has said.
    private Path err() {
        return scratch.resolve("err");
    }

    private List<String> calls() throws IOException {
        var calls = scratch.resolve("calls");
        var lines = Files.exists(calls) ? Files.readAllLines(calls) : List.<String>of();
        Files.deleteIfExists(calls);
        return lines;
    }

    @Test
    void withoutAJdkItSaysInOneLineHowToGetOne() throws Exception {
        var old = jdk("old", "21.0.5");
        jdk = scratch.resolve("nothing");
        Files.move(scratch.resolve("jdks"), scratch.resolve("moved"));
        var result = run(checkout.resolve("tarpon"), checkout, old.toString(), "status");
        assertThat(result.exit()).isEqualTo(1);
        assertThat(result.out()).isEmpty();
        assertThat(result.err().lines())
                .singleElement()
                .asString()
                .contains("no JDK 25")
                .contains("apt-get install");
        assertThat(calls()).isEmpty();
    }

    @Test
    void aJdkThatIsTooOldIsPassedOverForOneInTheUsualPlaces() throws Exception {
        maven("3.9.9");
        var old = jdk("old", "21.0.5");
        assertThat(run(checkout.resolve("tarpon"), checkout, old.toString(), "ls")
                        .exit())
                .isEqualTo(7);
        assertThat(run(checkout.resolve("tarpon"), checkout, "", "ls").exit()).isEqualTo(7);
    }

    @Test
    void itBuildsOnceAndThenRunsTheCommandWithItsArgumentsAndExitCode() throws Exception {
        maven("3.8.6");
        var first = tarpon("show", "a b", "");
        assertThat(first.exit()).isEqualTo(7);
        assertThat(first.out()).isEqualTo("<show><a b><>\n");
        assertThat(first.err()).contains("building 1/2 cli");
        assertThat(calls()).singleElement().asString().startsWith("maven ").contains(" package ");
        assertThat(tarpon("show", "a b", "").err()).isEmpty();
        assertThat(calls()).isEmpty();
    }

    @Test
    void aMavenThatIsTooOldOrMissingMeansTheWrapper() throws Exception {
        tarpon("ls");
        assertThat(calls()).singleElement().asString().startsWith("wrapper ");
        for (var version : List.of("3.8.5", "3.6.3", "2.99")) {
            maven(version);
            assertThat(tarpon("test", "-pl", "lib/wire").exit()).isZero();
            assertThat(calls()).containsExactly("wrapper -B -ntp verify -pl lib/wire");
        }
        for (var version : List.of("3.8.6", "3.10.0", "4.0.0-rc-2")) {
            maven(version);
            tarpon("test", "-pl", "lib/wire");
            assertThat(calls()).containsExactly("maven -B -ntp verify -pl lib/wire");
        }
    }

    @Test
    void whatChangedOrWentIsBuiltAgain() throws Exception {
        maven("3.9.9");
        tarpon("build");
        assertThat(calls()).hasSize(1);
        for (var changed : List.of(
                "pom.xml",
                "lib/wire/pom.xml",
                "tools/local-servers/kafka/pom.xml",
                "lib/wire/src/main/java/A.java",
                "tools/local-servers/kafka/src/main/java/A.java",
                "block-svc/src/main/resources/application.properties")) {
            Files.setLastModifiedTime(
                    checkout.resolve(changed), FileTime.from(Instant.now().plusSeconds(1)));
            tarpon("ls");
            assertThat(calls()).as(changed).hasSize(1);
            file(changed);
            tarpon("build");
            calls();
        }
        for (var gone : List.of(
                "lib/wire/src/main/java/A.java",
                "target/built",
                "tools/cli/target/cli.jar",
                "loader-gateway/target/quarkus-app/quarkus-run.jar")) {
            Files.delete(checkout.resolve(gone));
            tarpon("ls");
            assertThat(calls()).as(gone).hasSize(1);
        }
    }

    @Test
    void commandsThatLookAtARunningClusterDoNotReplaceItsFiles() throws Exception {
        maven("3.9.9");
        tarpon("build");
        Files.setLastModifiedTime(
                checkout.resolve("pom.xml"), FileTime.from(Instant.now().plusSeconds(1)));
        calls();
        for (var command : List.of("status", "logs", "down")) {
            assertThat(tarpon(command).exit()).isEqualTo(7);
        }
        assertThat(calls()).isEmpty();
    }

    @Test
    void testsThatPassedAreABuildAndTestsThatFailedAreNot() throws Exception {
        maven("3.9.9");
        assertThat(tarpon("test").exit()).isZero();
        assertThat(tarpon("build").err()).contains("everything is built");
        assertThat(calls()).containsExactly("maven -B -ntp verify");
        script(tools.resolve("mvn"), "[ \"$1\" = --version ] && echo 'Apache Maven 3.9.9' || exit 3\n");
        assertThat(tarpon("test").exit()).isEqualTo(1);
    }

    @Test
    void aBuildThatFailsShowsItsErrorsAndLeavesNothingBuilt() throws Exception {
        script(
                tools.resolve("mvn"),
                "[ \"$1\" = --version ] && { echo 'Apache Maven 3.9.9'; exit; }\necho '[ERROR] it rains'; exit 1\n");
        for (int i = 0; i < 2; i++) {
            var result = tarpon("ls");
            assertThat(result.exit()).isEqualTo(1);
            assertThat(result.err()).contains("[ERROR] it rains").contains("the build failed");
        }
        assertThat(tarpon("build", "--fast").exit()).isEqualTo(2);
    }

    @Test
    void itMayBeCalledFromElsewhereAndThroughALink() throws Exception {
        maven("3.9.9");
        var link = Files.createSymbolicLink(scratch.resolve("t"), checkout.resolve("tarpon"));
        var elsewhere = Files.createDirectories(scratch.resolve("else where"));
        var result = run(link, elsewhere, jdk.toString(), "ls", "--quiet");
        assertThat(result.exit()).isEqualTo(7);
        assertThat(result.err()).isEmpty();
        assertThat(checkout.resolve("target/built")).exists();
        assertThat(elsewhere).isEmptyDirectory();
    }

    private String form() throws IOException {
        return Files.readString(scratch.resolve("calls.form")).strip();
    }

    @Test
    void withoutANativeImageItSaysHowToGetOne() throws Exception {
        maven("3.9.9");
        tarpon("build");
        calls();
        for (var home : List.of("", scratch.resolve("jdks/jdk-25").toString())) {
            environment.put("GRAALVM_HOME", home);
            var result = tarpon("build", "--native");
            assertThat(result.exit()).isEqualTo(1);
            assertThat(result.err()).contains("GRAALVM_HOME").contains("Mandrel");
        }
        assertThat(calls()).isEmpty();
    }

    @Test
    void executablesAreBuiltWhereTheyAreStaleAndRunWhereAllAreNewerThanTheirSources() throws Exception {
        maven("3.9.9");
        script(scratch.resolve("graal/bin/native-image"), "");
        environment.put("GRAALVM_HOME", scratch.resolve("graal").toString());
        tarpon("ls");
        assertThat(form()).isEqualTo("jvm");
        calls();

        var built = tarpon("build", "--native");
        assertThat(built.exit()).as(built.err()).isZero();
        assertThat(built.err()).contains("shard-fn").contains("built in 5m 1s");
        assertThat(calls())
                .singleElement()
                .asString()
                .contains(
                        " -Dnative -Dquarkus.native.march=native ",
                        "-pl ingest-fn,shard-fn,metadata-svc,block-svc,loader-gateway -am");
        assertThat(tarpon("build", "--native").err()).contains("every executable is built");
        tarpon("ls");
        assertThat(form()).isEqualTo("ingest-fn,shard-fn,metadata-svc,block-svc,loader-gateway");
        assertThat(calls()).isEmpty();

        environment.put("TARPON_FORM", "jvm");
        tarpon("ls");
        assertThat(form()).isEqualTo("jvm");
        environment.remove("TARPON_FORM");

        Files.setLastModifiedTime(checkout.resolve("block-svc/src/main/java/A.java"), FileTime.from(Instant.now()));
        tarpon("ls");
        assertThat(form()).isEqualTo("ingest-fn,shard-fn,metadata-svc,loader-gateway");
        calls();
        tarpon("build", "--native", "shard-fn");
        assertThat(calls()).isEmpty();
        tarpon("build", "--native", "shard-fn", "block-svc");
        assertThat(calls()).singleElement().asString().contains("-pl block-svc -am");
        assertThat(tarpon("build", "--native", "kafka").exit()).isEqualTo(2);
    }

    @Test
    void aChangeDuringTheBuildOfAnExecutableIsNoticed() throws Exception {
        maven("3.9.9");
        script(scratch.resolve("graal/bin/native-image"), "");
        environment.put("GRAALVM_HOME", scratch.resolve("graal").toString());
        tarpon("build");
        environment.put("EDIT", "touch lib/wire/src/main/java/A.java");
        var result = tarpon("build", "--native");
        assertThat(result.exit()).isEqualTo(1);
        assertThat(result.err()).contains("changed while its executable was built");

        environment.remove("EDIT");
        environment.put("TARPON_FORM", "shard-fn");
        assertThat(tarpon("up").err()).contains("shard-fn's executable is older than its sources");
        assertThat(tarpon("ls").err()).doesNotContain("older than its sources");
        Files.setLastModifiedTime(checkout.resolve("lib/wire/src/main/java/A.java"), FileTime.from(Instant.EPOCH));
        assertThat(tarpon("up").err()).doesNotContain("older than its sources");
    }

    @Test
    void aBuildWaitsForAnotherOfItsCheckoutAndSaysSo() throws Exception {
        maven("3.9.9");
        var held = scratch.resolve("held");
        var lock = Files.createDirectories(checkout.resolve("target")).resolve("build.lock");
        var untilItIsSaid = "touch \"$1\"; until grep -q waiting \"$2\"; do sleep 0.05; done";
        var other = new ProcessBuilder(
                        "flock", lock.toString(), "sh", "-c", untilItIsSaid, "sh", held.toString(), err().toString())
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        try {
            while (!Files.exists(held)) {
                assertThat(other.waitFor(20, TimeUnit.MILLISECONDS)).isFalse();
            }
            var result = tarpon("build");
            assertThat(result.exit()).isZero();
            assertThat(result.err()).contains("another build of this checkout runs; waiting");
            assertThat(calls()).hasSize(1);
        } finally {
            other.destroyForcibly();
        }
    }

    @Test
    void quietBuildsSayNothing() throws Exception {
        maven("3.9.9");
        script(scratch.resolve("graal/bin/native-image"), "");
        environment.put("GRAALVM_HOME", scratch.resolve("graal").toString());
        for (var arguments : List.of(
                List.of("build", "--quiet"),
                List.of("build", "--native", "--quiet"),
                List.of("build", "--quiet", "--native", "shard-fn"))) {
            var result = tarpon(arguments.toArray(String[]::new));
            assertThat(result.exit()).as("%s", arguments).isZero();
            assertThat(result.out() + result.err()).as("%s", arguments).isEmpty();
        }
    }
}
