package io.tarpon.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What the launcher builds, and runs as it is.
class LauncherTest {
    private final TarponCheckout product;

    LauncherTest(@TempDir Path scratch) throws IOException {
        product = new TarponCheckout(scratch);
    }

    @Test
    void withoutAJdkItSaysInOneLineHowToGetOne() throws Exception {
        var old = product.jdk("old", "21.0.5");
        Files.move(product.scratch("jdks"), product.scratch("moved"));
        product.environment().put("TARPON_JDK", "off");
        var result = product.tarponWith(old.toString(), "status");
        assertThat(result.exit()).isEqualTo(1);
        assertThat(result.out()).isEmpty();
        assertThat(result.err().lines())
                .singleElement()
                .asString()
                .contains("no JDK 25")
                .contains("apt-get install");
        assertThat(product.calls()).isEmpty();
    }

    @Test
    void aJdkThatIsTooOldIsPassedOverForOneInTheUsualPlaces() throws Exception {
        product.maven("3.9.9");
        var old = product.jdk("old", "21.0.5");
        assertThat(product.tarponWith(old.toString(), "ls").exit()).isEqualTo(7);
        assertThat(product.tarponWith("", "ls").exit()).isEqualTo(7);
    }

    @Test
    void itBuildsOnceAndThenRunsTheCommandWithItsArgumentsAndExitCode() throws Exception {
        product.maven("3.8.6");
        var first = product.tarpon("show", "a b", "");
        assertThat(first.exit()).isEqualTo(7);
        assertThat(first.out()).isEqualTo("<show><a b><>\n");
        assertThat(first.err()).contains("building 1/2 cli");
        assertThat(product.calls())
                .singleElement()
                .asString()
                .startsWith("maven ")
                .contains(" package ");
        assertThat(product.tarpon("show", "a b", "").err()).isEmpty();
        assertThat(product.calls()).isEmpty();
    }

    @Test
    void aMavenThatIsTooOldOrMissingMeansTheWrapper() throws Exception {
        product.tarpon("ls");
        assertThat(product.calls()).singleElement().asString().startsWith("wrapper ");
        for (var version : List.of("3.8.5", "3.6.3", "2.99")) {
            product.maven(version);
            assertThat(product.tarpon("test", "-pl", "lib/wire").exit()).isZero();
            assertThat(product.calls()).containsExactly("wrapper -B -ntp verify -pl lib/wire");
        }
        for (var version : List.of("3.8.6", "3.10.0", "4.0.0-rc-2")) {
            product.maven(version);
            product.tarpon("test", "-pl", "lib/wire");
            assertThat(product.calls()).containsExactly("maven -B -ntp verify -pl lib/wire");
        }
    }

    @Test
    void whatChangedOrWentIsBuiltAgain() throws Exception {
        product.maven("3.9.9");
        product.tarpon("build");
        assertThat(product.calls()).hasSize(1);
        for (var changed : List.of(
                "pom.xml",
                "lib/wire/pom.xml",
                "tools/local-servers/kafka/pom.xml",
                "lib/wire/src/main/java/A.java",
                "tools/local-servers/kafka/src/main/java/A.java",
                "block-svc/src/main/resources/application.properties")) {
            Files.setLastModifiedTime(
                    product.checkout(changed), FileTime.from(Instant.now().plusSeconds(1)));
            product.tarpon("up");
            assertThat(product.calls()).as(changed).hasSize(1);
            product.file(changed);
            product.tarpon("build");
            product.calls();
        }
        for (var gone : List.of(
                "lib/wire/src/main/java/A.java",
                "target/built",
                "tools/cli/target/cli.jar",
                "loader-gateway/target/quarkus-app/quarkus-run.jar")) {
            Files.delete(product.checkout(gone));
            product.tarpon("up");
            assertThat(product.calls()).as(gone).hasSize(1);
        }
    }

    @Test
    void commandsThatAskWhatRunsDoNotReplaceItsFiles() throws Exception {
        product.maven("3.9.9");
        product.tarpon("build");
        assertThat(product.tarpon("ls").err()).isEmpty();
        Files.setLastModifiedTime(
                product.checkout("pom.xml"), FileTime.from(Instant.now().plusSeconds(1)));
        product.calls();
        var asking = List.of(
                "ls", "show", "report", "url", "cat", "verify", "epochs", "dlq", "status", "logs", "down", "ingest",
                "retry", "cancel", "rm", "gc", "--help");
        for (var command : asking) {
            var result = product.tarpon(command);
            assertThat(result.exit()).as(command).isEqualTo(7);
            assertThat(result.err().lines())
                    .as(command)
                    .singleElement()
                    .asString()
                    .contains("sources are newer than what is built");
        }
        assertThat(product.tarpon("ls", "--quiet").err()).isEmpty();
        assertThat(product.calls()).isEmpty();
        for (var command : List.of("up", "demo", "restart", "chaos", "bench")) {
            Files.setLastModifiedTime(
                    product.checkout("pom.xml"), FileTime.from(Instant.now().plusSeconds(1)));
            product.tarpon(command);
            assertThat(product.calls()).as(command).hasSize(1);
        }
    }

    @Test
    void aBuildEndsWithARehearsalOfWhichOnlyWholeCachesAreKept() throws Exception {
        product.maven("3.9.9");
        var cli = product.checkout("tools/cli/target/cli.aot");
        var gateway = product.checkout("loader-gateway/target/quarkus-app/app.aot");
        var half = product.checkout("shard-fn/target/quarkus-app/app.aot");
        TarponCheckout.script(product.scratch("jdks/jdk-25/bin/java"), """
            echo "$TARPON_AOT $*" >> "$CALLS.java"
            [ "$TARPON_AOT" = rehearse ] || exit 7
            mkdir -p "$TARPON_HOME/logs"
            case "$*" in *" up") ;; *) exit "${DOWN:-0}";; esac
            touch "%s.new" && echo "AOTCache creation is complete: %s.new 1 bytes"
            touch "%s.new" "%s.new"
            echo "AOTCache creation is complete: %s.new 1 bytes" > "$TARPON_HOME/logs/loader-gateway.out"
            echo "killed" > "$TARPON_HOME/logs/shard-fn.out"
            """.formatted(cli, cli, gateway, half, gateway));
        assertThat(product.tarpon("build").exit()).isZero();
        assertThat(cli).exists();
        assertThat(gateway).exists();
        assertThat(half).doesNotExist();
        assertThat(Path.of(half + ".new")).doesNotExist();
        assertThat(product.checkout("target/rehearsal")).doesNotExist();
        assertThat(product.tarpon("ls").exit()).isEqualTo(7);
        var java = Files.readAllLines(product.scratch("calls.java"));
        assertThat(java.getFirst())
                .contains("-XX:AOTCacheOutput=" + cli + ".new")
                .endsWith(" up");
        assertThat(java.getLast()).contains("-XX:AOTCache=" + cli).endsWith(" ls");

        Files.setLastModifiedTime(
                product.checkout("pom.xml"), FileTime.from(Instant.now().plusSeconds(1)));
        product.environment().put("DOWN", "1");
        assertThat(product.tarpon("build").err()).contains("starts take longer");
        assertThat(cli).doesNotExist();
        product.environment().put("TARPON_AOT", "off");
        Files.delete(product.checkout("target/built"));
        Files.delete(product.scratch("calls.java"));
        assertThat(product.tarpon("build").exit()).isZero();
        assertThat(product.scratch("calls.java")).doesNotExist();
    }

    @Test
    void offlineMavenFetchesNothingEither() throws Exception {
        product.maven("3.9.9");
        assertThat(product.tarpon("--offline", "show", "a").out()).isEqualTo("<io.tarpon.cli.Tarpon><show><a>\n");
        assertThat(product.calls()).singleElement().asString().startsWith("maven -B -ntp -o ");
    }

    @Test
    void testsThatPassedAreABuildAndTestsThatFailedAreNot() throws Exception {
        product.maven("3.9.9");
        assertThat(product.tarpon("test").exit()).isZero();
        assertThat(product.tarpon("build").err()).contains("everything is built");
        assertThat(product.calls()).containsExactly("maven -B -ntp verify");
        TarponCheckout.script(product.tool("mvn"), "[ \"$1\" = --version ] && echo 'Apache Maven 3.9.9' || exit 3\n");
        assertThat(product.tarpon("test").exit()).isEqualTo(1);
    }

    @Test
    void aBuildThatFailsShowsItsErrorsAndLeavesNothingBuilt() throws Exception {
        TarponCheckout.script(
                product.tool("mvn"),
                "[ \"$1\" = --version ] && { echo 'Apache Maven 3.9.9'; exit; }\necho '[ERROR] it rains'; exit 1\n");
        for (int i = 0; i < 2; i++) {
            var result = product.tarpon("ls");
            assertThat(result.exit()).isEqualTo(1);
            assertThat(result.err()).contains("[ERROR] it rains").contains("the build failed");
        }
        assertThat(product.tarpon("build", "--fast").exit()).isEqualTo(2);
    }

    @Test
    void itMayBeCalledFromElsewhereAndThroughALink() throws Exception {
        product.maven("3.9.9");
        var link = Files.createSymbolicLink(product.scratch("t"), product.checkout("tarpon"));
        var elsewhere = Files.createDirectories(product.scratch("else where"));
        var result = product.run(link, elsewhere, product.scratch("jdks/jdk-25").toString(), "ls", "--quiet");
        assertThat(result.exit()).isEqualTo(7);
        assertThat(result.err()).isEmpty();
        assertThat(product.checkout("target/built")).exists();
        assertThat(elsewhere).isEmptyDirectory();
    }

    @Test
    void withoutANativeImageItSaysHowToGetOne() throws Exception {
        product.maven("3.9.9");
        product.tarpon("build");
        product.calls();
        for (var home : List.of("", product.scratch("jdks/jdk-25").toString())) {
            product.environment().put("GRAALVM_HOME", home);
            var result = product.tarpon("build", "--native");
            assertThat(result.exit()).isEqualTo(1);
            assertThat(result.err()).contains("GRAALVM_HOME").contains("Mandrel");
        }
        assertThat(product.calls()).isEmpty();
    }

    @Test
    void executablesAreBuiltWhereTheyAreStaleAndRunWhereAllAreNewerThanTheirSources() throws Exception {
        product.maven("3.9.9");
        TarponCheckout.script(product.scratch("graal/bin/native-image"), "");
        product.environment().put("GRAALVM_HOME", product.scratch("graal").toString());
        product.tarpon("ls");
        assertThat(product.form()).isEqualTo("jvm");
        product.calls();

        var built = product.tarpon("build", "--native");
        assertThat(built.exit()).as(built.err()).isZero();
        assertThat(built.err()).contains("shard-fn").contains("built in 5m 1s");
        assertThat(product.calls())
                .singleElement()
                .asString()
                .contains(
                        " -Dnative -Dquarkus.native.march=native ",
                        "-pl ingest-fn,shard-fn,metadata-svc,block-svc,loader-gateway -am");
        assertThat(product.tarpon("build", "--native").err()).contains("every executable is built");
        product.tarpon("ls");
        assertThat(product.form()).isEqualTo("ingest-fn,shard-fn,metadata-svc,block-svc,loader-gateway");
        assertThat(product.calls()).isEmpty();

        product.environment().put("TARPON_FORM", "jvm");
        product.tarpon("ls");
        assertThat(product.form()).isEqualTo("jvm");
        product.environment().remove("TARPON_FORM");

        Files.setLastModifiedTime(product.checkout("block-svc/src/main/java/A.java"), FileTime.from(Instant.now()));
        product.tarpon("ls");
        assertThat(product.form()).isEqualTo("ingest-fn,shard-fn,metadata-svc,loader-gateway");
        product.tarpon("build");
        product.calls();
        product.tarpon("build", "--native", "shard-fn");
        assertThat(product.calls()).isEmpty();
        product.tarpon("build", "--native", "shard-fn", "block-svc");
        assertThat(product.calls()).singleElement().asString().contains("-pl block-svc -am");
        assertThat(product.tarpon("build", "--native", "kafka").exit()).isEqualTo(2);
    }

    @Test
    void aChangeDuringTheBuildOfAnExecutableIsNoticed() throws Exception {
        product.maven("3.9.9");
        TarponCheckout.script(product.scratch("graal/bin/native-image"), "");
        product.environment().put("GRAALVM_HOME", product.scratch("graal").toString());
        product.tarpon("build");
        product.environment().put("EDIT", "touch lib/wire/src/main/java/A.java");
        var result = product.tarpon("build", "--native");
        assertThat(result.exit()).isEqualTo(1);
        assertThat(result.err()).contains("changed while its executable was built");

        product.environment().remove("EDIT");
        product.environment().put("TARPON_FORM", "shard-fn");
        assertThat(product.tarpon("up").err()).contains("shard-fn's executable is older than its sources");
        assertThat(product.tarpon("ls").err()).doesNotContain("older than its sources");
        Files.setLastModifiedTime(product.checkout("lib/wire/src/main/java/A.java"), FileTime.from(Instant.EPOCH));
        assertThat(product.tarpon("up").err()).doesNotContain("older than its sources");
    }

    @Test
    void aBuildWaitsForAnotherOfItsCheckoutAndSaysSo() throws Exception {
        product.maven("3.9.9");
        var held = product.scratch("held");
        var lock = Files.createDirectories(product.checkout("target")).resolve("build.lock");
        var untilItIsSaid = "touch \"$1\"; until grep -q waiting \"$2\"; do sleep 0.05; done";
        var other = new ProcessBuilder(
                        "flock",
                        lock.toString(),
                        "sh",
                        "-c",
                        untilItIsSaid,
                        "sh",
                        held.toString(),
                        product.err().toString())
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        try {
            while (!Files.exists(held)) {
                assertThat(other.waitFor(20, TimeUnit.MILLISECONDS)).isFalse();
            }
            var result = product.tarpon("build");
            assertThat(result.exit()).isZero();
            assertThat(result.err()).contains("another build of this checkout runs; waiting");
            assertThat(product.calls()).hasSize(1);
        } finally {
            other.destroyForcibly();
        }
    }

    @Test
    void quietBuildsSayNothing() throws Exception {
        product.maven("3.9.9");
        TarponCheckout.script(product.scratch("graal/bin/native-image"), "");
        product.environment().put("GRAALVM_HOME", product.scratch("graal").toString());
        for (var arguments : List.of(
                List.of("build", "--quiet"),
                List.of("build", "--native", "--quiet"),
                List.of("build", "--quiet", "--native", "shard-fn"))) {
            var result = product.tarpon(arguments.toArray(String[]::new));
            assertThat(result.exit()).as("%s", arguments).isZero();
            assertThat(result.out() + result.err()).as("%s", arguments).isEmpty();
        }
    }
}
