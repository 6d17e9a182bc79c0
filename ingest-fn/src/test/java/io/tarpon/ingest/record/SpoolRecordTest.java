package io.tarpon.ingest.record;

import static org.assertj.core.api.Assertions.assertThat;

import io.tarpon.store.KeyOrder;
import io.tarpon.store.SourceObject;
import io.tarpon.wire.gateway.ReportLine;
import io.tarpon.wire.key.LeftOutReason;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class SpoolRecordTest {
    private static final String[] PIECES = {
        "a", "b", "A", "/", ".", "\0", "\1", "\2", " ", "é", "\uFFFD", "\uD83D\uDE00", "z"
    };

    @Test
    void whatWasWrittenIsRead() {
        var bytes = new RecordBytes();
        for (var object : List.of(
                SourceObject.file("a/\0\1é \uD83D\uDE00.jpg", Long.MAX_VALUE, "\"etag-\0\""),
                SourceObject.notRegular("pipe"),
                SourceObject.undecodable("caf?"))) {
            ListedRecord.write(bytes, object);
            assertThat(ListedRecord.read(bytes.bytes(), 0, bytes.length())).isEqualTo(object);
        }
        var member = new MemberRecord(200, "a\0/\1b", "jpg", "J\1PG", 1L << 40, "e");
        member.write(bytes);
        assertThat(MemberRecord.read(bytes.bytes(), 0, bytes.length())).isEqualTo(member);
        var sample = new SampleRecord(
                7,
                true,
                -5,
                "k\0",
                true,
                List.of(new SampleRecord.Input("jpg", "JPG", 300, "x"), new SampleRecord.Input("txt", "txt", 0, "y")));
        sample.write(bytes);
        assertThat(SampleRecord.read(bytes.bytes(), 0, bytes.length())).isEqualTo(sample);
        assertThat(sample.tarBytes()).isEqualTo(512 + 512 + 512);
    }

    @Test
    void everyFormOfAnETagIsReadAsItWas() {
        var bytes = new RecordBytes();
        for (var etag : List.of(
                "0", "00", "d41d8cd98f00b204e9800998ecf8427e", "D41D", "d41d-2", "abc", "é", "ff".repeat(500))) {
            var object = SourceObject.file("a.jpg", 1, etag);
            ListedRecord.write(bytes, object);
            assertThat(ListedRecord.read(bytes.bytes(), 0, bytes.length())).isEqualTo(object);
        }
        ListedRecord.write(bytes, SourceObject.file("a.jpg", 1, "d41d8cd98f00b204e9800998ecf8427e"));
        assertThat(bytes.length()).as("an MD5 takes its 16 bytes").isEqualTo(1 + 1 + 1 + 5 + 1 + 16);
    }

    @Test
    void whatGrowthKeepsIsRead() {
        var bytes = new RecordBytes();
        var members = List.of(
                new SampleRecord.Input("jpg", "JPG", 300, "x-1"), new SampleRecord.Input("txt", "txt", 0, "ff"));
        var parent = new ParentRecord(200, "k\0/é", 70_000, Integer.MAX_VALUE, members);
        parent.write(bytes);
        assertThat(ParentRecord.read(bytes.bytes(), 0, bytes.length())).isEqualTo(parent);
        var now = new SampleRecord(3, true, -5, "k", true, members);
        for (var change :
                List.of(new ChangeRecord(3, 70_000, Integer.MAX_VALUE, now), new ChangeRecord(3, 0, 0, null))) {
            change.write(bytes);
            assertThat(ChangeRecord.read(bytes.bytes(), 0, bytes.length())).isEqualTo(change);
        }
    }

    @Test
    void changesSortByTheirPlaces() {
        var places = List.of(
                new ChangeRecord(0, 0, 0, null),
                new ChangeRecord(0, 0, 256, null),
                new ChangeRecord(0, 1, 2, null),
                new ChangeRecord(0, 256, 1, null),
                new ChangeRecord(2, 0, 0, null));
        for (int i = 1; i < places.size(); i++) {
            assertThat(Arrays.compareUnsigned(written(places.get(i - 1)), written(places.get(i))))
                    .isNegative();
        }
    }

    @Test
    void samplesOfTheParentSortAsThoseOfAListingCome() {
        long seed = System.nanoTime();
        System.out.println("SpoolRecordTest seed=" + seed);
        var random = new SplittableRandom(seed);
        for (int i = 0; i < 20_000; i++) {
            var a = member(random);
            var b = member(random);
            var parent = new ParentRecord(a.split(), a.sampleKey(), random.nextInt(1 << 20), 0, List.of());
            var other = new ParentRecord(b.split(), b.sampleKey(), random.nextInt(1 << 20), 0, List.of());
            var sample = new SampleRecord(b.split(), false, 0, b.sampleKey(), false, List.of());
            int expected = parent.compareTo(sample);
            if (expected != 0) {
                assertThat(Integer.signum(Arrays.compareUnsigned(written(parent), written(other))))
                        .isEqualTo(Integer.signum(expected));
            }
        }
    }

    @Test
    void reportLinesAreRead() {
        var bytes = new RecordBytes();
        ReportRecord.leftOut(bytes, "a b", LeftOutReason.MARKER);
        assertThat(ReportRecord.read(bytes.bytes(), 0, bytes.length())).isEqualTo(ReportLine.leftOut("a b", "marker"));
        ReportRecord.renamed(bytes, "a b.jpg", "r/a_b-0.jpg");
        assertThat(ReportRecord.read(bytes.bytes(), 0, bytes.length()))
                .isEqualTo(ReportLine.renamed("a b.jpg", "r/a_b-0.jpg"));
    }

    @Test
    void membersSortBySplitKeyFinalExtensionAndSourceKey() {
        long seed = System.nanoTime();
        System.out.println("SpoolRecordTest seed=" + seed);
        var random = new SplittableRandom(seed);
        for (int i = 0; i < 20_000; i++) {
            var a = member(random);
            var b = member(random);
            int expected = Integer.compare(a.split(), b.split());
            expected = expected != 0 ? expected : KeyOrder.compare(a.sampleKey(), b.sampleKey());
            expected = expected != 0 ? expected : KeyOrder.compare(a.finalExtension(), b.finalExtension());
            expected = expected != 0 ? expected : KeyOrder.compare(a.extension(), b.extension());
            if (expected != 0) {
                assertThat(Integer.signum(compare(a, b))).as("%s and %s", a, b).isEqualTo(Integer.signum(expected));
            }
        }
    }

    private static int compare(MemberRecord a, MemberRecord b) {
        var left = a.write(new RecordBytes());
        var right = b.write(new RecordBytes());
        return Arrays.compareUnsigned(left.bytes(), 0, left.length(), right.bytes(), 0, right.length());
    }

    private static byte[] written(ParentRecord parent) {
        var bytes = parent.write(new RecordBytes());
        return Arrays.copyOf(bytes.bytes(), bytes.length());
    }

    private static byte[] written(ChangeRecord change) {
        var bytes = change.write(new RecordBytes());
        return Arrays.copyOf(bytes.bytes(), bytes.length());
    }

    private static MemberRecord member(SplittableRandom random) {
        return new MemberRecord(
                random.nextInt(2),
                text(random),
                random.nextBoolean() ? "jpg" : "jp",
                text(random),
                random.nextInt(9),
                "e");
    }

    private static String text(SplittableRandom random) {
        var text = new StringBuilder();
        for (int i = random.nextInt(4); i > 0; i--) {
            text.append(PIECES[random.nextInt(PIECES.length)]);
        }
        return text.toString();
    }
}
