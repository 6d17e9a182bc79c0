package io.tarpon.system;

import static org.assertj.core.api.Assertions.assertThat;

import io.tarpon.wire.Digests;
import io.tarpon.wire.tar.UstarReader;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/// A folder becomes a version, and a reader gets the folder back: the main job, through every process.
@ExtendWith(SharedCluster.class)
class MainJobIT {
    private static final int CLASSES = 4;
    private static final int PER_CLASS = 300;
    private static final int MEAN_BYTES = 40_000;
    private static final String SHARD = "/d/plain/v1/train/shard-000000.tar";

    @TempDir
    static Path scratch = Path.of("");

    private static Tarpon tarpon = new Tarpon(Path.of(""));
    private static Path plain = Path.of("");

    @BeforeAll
    static void ingest(Tarpon shared) throws IOException {
        tarpon = shared;
        plain = Folders.plain(scratch.resolve("plain"), CLASSES, PER_CLASS, MEAN_BYTES, 42);
        tarpon.run("ingest", plain.toString(), "--dataset", "plain", "--shard-size", "24MiB")
                .succeeded();
    }

    @Test
    void everyServiceRunsInTheFormUnderTest() {
        var processes = tarpon.status().get("processes");
        assertThat(processes).hasSize(8);
        for (var process : processes) {
            var name = process.get("name").asText();
            assertThat(process.get("form").asText()).as(name).isEqualTo(Tarpon.form(name));
        }
    }

    @Test
    void readingEveryShardGivesTheFolderBack() throws IOException {
        var members = new TreeMap<String, String>();
        var urls = new String(tarpon.get("/d/plain/v1/train/urls.txt").body(), java.nio.charset.StandardCharsets.UTF_8);
        for (var url : urls.lines().toList()) {
            var body = tarpon.get(url.substring(tarpon.gateway().length())).body();
            try (var tar = new UstarReader(new ByteArrayInputStream(body))) {
                for (var member = tar.next(); member.isPresent(); member = tar.next()) {
                    members.put(member.get().name(), Digests.sha256Hex(tar.readAll(1 << 26)));
                }
            }
        }
        assertThat(members).isEqualTo(Folders.contents(plain));
    }

    @Test
    void bytesComeFromTheLocalNodeAndFromRemoteOnes() {
        double local = bytesFrom("local");
        double remote = bytesFrom("remote");
        tarpon.run("verify", "plain", "--source").succeeded();
        assertThat(bytesFrom("local")).isGreaterThan(local);
        assertThat(bytesFrom("remote")).isGreaterThan(remote);
    }

    private static double bytesFrom(String place) {
        return tarpon.metric("loader-gateway", "tarpon_gateway_bytes_total", "from=\"" + place + "\"");
    }

    @Test
    void awkwardNamesAreAllAccountedFor() throws IOException {
        var folder = Folders.awkward(Files.createDirectories(scratch.resolve("awkward")), 7);
        var version = tarpon.run("ingest", folder.toString(), "--dataset", "awkward", "--splits", "none", "--json")
                .succeeded()
                .json();
        var inputs = version.get("inputs");
        long leftOut = 0;
        for (var reason : inputs.get("leftOut")) {
            leftOut += reason.asLong();
        }
        assertThat(inputs.get("found").asLong()).isEqualTo(Folders.count(folder));
        assertThat(inputs.get("members").asLong() + leftOut)
                .isEqualTo(inputs.get("found").asLong());
        assertThat(inputs.get("leftOut").fieldNames())
                .toIterable()
                .contains("no-extension", "dot-file", "duplicate-member", "not-a-regular-file", "marker");
        var checked = tarpon.run("verify", "awkward", "--source", "--json")
                .succeeded()
                .json();
        assertThat(checked.get("members").asLong())
                .isEqualTo(inputs.get("members").asLong());
        assertThat(checked.get("bad")).isEmpty();
    }

    @Test
    void aRangeIsTheSliceOfTheWhole() {
        var whole = tarpon.get(SHARD).body();
        for (var range :
                new long[][] {{0, 511}, {511, 512}, {8_000_000, 8_500_000}, {whole.length - 1025, whole.length - 1}}) {
            var answer = tarpon.get(SHARD, "Range", "bytes=" + range[0] + "-" + range[1]);
            assertThat(answer.statusCode()).isEqualTo(206);
            assertThat(answer.body()).isEqualTo(Arrays.copyOfRange(whole, (int) range[0], (int) range[1] + 1));
        }
    }

    @Test
    void headersLetLoadersCacheAndResume() {
        var head = tarpon.head(SHARD);
        assertThat(head.statusCode()).isEqualTo(200);
        assertThat(head.headers().firstValue("Accept-Ranges")).contains("bytes");
        assertThat(head.headers().firstValue("Content-Type")).contains("application/x-tar");
        var etag = head.headers().firstValue("ETag").orElseThrow();
        assertThat(tarpon.get(SHARD, "If-None-Match", etag).statusCode()).isEqualTo(304);
        assertThat(tarpon.get(SHARD, "Range", "bytes=0-9", "If-Range", "\"other\"")
                        .statusCode())
                .isEqualTo(200);
    }

    @Test
    void aMemberByKeyIsItsFile() throws IOException {
        var member = tarpon.get("/d/plain/v1/train/keys/class-2/item-17.bin").body();
        assertThat(member).isEqualTo(Files.readAllBytes(plain.resolve("class-2/item-17.bin")));
        assertThat(tarpon.get("/d/plain/latest/train/samples/0.cls").statusCode())
                .isEqualTo(302);
    }

    @Test
    void whatIsNotThereIsNamed() {
        for (var path : new String[] {
            "/d/nothing/v1/train/shard-000000.tar",
            "/d/plain/v9/train/shard-000000.tar",
            "/d/plain/v1/test/shard-000000.tar",
            "/d/plain/v1/train/shard-000099.tar",
            "/d/plain/v1/train/shard-0.tar",
            "/d/plain/v1/train/samples/99999999",
            "/d/plain/v1/train/keys/nobody.jpg"
        }) {
            var answer = tarpon.get(path);
            assertThat(answer.statusCode()).as(path).isEqualTo(404);
            assertThat(answer.headers().firstValue("Content-Type")).contains("application/problem+json");
        }
    }

    @Test
    void theSameFolderAgainGivesTheSameVersionBack() {
        var again = tarpon.run("ingest", plain.toString(), "--dataset", "plain", "--shard-size", "24MiB", "--json")
                .succeeded()
                .json();
        assertThat(again.get("version").asText()).isEqualTo("v1");
    }

    @Test
    void anEmptyOrMissingFolderIsRefusedByName() throws IOException {
        var empty = Files.createDirectories(scratch.resolve("empty"));
        for (var folder : new Path[] {empty, scratch.resolve("missing")}) {
            var refused = tarpon.run("ingest", folder.toString(), "--dataset", "nothing");
            assertThat(refused.exit()).isEqualTo(1);
            assertThat(refused.err()).contains(folder.getFileName().toString());
        }
    }

    @Test
    void aSecondUpFindsTheFirst() {
        var before = tarpon.pid("loader-gateway");
        tarpon.run("up").succeeded();
        assertThat(tarpon.pid("loader-gateway")).isEqualTo(before);
    }
}
