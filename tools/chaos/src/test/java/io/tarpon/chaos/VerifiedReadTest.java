package io.tarpon.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import io.tarpon.chaos.client.RangeReads;
import io.tarpon.chaos.disk.KnownShards;
import io.tarpon.testkit.FakeService;
import io.tarpon.wire.Digests;
import io.tarpon.wire.http.Problem;
import io.tarpon.wire.http.ProblemType;
import io.tarpon.wire.json.Json;
import io.tarpon.wire.tar.UstarHeader;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class VerifiedReadTest {
    private static final byte[] CONTENT = "the content of a member".getBytes(StandardCharsets.UTF_8);
    private static final byte[] TAR = tar("a/x.bin");
    private static final String PATH = "/d/demo/v1/train/shard-000000.tar";

    private final FakeService service;
    private final RangeReads reads = new RangeReads();
    private final ReadCounts counts = new ReadCounts();
    private final Findings findings = new Findings();
    private final VerifiedRead read;
    private final AtomicBoolean removed = new AtomicBoolean();

    VerifiedReadTest(@TempDir Path scratch) throws IOException {
        service = new FakeService();
        read = new VerifiedRead(reads, new KnownShards(scratch.resolve("known")), counts, findings);
    }

    @AfterEach
    void close() {
        reads.close();
        service.close();
    }

    private static byte[] tar(String... names) {
        var tar = new ByteArrayOutputStream();
        for (var name : names) {
            tar.writeBytes(new UstarHeader(name, CONTENT.length).encode());
            tar.writeBytes(Arrays.copyOf(CONTENT, 512));
        }
        tar.writeBytes(new byte[1024]);
        return tar.toByteArray();
    }

    private SealedVersion.Shard shard() {
        return new SealedVersion.Shard(
                "train", "shard-000000", service.url() + PATH, TAR.length, Digests.sha256Hex(TAR));
    }

    private SealedVersion version(byte[] content) {
        return new SealedVersion(
                "demo", "v1", List.of(shard()), Map.of("a/x.bin", Digests.sha256Hex(content)), removed);
    }

    /// The asked-for range of `bytes`, of which only `sent` come.
    private static FakeService.Answer bytes(byte[] bytes, int sent) {
        return exchange -> {
            var range = exchange.getRequestHeaders().getFirst("Range");
            var from = range == null ? 0 : Integer.parseInt(range.replaceAll("bytes=(\\d+)-.*", "$1"));
            var to = range == null ? bytes.length : Integer.parseInt(range.replaceAll(".*-(\\d+)", "$1")) + 1;
            exchange.sendResponseHeaders(range == null ? 200 : 206, to - from);
            exchange.getResponseBody().write(bytes, from, Math.min(sent, to - from));
            cutWhereShort(exchange, sent < to - from);
        };
    }

    private static void cutWhereShort(HttpExchange exchange, boolean isShort) throws IOException {
        exchange.getResponseBody().flush();
        if (isShort) {
            throw new IOException("cut on purpose");
        }
    }

    @Test
    void aWholeShardIsComparedWithItsManifestAndItsSource() throws InterruptedException {
        service.on(PATH, bytes(TAR, TAR.length));
        assertThat(read.whole(version(CONTENT), shard())).contains(Map.of("a/x.bin", Digests.sha256Hex(CONTENT)));
        assertThat(counts.seen().whole()).isEqualTo(1);
        assertThat(read.knows(shard())).isTrue();
        read.part(version(CONTENT), shard(), 512, 100);
        assertThat(counts.seen().ranges()).isEqualTo(1);
        assertThat(findings.all()).isEmpty();
    }

    @Test
    void aBrokenConnectionIsResumedWhereItBroke() throws InterruptedException {
        service.on(PATH, problem(ProblemType.STORAGE_UNAVAILABLE, "later"), bytes(TAR, 700), bytes(TAR, TAR.length));
        assertThat(read.whole(version(CONTENT), shard())).isPresent();
        var seen = counts.seen();
        assertThat(seen.unavailable()).isEqualTo(1);
        assertThat(seen.broken()).isEqualTo(1);
        assertThat(seen.resumed()).isEqualTo(1);
        assertThat(seen.whole()).isZero();
        assertThat(seen.bytes()).isEqualTo(TAR.length);
        assertThat(findings.all()).isEmpty();
    }

    @Test
    void oneOtherByteIsFound() throws InterruptedException {
        var other = TAR.clone();
        other[600] ^= 1;
        service.on(PATH, bytes(other, other.length));
        assertThat(read.whole(version(CONTENT), shard())).isEmpty();
        assertThat(counts.seen().wrongBytes()).isEqualTo(1);
        assertThat(findings.all()).singleElement().asString().contains("SHA-256");
    }

    @Test
    void oneOtherByteInAPartIsFound() throws InterruptedException {
        service.on(PATH, bytes(TAR, TAR.length));
        read.whole(version(CONTENT), shard());
        var other = TAR.clone();
        other[600] ^= 1;
        service.on(PATH, bytes(other, other.length));
        read.part(version(CONTENT), shard(), 590, 20);
        assertThat(counts.seen().wrongBytes()).isEqualTo(1);
    }

    @Test
    void aMemberThatItsSourceNeverHeldIsFound() throws InterruptedException {
        service.on(PATH, bytes(TAR, TAR.length));
        assertThat(read.whole(version(new byte[3]), shard())).isEmpty();
        assertThat(findings.all()).singleElement().asString().contains("a/x.bin");
    }

    @Test
    void aMemberThatStandsTwiceInAShardIsFound() throws InterruptedException {
        var twice = tar("a/x.bin", "a/x.bin");
        service.on(PATH, bytes(twice, twice.length));
        var shard = new SealedVersion.Shard(
                "train", "shard-000000", service.url() + PATH, twice.length, Digests.sha256Hex(twice));
        assertThat(read.whole(version(CONTENT), shard)).isEmpty();
        assertThat(counts.seen().wrongBytes()).isEqualTo(1);
        assertThat(findings.all()).singleElement().asString().contains("a/x.bin twice");
    }

    @Test
    void aVersionThatHoldsEachFileOnceIsRight() throws InterruptedException {
        read.everything(versionOf(tar("a/x.bin"), tar("a/y.bin")));
        assertThat(findings.all()).isEmpty();
        assertThat(counts.seen().whole()).isEqualTo(2);
    }

    @Test
    void aMemberThatStandsInTwoShardsIsFound() throws InterruptedException {
        read.everything(versionOf(tar("a/x.bin"), tar("a/y.bin", "a/x.bin")));
        assertThat(findings.all())
                .singleElement()
                .asString()
                .contains("3 members")
                .contains("2 files");
    }

    @Test
    void aMemberThatStandsInNoShardIsFound() throws InterruptedException {
        read.everything(versionOf(tar("a/x.bin")));
        assertThat(findings.all()).singleElement().asString().contains("1 missing, such as a/y.bin");
    }

    /// Of a source that held `a/x.bin` and `a/y.bin`.
    private SealedVersion versionOf(byte[]... tars) {
        var shards = new ArrayList<SealedVersion.Shard>();
        for (var tar : tars) {
            var path = "/" + shards.size() + ".tar";
            service.on(path, bytes(tar, tar.length));
            shards.add(new SealedVersion.Shard(
                    "train", "shard-00000" + shards.size(), service.url() + path, tar.length, Digests.sha256Hex(tar)));
        }
        var digest = Digests.sha256Hex(CONTENT);
        return new SealedVersion("demo", "v1", shards, Map.of("a/x.bin", digest, "a/y.bin", digest), removed);
    }

    @Test
    void aRemovedVersionMayBeGoneAndASealedOneMayNot() throws InterruptedException {
        service.on(PATH, problem(ProblemType.VERSION_REMOVED, "gone"));
        removed.set(true);
        read.whole(version(CONTENT), shard());
        assertThat(findings.all()).isEmpty();
        assertThat(counts.seen().gone()).isEqualTo(1);
        removed.set(false);
        read.whole(version(CONTENT), shard());
        assertThat(findings.all()).singleElement().asString().contains("410");
    }

    private static FakeService.Answer problem(ProblemType type, String detail) {
        return FakeService.bytes(type.status(), Json.bytes(Problem.of(type, detail)));
    }
}
