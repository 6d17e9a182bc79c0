package io.tarpon.wire.plan;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tarpon.wire.ShardName;
import io.tarpon.wire.SplitName;
import io.tarpon.wire.format.CorruptFormatException;
import io.tarpon.wire.format.UnknownFormatException;
import io.tarpon.wire.tar.Ustar;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class PlanTest {
    private static final String FILE = "datasets/demo/v1/plan/train/shard-000003.plan";
    private static final String GOLDEN = "/io/tarpon/wire/plan/shard-000003.plan";

    private static final List<PlannedSample> SAMPLES = List.of(
            new PlannedSample(
                    "a/000001",
                    List.of(
                            new PlannedMember("cls", 0, "train/a/000001.cls", "16f0c-0"),
                            new PlannedMember("jpg", 20_480, "train/a/000001.JPG", "\"d41d8cd9\""))),
            new PlannedSample(
                    "r/caf_-0123456789abcdef",
                    List.of(new PlannedMember(
                            "png", Ustar.MAX_MEMBER_BYTES, "train/caf\u00e9 \ud83d\ude00\n\"\\.png", "x"))));

    @Test
    void planIsTheGoldenFileAndComesBackFromIt() throws IOException {
        byte[] golden = golden();
        assertThat(new String(write(SAMPLES), UTF_8)).isEqualTo(new String(golden, UTF_8));
        assertThat(read(golden)).isEqualTo(SAMPLES);
        try (PlanReader reader = reader(golden)) {
            assertThat(reader.header()).isEqualTo(header(SAMPLES));
        }
    }

    @Test
    void formatOfAnotherBuildIsRefusedWithBothNumbers() {
        byte[] newer = new String(write(SAMPLES), UTF_8)
                .replace("PLAN 1\n", "PLAN 27\n")
                .getBytes(UTF_8);
        assertThatThrownBy(() -> reader(newer))
                .isInstanceOf(UnknownFormatException.class)
                .hasMessageContainingAll(FILE, "format 27", "knows format 1");
    }

    @Test
    void planCutAtAnyByteIsRefused() {
        byte[] plan = write(SAMPLES);
        // Without its last line feed a plan still says all.
        for (int length = 0; length < plan.length - 1; length++) {
            byte[] cut = Arrays.copyOf(plan, length);
            assertThatThrownBy(() -> read(cut)).as("length %d", length).isInstanceOf(CorruptFormatException.class);
        }
    }

    @Test
    void flippedByteGivesAnErrorOrAnotherPlanAndNeverACrash() {
        byte[] plan = write(SAMPLES);
        for (int i = 0; i < plan.length - 1; i++) {
            for (int bit = 0; bit < 8; bit++) {
                byte[] flipped = plan.clone();
                flipped[i] ^= (byte) (1 << bit);
                try {
                    assertThat(read(flipped)).as("byte %d bit %d", i, bit).hasSize(SAMPLES.size());
                } catch (CorruptFormatException | UnknownFormatException e) {
                    assertThat(e).hasMessageContaining(FILE);
                } catch (IOException e) {
                    throw new AssertionError("byte " + i + " bit " + bit, e);
                }
            }
        }
    }

    @Test
    void whatIsNotAPlanIsRefusedByName() {
        for (String text : List.of("", "TPIX", "TARPON-PLAN \n", "TARPON-PLAN x\n", "TARPON-PLAN 1234567890\n{}")) {
            assertThatThrownBy(() -> reader(text.getBytes(UTF_8)))
                    .as(text)
                    .isInstanceOf(CorruptFormatException.class)
                    .hasMessageContaining(FILE);
        }
    }

    @Test
    void sampleTooManyIsRefused() {
        String plan = new String(write(SAMPLES), UTF_8);
        String lastLine = plan.substring(plan.lastIndexOf('\n', plan.length() - 2) + 1);
        assertThatThrownBy(() -> read((plan + lastLine).getBytes(UTF_8))).hasMessageContaining("more than the 2");
    }

    @Test
    void lineThatIsNoSampleIsRefusedWithItsNumber() {
        String plan = new String(write(SAMPLES), UTF_8).replace("\"key\":\"r/", "\"name\":\"r/");
        assertThatThrownBy(() -> read(plan.getBytes(UTF_8))).hasMessageContaining("line 4");
    }

    @Test
    void finishHoldsTheSamplesToTheHeader() throws IOException {
        PlanWriter writer = new PlanWriter(new ByteArrayOutputStream(), header(SAMPLES));
        writer.add(SAMPLES.getFirst());
        assertThatThrownBy(writer::finish)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("1 samples");
    }

    @Test
    void sampleOutOfFormIsRefused() {
        PlannedMember jpg = new PlannedMember("jpg", 1, "s.jpg", "e");
        PlannedMember cls = new PlannedMember("cls", 1, "s.cls", "e");
        assertThatThrownBy(() -> new PlannedSample("s", List.of(jpg, cls))).hasMessageContaining("out of order");
        assertThatThrownBy(() -> new PlannedSample("s", List.of(jpg, jpg))).hasMessageContaining("out of order");
        assertThatThrownBy(() -> new PlannedSample("s", List.of())).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new PlannedSample("a b", List.of(jpg))).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new PlannedSample("k".repeat(97), List.of(jpg)))
                .hasMessageContaining("100 bytes");
        assertThatThrownBy(() -> new PlannedMember("JPG", 1, "s", "e")).hasMessageContaining("JPG");
        assertThatThrownBy(() -> new PlannedMember("jpg", 8L << 30, "s", "e")).hasMessageContaining("tar header");
    }

    private static PlanHeader header(List<PlannedSample> samples) {
        long members = samples.stream().mapToLong(s -> s.members().size()).sum();
        long bytes = samples.stream().mapToLong(PlannedSample::tarBytes).sum() + Ustar.END_BYTES;
        return new PlanHeader(
                "s3://photos/raw", new SplitName("train"), new ShardName(3), samples.size(), members, bytes);
    }

    private static byte[] write(List<PlannedSample> samples) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try {
            PlanWriter writer = new PlanWriter(out, header(samples));
            for (PlannedSample sample : samples) {
                writer.add(sample);
            }
            writer.finish();
        } catch (IOException e) {
            throw new AssertionError(e);
        }
        return out.toByteArray();
    }

    private static List<PlannedSample> read(byte[] plan) throws IOException {
        List<PlannedSample> samples = new ArrayList<>();
        try (PlanReader reader = reader(plan)) {
            for (var next = reader.next(); next.isPresent(); next = reader.next()) {
                samples.add(next.get());
            }
        }
        return samples;
    }

    private static PlanReader reader(byte[] plan) throws IOException {
        return new PlanReader(FILE, new ByteArrayInputStream(plan));
    }

    private static byte[] golden() throws IOException {
        try (var in = PlanTest.class.getResourceAsStream(GOLDEN)) {
            return in.readAllBytes();
        }
    }
}
