package io.tarpon.cli.verify;

import static org.assertj.core.api.Assertions.assertThat;

import io.tarpon.store.directory.DirectorySource;
import io.tarpon.wire.Digests;
import io.tarpon.wire.ShardName;
import io.tarpon.wire.SplitName;
import io.tarpon.wire.json.Json;
import io.tarpon.wire.plan.PlanHeader;
import io.tarpon.wire.plan.PlanReader;
import io.tarpon.wire.plan.PlanWriter;
import io.tarpon.wire.plan.PlannedMember;
import io.tarpon.wire.plan.PlannedSample;
import io.tarpon.wire.tar.Ustar;
import io.tarpon.wire.tar.UstarHeader;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ShardCheckTest {
    @TempDir
    Path folder = Path.of("");

    private final List<PlannedSample> samples = new ArrayList<>();
    private final Map<String, byte[]> files = new TreeMap<>();
    private byte[] tar = {};
    private byte[] plan = {};

    @BeforeEach
    void makeShard() throws IOException {
        var random = new Random(7);
        for (int number = 0; number < 5; number++) {
            var picture = new byte[number == 3 ? 0 : 70_000 + number];
            random.nextBytes(picture);
            files.put("s" + number + ".jpg", picture);
            files.put("s" + number + ".cls", Integer.toString(number).getBytes(StandardCharsets.US_ASCII));
        }
        for (var file : files.entrySet()) {
            Files.write(folder.resolve(file.getKey()), file.getValue());
        }
        var etags = new TreeMap<String, String>();
        try (var source = new DirectorySource(folder)) {
            source.list(object -> etags.put(object.key(), object.etag()));
        }
        for (int number = 0; number < 5; number++) {
            samples.add(new PlannedSample(
                    "s" + number, List.of(member(number, "cls", etags), member(number, "jpg", etags))));
        }
        plan = plan(samples);
        tar = tar(files);
    }

    private PlannedMember member(int number, String extension, Map<String, String> etags) {
        var key = "s" + number + "." + extension;
        return new PlannedMember(extension, files.get(key).length, key, etags.get(key));
    }

    private static byte[] plan(List<PlannedSample> samples) throws IOException {
        var members =
                samples.stream().mapToLong(sample -> sample.members().size()).sum();
        var bytes = samples.stream().mapToLong(PlannedSample::tarBytes).sum() + Ustar.END_BYTES;
        var out = new ByteArrayOutputStream();
        var writer = new PlanWriter(
                out,
                new PlanHeader("file:///x", new SplitName("train"), new ShardName(0), samples.size(), members, bytes));
        for (var sample : samples) {
            writer.add(sample);
        }
        writer.finish();
        return out.toByteArray();
    }

    /// Files in the order of their names: cls before jpg, as tars have it.
    private static byte[] tar(Map<String, byte[]> files) {
        var out = new ByteArrayOutputStream();
        files.forEach((name, data) -> {
            out.writeBytes(UstarHeader.encode(name.getBytes(StandardCharsets.UTF_8), data.length));
            out.writeBytes(Arrays.copyOf(data, (int) Ustar.paddedLength(data.length)));
        });
        out.writeBytes(Ustar.end());
        return out.toByteArray();
    }

    private static ExpectedShard manifestOf(byte[] tar, long samples) {
        var crc = new CRC32C();
        crc.update(tar);
        return new ExpectedShard(
                "train/shard-000000", samples, tar.length, Digests.sha256Hex(tar), Digests.crc32cHex((int)
                        crc.getValue()));
    }

    private VerifyResult check(ExpectedShard expected, byte[] bytes) throws IOException {
        try (var reader = new PlanReader("plan", new ByteArrayInputStream(plan))) {
            return ShardCheck.againstPlan(expected, new ByteArrayInputStream(bytes), reader);
        }
    }

    private VerifyResult checkWithSource() throws IOException {
        try (var reader = new PlanReader("plan", new ByteArrayInputStream(plan));
                var source = new DirectorySource(folder)) {
            return ShardCheck.againstSource(manifestOf(tar, 5), new ByteArrayInputStream(tar), reader, source);
        }
    }

    @Test
    void aGoodShardIsGoodAndCounted() throws IOException {
        assertThat(check(manifestOf(tar, 5), tar)).isEqualTo(new VerifyResult(1, 5, 10, tar.length, List.of()));
        assertThat(checkWithSource()).isEqualTo(new VerifyResult(1, 5, 10, tar.length, List.of()));
    }

    @Test
    void theResultIsWrittenInTheContractedShape() throws IOException {
        assertThat(Json.text(check(manifestOf(tar, 5), tar)))
                .isEqualTo("{\"shards\":1,\"samples\":5,\"members\":10,\"bytes\":" + tar.length + ",\"bad\":[]}");
    }

    @Test
    void aFlippedBitAnywhereInDataIsFoundByBothDigests() throws IOException {
        var manifest = manifestOf(tar, 5);
        tar[2_000] ^= 4;
        assertThat(check(manifest, tar).bad())
                .hasSize(2)
                .anyMatch(complaint -> complaint.contains("SHA-256"))
                .anyMatch(complaint -> complaint.contains("CRC-32C"))
                .allMatch(complaint -> complaint.startsWith("train/shard-000000 "));
    }

    @Test
    void aByteThatDiffersFromTheSourceIsFoundEvenIfTheManifestAgrees() throws IOException {
        tar[2_000] ^= 4;
        assertThat(checkWithSource().bad()).containsExactly("train/shard-000000 member s0.jpg differs from s0.jpg");
    }

    @Test
    void aSourceThatChangedIsSaidAndTheRestIsCompared() throws IOException {
        Files.writeString(folder.resolve("s1.jpg"), "something else");
        Files.delete(folder.resolve("s4.cls"));
        var result = checkWithSource();
        assertThat(result.members()).isEqualTo(10);
        assertThat(result.bad())
                .hasSize(2)
                .anyMatch(complaint -> complaint.contains("s1.jpg cannot be compared"))
                .anyMatch(complaint -> complaint.contains("s4.cls cannot be compared"));
    }

    @Test
    void aMissingMemberIsNamed() throws IOException {
        files.remove("s2.cls");
        tar = tar(files);
        assertThat(check(manifestOf(tar, 5), tar).bad())
                .singleElement()
                .asString()
                .contains("s2.jpg")
                .contains("where s2.cls of 1 bytes belongs");
    }

    @Test
    void aMissingLastMemberIsNamed() throws IOException {
        files.remove("s4.jpg");
        tar = tar(files);
        assertThat(check(manifestOf(tar, 5), tar).bad())
                .singleElement()
                .asString()
                .contains("ends before member s4.jpg");
    }

    @Test
    void anExtraMemberIsNamed() throws IOException {
        files.put("s9.cls", new byte[1]);
        tar = tar(files);
        assertThat(check(manifestOf(tar, 5), tar).bad())
                .singleElement()
                .asString()
                .contains("has member s9.cls");
    }

    @Test
    void aMemberOfAnotherSizeIsNamed() throws IOException {
        files.put("s1.cls", new byte[2]);
        tar = tar(files);
        assertThat(check(manifestOf(tar, 5), tar).bad())
                .singleElement()
                .asString()
                .contains("s1.cls of 2 bytes")
                .contains("s1.cls of 1 bytes belongs");
    }

    @Test
    void aTarThatIsCutAnywhereIsBad() throws IOException {
        var manifest = manifestOf(tar, 5);
        for (var length : new int[] {0, 100, 512, 1024, 40_000, tar.length - 1024, tar.length - 512, tar.length - 1}) {
            assertThat(check(manifest, Arrays.copyOf(tar, length)).agrees())
                    .as("cut at " + length)
                    .isFalse();
        }
        assertThat(check(manifest, Arrays.copyOf(tar, tar.length + 512)).agrees())
                .isFalse();
    }

    @Test
    void aManifestThatCountsOtherwiseIsBad() throws IOException {
        assertThat(check(manifestOf(tar, 6), tar).bad())
                .singleElement()
                .asString()
                .contains("5 samples")
                .contains("and 6");
        var unsealed = new ExpectedShard("train/shard-000000", 5, tar.length, null, null);
        assertThat(check(unsealed, tar).bad()).hasSize(2);
    }
}
