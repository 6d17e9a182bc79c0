package io.tarpon.shard;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.tarpon.wire.Digests;
import io.tarpon.wire.ShardRef;
import io.tarpon.wire.event.TarponEvent.ShardPlanned;
import io.tarpon.wire.plan.PlannedMember;
import io.tarpon.wire.plan.PlannedSample;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ForkedBuildTest {
    private static final ShardRef REF = Folders.ref(0);
    private static final List<String> SMALL = List.of("-Xmx48m", "-XX:MaxDirectMemorySize=24m", "-XX:+UseSerialGC");

    @TempDir
    Path temp;

    @Test
    void killedInTheMiddleAndBuiltAgainTheBytesAreEqual() throws Exception {
        try (var at = new BuildFixture(temp)) {
            at.someFiles();
            var planned = at.planned();
            at.build.build(planned);
            var undisturbed = at.metadata.sealOf(REF);
            at.metadata.planned(planned);
            at.store.deleteAll(at.tars());

            var process = fork(at, List.of(), 3_000, planned);
            awaitLine(process, "read 40");
            process.destroyForcibly();
            assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
            assertThat(at.metadata.isSealed(REF)).isFalse();
            assertThat(at.tars()).isEmpty();

            assertThat(at.build.build(planned)).isInstanceOf(Outcome.Sealed.class);
            assertThat(at.metadata.sealOf(REF).hasBytesOf(undisturbed)).isTrue();
        }
    }

    @Test
    void aMemberOfManyHeapsIsStreamed() throws Exception {
        try (var at = new BuildFixture(temp)) {
            try (var file = new RandomAccessFile(at.folder.resolve("huge.bin").toFile(), "rw")) {
                file.setLength(300L << 20);
                file.seek(200L << 20);
                file.write("in the middle".getBytes(UTF_8));
            }
            at.someFiles();
            sealsInSmallHeap(at, at.planned());
            assertThat(at.metadata.sealOf(REF).bytes()).isGreaterThan(300L << 20);
        }
    }

    @Test
    void aShardOfManySamplesHoldsItsIndexAndNotItsPlan() throws Exception {
        try (var at = new BuildFixture(temp)) {
            Files.write(at.folder.resolve("empty.bin"), new byte[0]);
            var empty = Folders.samples(at.open("in")).getFirst().members().getFirst();
            var samples = new ArrayList<PlannedSample>();
            for (int i = 0; i < 100_000; i++) {
                var member = new PlannedMember("bin", 0, empty.sourceKey(), empty.etag());
                samples.add(new PlannedSample("some/rather/long/key/of/a/sample/%09d".formatted(i), List.of(member)));
            }
            var planned = Folders.plan(at.store, REF, "in", samples);
            at.metadata.planned(planned);
            sealsInSmallHeap(at, planned);
        }
    }

    private void sealsInSmallHeap(BuildFixture at, ShardPlanned planned) throws Exception {
        var process = fork(at, SMALL, 0, planned);
        var output = new String(process.getInputStream().readAllBytes(), UTF_8);
        assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThat(output).contains("done Sealed");
        try (var tar = at.store.open(at.metadata.record(REF).tarKey(REF), 0, planned.bytes())) {
            var digest = Digests.sha256();
            var chunk = new byte[1 << 16];
            for (int count = tar.read(chunk); count >= 0; count = tar.read(chunk)) {
                digest.update(chunk, 0, count);
            }
            assertThat(HexFormat.of().formatHex(digest.digest()))
                    .isEqualTo(at.metadata.sealOf(REF).sha256());
        }
    }

    private Process fork(BuildFixture at, List<String> flags, long pauseMicros, ShardPlanned planned)
            throws IOException {
        return BuildOnce.fork(flags, at.folder, temp.resolve("store"), at.metadata.url(), planned, pauseMicros);
    }

    private static void awaitLine(Process process, String line) throws IOException {
        var lines = process.inputReader(UTF_8);
        for (var next = lines.readLine(); !line.equals(next); next = lines.readLine()) {
            assertThat(next).as("the process ended before '" + line + "'").isNotNull();
        }
    }
}
