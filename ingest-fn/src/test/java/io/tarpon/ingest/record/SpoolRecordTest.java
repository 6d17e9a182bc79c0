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
