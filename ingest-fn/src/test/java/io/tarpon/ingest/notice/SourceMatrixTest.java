package io.tarpon.ingest.notice;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.tarpon.ingest.notice.Notice.Op;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// The source matrix of events.md 1.9: one test a cell.
class SourceMatrixTest {
    private static final String KEY = "ds 1/img 1+2%é.jpg";

    @Test
    void awsKeysAreFormEncodedWithTheirSlashes() {
        var notice = one(Notifications.aws("raw", KEY));
        assertThat(notice.dialect()).isEqualTo(Dialect.AWS);
        assertThat(notice.key()).isEqualTo(KEY);
        assertThat(notice.bucket()).isEqualTo("raw");
        assertThat(notice.etag()).isEqualTo(Notifications.ETAG);
    }

    @Test
    void minioKeysAreFormEncodedWithoutSlashes() {
        var notice = one(Notifications.minio("raw", KEY));
        assertThat(notice.dialect()).isEqualTo(Dialect.MINIO);
        assertThat(notice.key()).isEqualTo(KEY);
    }

    @Test
    void rustfsKeysAreLikeMinios() {
        var notice = one(Notifications.rustfs("raw", KEY));
        assertThat(notice.dialect()).isEqualTo(Dialect.RUSTFS);
        assertThat(notice.key()).isEqualTo(KEY);
    }

    @Test
    void cephKeysAreRaw() {
        var notice = one(Notifications.ceph("raw", KEY));
        assertThat(notice.dialect()).isEqualTo(Dialect.CEPH);
        assertThat(notice.key()).isEqualTo(KEY);
    }

    @Test
    void eventBridgeKeysAreRawUnlessTheSwitchSaysOtherwise() {
        var event = Notifications.bridged("raw", "ds1/img+1%2B2 3.jpg");
        assertThat(one(event).key()).isEqualTo("ds1/img+1%2B2 3.jpg");
        assertThat(one(event).dialect()).isEqualTo(Dialect.EVENT_BRIDGE);
        var encoded = (NoticeReading.Notices) new NoticeReader(true).read(event.getBytes(UTF_8));
        assertThat(encoded.notices().getFirst().key()).isEqualTo("ds1/img 1+2 3.jpg");
    }

    @Test
    void minioNamesThatDoNotAgreeAreNotBelieved() {
        var record = Notifications.record("minio:s3", "2.0", "s3:ObjectCreated:Put", "raw", "a%2Fb", "", "1");
        assertThat(one(Notifications.outer("raw/a/b", record)).key()).isEqualTo("a/b");
        assertThat(flaw(Notifications.outer("raw/other", record)).detail()).contains("two objects");
    }

    @ParameterizedTest
    @CsvSource({
        "0064D3901D00059242, 64D3901D00059242, true",
        "0064D3901D00059242, 64D3901D00059241, false",
        "64D3901D00059241, 0064D3901D00059242, false",
        "0064d3901d, 64D3901D, true",
        "9, 10, false",
        "10, 9, false",
        "xyz, 1, false",
        "1, '', false"
    })
    void awsSequencersAreComparedPadded(String seen, String other, boolean isSame) {
        assertThat(aws(seen).isSameEvent(aws(other))).isEqualTo(isSame);
    }

    @Test
    void eventBridgeSequencersAreComparedPadded() {
        var notice = one(Notifications.bridged("raw", "k"));
        assertThat(notice.dialect().sequencing()).isEqualTo(Sequencing.PADDED_HEX);
        assertThat(notice.sequencer()).isEqualTo("617f08299329d189");
        assertThat(notice.isSameEvent(notice)).isTrue();
    }

    @Test
    void minioAndRustfsSequencersTellNothing() {
        var minio = one(Notifications.minio("raw", "k"));
        assertThat(minio.isSameEvent(minio)).isFalse();
        var rustfs = one(Notifications.rustfs("raw", "k"));
        assertThat(rustfs.isSameEvent(rustfs)).isFalse();
    }

    @ParameterizedTest
    @CsvSource({
        "F7E6D75DC742D108, F7E6D75DC742D108, true", // the same event
        "F7E6D75DC742D108, f7e6d75dc742d108, true",
        "F7E6D75DC742D108, F7E0D75DC742D108, false", // 25 minutes earlier
        "F7E6D75DC742D108, F7E6, false",
        "F7E6, F7E6, false"
    })
    void cephSequencersTellTheSameEvent(String seen, String other, boolean isSame) {
        assertThat(ceph(seen).isSameEvent(ceph(other))).isEqualTo(isSame);
    }

    @Test
    void sequencersOfTwoDialectsAreNotCompared() {
        assertThat(aws("FF").isSameEvent(ceph("F7E6D75DC742D108"))).isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"Put", "Post", "Copy", "CompleteMultipartUpload", "SomethingNew"})
    void everyAwsCreateCounts(String create) {
        assertThat(op("aws:s3", "2.5", "ObjectCreated:" + create)).isEqualTo(Op.CREATED);
    }

    @ParameterizedTest
    @CsvSource({
        "Put, CREATED",
        "Post, CREATED",
        "Copy, CREATED",
        "CompleteMultipartUpload, CREATED",
        "PutRetention, OTHER",
        "PutLegalHold, OTHER",
        "PutTagging, OTHER",
        "DeleteTagging, OTHER"
    })
    void fourOfMiniosAndRustfsCreatesAreCreates(String create, Op op) {
        assertThat(op("minio:s3", "2.0", "s3:ObjectCreated:" + create)).isEqualTo(op);
        assertThat(op("rustfs:s3", "2.0", "s3:ObjectCreated:" + create)).isEqualTo(op);
    }

    @ParameterizedTest
    @CsvSource({"Put, CREATED", "Copy, CREATED", "CompleteMultipartUpload, CREATED", "Post, PERHAPS_CREATED"})
    void cephsPostMayHaveCreatedNothing(String create, Op op) {
        assertThat(op("ceph:s3", "2.1", "ObjectCreated:" + create)).isEqualTo(op);
    }

    @Test
    void objectCreatedIsEventBridgesCreate() {
        var event = Notifications.bridged("raw", "k");
        assertThat(one(event).op()).isEqualTo(Op.CREATED);
        assertThat(one(event.replace("Object Created", "Object Deleted")).op()).isEqualTo(Op.REMOVED);
        assertThat(one(event.replace("Object Created", "Object Tags Added")).op())
                .isEqualTo(Op.OTHER);
    }

    @Test
    void removalsAreRemovals() {
        assertThat(op("aws:s3", "2.5", "ObjectRemoved:DeleteMarkerCreated")).isEqualTo(Op.REMOVED);
        assertThat(op("minio:s3", "2.0", "s3:ObjectRemoved:NoOP")).isEqualTo(Op.REMOVED);
        assertThat(op("ceph:s3", "2.1", "ObjectRemoved:Delete")).isEqualTo(Op.REMOVED);
    }

    @Test
    void aMissingSizeIsZeroForMinioAndUnknownElsewhere() {
        assertThat(sizeOf("minio:s3", "2.0", "s3:ObjectCreated:Put", "")).isZero();
        assertThat(sizeOf("rustfs:s3", "2.0", "s3:ObjectCreated:Put", "")).isNull();
        assertThat(sizeOf("aws:s3", "2.6", "ObjectCreated:Put", "")).isNull();
        assertThat(sizeOf("minio:s3", "2.0", "s3:ObjectRemoved:Delete", "")).isNull();
    }

    @Test
    void cephsSizeMayBeText() {
        assertThat(sizeOf("ceph:s3", "2.1", "ObjectCreated:Put", "\"size\":\"12\","))
                .isEqualTo(12);
        assertThat(sizeOf("ceph:s3", "2.1", "ObjectCreated:Put", "\"size\":12,"))
                .isEqualTo(12);
    }

    @Test
    void awsSendsATestEventFirst() {
        assertThat(read("{\"Service\":\"Amazon S3\",\"Event\":\"s3:TestEvent\",\"Bucket\":\"raw\"}"))
                .isInstanceOf(NoticeReading.Nothing.class);
    }

    @Test
    void anUnknownSourceIsUnknown() {
        var flaws = flaws(
                Notifications.records(Notifications.record("gcs:s3", "2.0", "ObjectCreated:Put", "raw", "k", "", "1")));
        assertThat(flaws).containsExactly(new Flaw(Flaw.Kind.UNKNOWN, "unknown eventSource 'gcs:s3'"));
        assertThat(flaw(Notifications.bridged("raw", "k").replace("aws.s3", "aws.ec2"))
                        .kind())
                .isEqualTo(Flaw.Kind.UNKNOWN);
    }

    @Test
    void everyNoticeHasItsTime() {
        for (var event : List.of(Notifications.aws("b", "k"), Notifications.ceph("b", "k"))) {
            assertThat(one(event).time()).hasToString("2026-05-01T10:00:00.123Z");
        }
        assertThat(one(Notifications.bridged("b", "k")).time()).hasToString("2026-05-01T10:00:00Z");
        assertThat(one(Notifications.aws("b", "k").replace("2026-05-01", "yesterday"))
                        .time())
                .isNull();
    }

    private static Notice aws(String sequencer) {
        return one(Notifications.records(
                Notifications.record("aws:s3", "2.6", "ObjectCreated:Put", "raw", "k", "", sequencer)));
    }

    private static Notice ceph(String sequencer) {
        return one(Notifications.records(
                Notifications.record("ceph:s3", "2.1", "ObjectCreated:Put", "raw", "k", "", sequencer)));
    }

    private static Op op(String source, String version, String name) {
        return one(Notifications.records(Notifications.record(source, version, name, "raw", "k", "", "1")))
                .op();
    }

    private static Long sizeOf(String source, String version, String name, String size) {
        return one(Notifications.records(Notifications.record(source, version, name, "raw", "k", size, "1")))
                .sizeBytes();
    }

    private static Notice one(String event) {
        var notices = (NoticeReading.Notices) read(event);
        assertThat(notices.flaws()).isEmpty();
        assertThat(notices.notices()).hasSize(1);
        return notices.notices().getFirst();
    }

    private static List<Flaw> flaws(String event) {
        return ((NoticeReading.Notices) read(event)).flaws();
    }

    private static Flaw flaw(String event) {
        return switch (read(event)) {
            case NoticeReading.Unreadable(var flaw) -> flaw;
            case NoticeReading.Notices(var _, var flaws) -> flaws.getFirst();
            case NoticeReading.Nothing nothing -> throw new AssertionError(nothing);
            case NoticeReading.CloudEvent event1 -> throw new AssertionError(event1);
        };
    }

    private static NoticeReading read(String event) {
        return new NoticeReader(false).read(event.getBytes(UTF_8));
    }
}
