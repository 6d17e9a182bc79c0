package io.tarpon.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.tarpon.testkit.FakeService;
import io.tarpon.wire.Digests;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// The launcher on a machine without a JDK, before a server that plays Adoptium's.
class FetchedJdkTest {
    private static final String QUESTION =
            "/v3/assets/latest/25/hotspot?architecture=%s&image_type=jdk&os=%s&vendor=eclipse";
    private static final String ARCHIVE = "/download/jdk-25.0.9%2B1/OpenJDK25U-jdk_25.0.9_1.tar.gz";

    private final TarponCheckout product;
    private final Path cache;
    private final FakeService adoptium = new FakeService();

    FetchedJdkTest(@TempDir Path scratch) throws IOException {
        product = new TarponCheckout(scratch);
        product.maven("3.9.9");
        Files.move(scratch.resolve("jdks"), scratch.resolve("moved"));
        cache = scratch.resolve("home/.cache/tarpon/jdk");
        product.environment().put("TARPON_ADOPTIUM", adoptium.url());
        machine("Linux", "x86_64");
    }

    @AfterEach
    void stop() {
        adoptium.close();
    }

    private void machine(String system, String processor) throws IOException {
        TarponCheckout.script(
                product.tool("uname"), "[ \"$1\" = -m ] && echo " + processor + " || echo " + system + "\n");
        TarponCheckout.script(product.tool("getconf"), "echo glibc 2.41\n");
    }

    private TarponCheckout.Result launch(String... arguments) throws Exception {
        return product.tarponWith("", arguments);
    }

    /// An archive as Adoptium packs them.
    private byte[] archive(String home) throws Exception {
        var packed = product.scratch("packed");
        product.jdk("packed/jdk-25.0.9+1" + home, "25.0.9");
        var file = product.scratch("jdk.tar.gz");
        var tar = new ProcessBuilder("tar", "-czf", file.toString(), "-C", packed.toString(), "jdk-25.0.9+1")
                .redirectErrorStream(true)
                .start();
        assertThat(tar.waitFor(30, TimeUnit.SECONDS)).isTrue();
        return Files.readAllBytes(file);
    }

    /// What Adoptium answers, shortened: the installer, which comes first, has a checksum and a link as well.
    private String answer(String link, String checksum, long size) {
        return """
            [
                {
                    "binary": {
                        "architecture": "x64",
                        "image_type": "jdk",
                        "installer": {
                            "checksum": "0000000000000000000000000000000000000000000000000000000000000000",
                            "link": "https://127.0.0.1:1/installer.pkg",
                            "name": "installer.pkg",
                            "size": 1
                        },
                        "jvm_impl": "hotspot",
                        "os": "linux",
                        "package": {
                            "checksum": "%s",
                            "checksum_link": "https://127.0.0.1:1/x.sha256.txt",
                            "download_count": 17,
                            "link": "%s",
                            "metadata_link": "https://127.0.0.1:1/x.json",
                            "name": "OpenJDK25U-jdk_25.0.9_1.tar.gz",
                            "signature_link": "https://127.0.0.1:1/x.sig",
                            "size": %d
                        },
                        "project": "jdk"
                    },
                    "release_name": "jdk-25.0.9+1",
                    "vendor": "eclipse"
                }
            ]
            """.formatted(checksum, link, size);
    }

    private void serve(String architecture, String os, byte[] archive) {
        serve(architecture, os, archive, Digests.sha256Hex(archive), FakeService.bytes(200, archive));
    }

    private void serve(String architecture, String os, byte[] archive, String checksum, FakeService.Answer download) {
        var answer = answer(adoptium.url() + ARCHIVE, checksum, archive.length);
        adoptium.on(QUESTION.formatted(architecture, os), FakeService.text(200, answer))
                .on(ARCHIVE, download);
    }

    /// Exit code 1, nothing built or started, nothing in the cache that could be taken for a JDK, and a next step.
    private void assertRefused(TarponCheckout.Result result, String reason) throws IOException {
        assertThat(result.exit()).as(result.err()).isEqualTo(1);
        assertThat(result.out()).isEmpty();
        assertThat(result.err()).contains(reason).contains("next: ").contains("JAVA_HOME");
        assertThat(product.calls()).isEmpty();
        try (var left = Files.list(cache)) {
            assertThat(left.map(path -> String.valueOf(path.getFileName()))).isSubsetOf("lock");
        }
    }

    @Test
    void itSaysWhatItFetchesAndFetchesItOnce() throws Exception {
        serve("x64", "linux", archive(""));
        var first = launch("show", "a", "b");
        assertThat(first.exit()).as(first.err()).isEqualTo(7);
        assertThat(first.out()).isEqualTo("<show><a><b>\n");
        assertThat(first.err())
                .contains("no JDK 25 found; fetching Temurin (OpenJDK25U-jdk_25.0.9_1.tar.gz, 1 MB) into " + cache)
                .contains("--offline or TARPON_JDK=off forbids");
        assertThat(cache.resolve("jdk-25.0.9+1/bin/javac")).isExecutable();
        assertThat(adoptium.requests()).hasSize(2);
        for (var without : List.of("--quiet", "--offline")) {
            assertThat(launch("show", without).exit()).isEqualTo(7);
        }
        assertThat(adoptium.requests()).hasSize(2);
    }

    @Test
    void whatAKilledOneLeftIsNeitherUsedNorKept() throws Exception {
        var half = Files.createDirectories(cache.resolve(".fetch.Ab12Cd"));
        Files.move(archiveFolder(), half.resolve("unpacked"));
        serve("x64", "linux", archive(""));
        assertThat(launch("ls").exit()).isEqualTo(7);
        assertThat(half).doesNotExist();
        assertThat(adoptium.requests()).hasSize(2);
    }

    private Path archiveFolder() throws IOException {
        return product.jdk("half/jdk-25.0.9+1", "25.0.9").getParent();
    }

    @Test
    void aMacHasItsOwnCacheAndItsJdkAHomeWithin() throws Exception {
        machine("Darwin", "arm64");
        serve("aarch64", "mac", archive("/Contents/Home"));
        assertThat(launch("ls").exit()).isEqualTo(7);
        assertThat(product.scratch("home/Library/Caches/tarpon/jdk/jdk-25.0.9+1/Contents/Home/bin/java"))
                .isExecutable();
    }

    @Test
    void theCacheMayLieElsewhere() throws Exception {
        machine("Linux", "aarch64");
        product.environment().put("XDG_CACHE_HOME", product.scratch("c a").toString());
        serve("aarch64", "linux", archive(""));
        assertThat(launch("ls").exit()).isEqualTo(7);
        assertThat(product.scratch("c a/tarpon/jdk/jdk-25.0.9+1/release")).exists();
    }

    @Test
    void withoutCurlItIsWget() throws Exception {
        Files.delete(product.tool("curl"));
        serve("x64", "linux", archive(""));
        Files.createDirectories(cache);
        assertRefused(launch("ls"), "neither curl nor wget");
        TarponCheckout.script(product.tool("wget"), "exec /usr/bin/wget \"$@\"\n");
        assertThat(launch("ls").exit()).isEqualTo(7);
        Files.move(cache.resolve("jdk-25.0.9+1"), product.scratch("away"));
        adoptium.on(ARCHIVE, FakeService.text(404, "gone"));
        product.calls();
        assertRefused(launch("ls"), "the server refused");
    }

    @Test
    void anotherArchiveThanTheNamedOneIsNotUsed() throws Exception {
        var archive = archive("");
        var other = archive.clone();
        other[other.length / 2] ^= 1;
        serve("x64", "linux", archive, Digests.sha256Hex(archive), FakeService.bytes(200, other));
        assertRefused(launch("ls"), "its SHA-256 is " + Digests.sha256Hex(other));
    }

    @Test
    void aCutArchiveIsNotUsed() throws Exception {
        var archive = archive("");
        serve("x64", "linux", archive, Digests.sha256Hex(archive), FakeService.cut("half of it"));
        assertRefused(launch("ls"), "the download was cut");
        serve("x64", "linux", archive, Digests.sha256Hex(archive), FakeService.text(200, "half of it"));
        assertRefused(launch("ls"), "10 bytes came instead of " + archive.length);
    }

    @Test
    void whatTheServerDoesNotHaveIsNamed() throws Exception {
        var archive = archive("");
        assertRefused(launch("ls"), "the server answered 404: " + adoptium.url() + "/v3/assets/latest/25/");
        serve("x64", "linux", archive, Digests.sha256Hex(archive), FakeService.text(404, "gone"));
        assertRefused(launch("ls"), "the server answered 404: " + adoptium.url() + ARCHIVE);
        adoptium.close();
        assertRefused(launch("ls"), "is there a network");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "[]", "<html>a portal</html>", "[{\"binary\":{\"package\":{\"name\":\"x.tar.gz\"}}}]"})
    void anAnswerOfAnotherShapeNamesNoJdk(String text) throws Exception {
        adoptium.on(QUESTION.formatted("x64", "linux"), FakeService.text(200, text));
        assertRefused(launch("ls"), "Adoptium's answer names none");
    }

    @Test
    void anAnswerThatPointsAwayFromTheWebIsRefused() throws Exception {
        var archive = archive("");
        for (var link : List.of("file:///etc/passwd", "-o/tmp/x", "https://127.0.0.1/a b", "https://127.0.0.1/$(id)")) {
            adoptium.on(
                    QUESTION.formatted("x64", "linux"),
                    FakeService.text(200, answer(link, Digests.sha256Hex(archive), archive.length)));
            assertRefused(launch("ls"), "Adoptium's answer names none");
        }
    }

    @Test
    void anArchiveWithoutAJdkIsNotUsed() throws Exception {
        var junk = "no archive".getBytes(StandardCharsets.UTF_8);
        serve("x64", "linux", junk);
        assertRefused(launch("ls"), "cannot be unpacked");
    }

    @Test
    void whereItIsForbiddenNothingIsAsked() throws Exception {
        serve("x64", "linux", archive(""));
        assertThat(launch("--offline", "ls").err())
                .contains("none may be fetched")
                .contains("apt-get install");
        product.environment().put("TARPON_JDK", "off");
        assertThat(launch("ls").exit()).isEqualTo(1);
        assertThat(adoptium.requests()).isEmpty();
        assertThat(cache).doesNotExist();
    }

    @Test
    void anUnknownMachineIsNamed() throws Exception {
        machine("Linux", "sparc");
        assertThat(launch("ls").err()).contains("Adoptium builds none for Linux on sparc");
        assertThat(adoptium.requests()).isEmpty();
    }

    @Test
    void oneOfTwoAtOnceWaitsAndUsesWhatTheOtherFetched() throws Exception {
        serve("x64", "linux", archive(""));
        Files.createDirectories(cache);
        var held = product.scratch("held");
        var fetched = product.scratch("packed/jdk-25.0.9+1");
        var untilItIsSaid = "touch \"$1\"; until grep -q waiting \"$2\"; do sleep 0.05; done; mv \"$3\" \"$4\"";
        var other = new ProcessBuilder(
                        "flock",
                        cache.resolve("lock").toString(),
                        "sh",
                        "-c",
                        untilItIsSaid,
                        "sh",
                        held.toString(),
                        product.err().toString(),
                        fetched.toString(),
                        cache.toString())
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        try {
            while (!Files.exists(held)) {
                assertThat(other.waitFor(20, TimeUnit.MILLISECONDS)).isFalse();
            }
            var result = launch("ls");
            assertThat(result.err()).contains("another tarpon fetches a JDK; waiting");
            assertThat(result.exit()).isEqualTo(7);
            assertThat(adoptium.requests()).isEmpty();
        } finally {
            other.destroyForcibly();
        }
    }
}
