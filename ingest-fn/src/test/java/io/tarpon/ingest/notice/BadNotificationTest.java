package io.tarpon.ingest.notice;

import static java.nio.charset.StandardCharsets.UTF_16;
import static java.nio.charset.StandardCharsets.UTF_16LE;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.tarpon.wire.json.Json;
import java.lang.management.ManagementFactory;
import java.util.Arrays;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Bad inputs B1 to B6 of reliability.md, as far as reading goes.
class BadNotificationTest {
    private static final String GOOD = Notifications.aws("raw", "ds1/_SUCCESS");

    @Test
    void b1ATruncatedEventIsBrokenWhereverItEnds() {
        var bytes = GOOD.getBytes(UTF_8);
        for (int length = 1; length < bytes.length; length++) {
            assertThat(read(Arrays.copyOf(bytes, length))).isInstanceOf(NoticeReading.Unreadable.class);
        }
    }

    @Test
    void b1AnEventOfTenMegabytesIsRefusedWithoutBeingRead() {
        var bytes = new byte[10 << 20];
        Arrays.fill(bytes, (byte) '[');
        long before = allocated();
        assertThat(broken(bytes)).contains("10485760 bytes");
        assertThat(allocated() - before).isLessThan(1 << 20);
    }

    @Test
    void b1AnEventTenThousandDeepIsRefusedInLittleMemory() {
        var event = "{\"Records\":" + "[".repeat(10_000) + "]".repeat(10_000) + "}";
        long before = allocated();
        assertThat(broken(event.getBytes(UTF_8))).contains("depth").contains("32");
        assertThat(allocated() - before).isLessThan(4 << 20);
    }

    @Test
    void b1AMegabyteOfNothingCostsSomeMegabytes() {
        var event = "{\"Records\":[" + "{},".repeat(340_000) + "{}]}";
        long before = allocated();
        var read = (NoticeReading.Notices) read(event.getBytes(UTF_8));
        assertThat(read.notices()).isEmpty();
        assertThat(read.flaws()).hasSize(NoticeReading.Notices.MAX_FLAWS);
        assertThat(allocated() - before).isLessThan(256L << 20);
    }

    @Test
    void b1DuplicateKeysAreBroken() {
        assertThat(broken(GOOD.replace("\"awsRegion\":\"\"", "\"eventSource\":\"ceph:s3\"")
                        .getBytes(UTF_8)))
                .contains("Duplicate");
        assertThat(broken((GOOD.substring(0, GOOD.length() - 1) + ",\"Records\":[]}").getBytes(UTF_8)))
                .contains("Duplicate");
    }

    @Test
    void b1AByteOrderMarkIsNoJson() {
        assertThat(read(("\ufeff" + GOOD).getBytes(UTF_8)))
                .isInstanceOfSatisfying(
                        NoticeReading.Unreadable.class,
                        unreadable -> assertThat(unreadable.flaw().detail()).contains("not JSON"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"NaN", "Infinity", "-Infinity", "01", "+1", "0x1", "'1'"})
    void b1WhatJsonDoesNotKnowIsBroken(String value) {
        assertThat(broken(GOOD.replace("\"size\":0", "\"size\":" + value).getBytes(UTF_8)))
                .contains("not JSON");
    }

    @Test
    void b1Utf16IsNotRead() {
        assertThat(read(GOOD.getBytes(UTF_16))).isInstanceOf(NoticeReading.Unreadable.class);
        assertThat(read(GOOD.getBytes(UTF_16LE))).isInstanceOf(NoticeReading.Unreadable.class);
    }

    @Test
    void b2WithoutRecordsThereIsNothingToDo() {
        assertThat(read("{\"EventName\":\"s3:ObjectCreated:Put\",\"Key\":\"raw/k\"}".getBytes(UTF_8)))
                .isInstanceOf(NoticeReading.Nothing.class);
        assertThat(read("{\"Records\":[]}".getBytes(UTF_8))).isEqualTo(empty());
        assertThat(read("{\"Records\":null}".getBytes(UTF_8))).isEqualTo(empty());
    }

    @Test
    void b2FiveThousandRecordsAreAllRead() {
        var records = IntStream.range(0, 5_000)
                .mapToObj(i ->
                        "{\"eventVersion\":\"2.1\",\"eventSource\":\"ceph:s3\",\"eventName\":\"ObjectCreated:Put\","
                                + "\"s3\":{\"bucket\":{\"name\":\"raw\"},\"object\":{\"key\":\"k" + i + "\"}}}")
                .collect(Collectors.joining(","));
        var read = (NoticeReading.Notices) read(("{\"Records\":[" + records + "]}").getBytes(UTF_8));
        assertThat(read.notices()).hasSize(5_000);
        assertThat(read.notices().getLast().key()).isEqualTo("k4999");
    }

    @Test
    void b2OneBrokenRecordDoesNotHideTheOthers() {
        var broken = Notifications.record("aws:s3", "2.6", "ObjectCreated:Put", "raw", "%zz", "", "1");
        var good = Notifications.record("aws:s3", "2.6", "ObjectCreated:Put", "raw", "good", "", "1");
        var read =
                (NoticeReading.Notices) read(Notifications.records(broken, good).getBytes(UTF_8));
        assertThat(read.notices()).extracting(Notice::key).containsExactly("good");
        assertThat(read.flaws()).hasSize(1);
    }

    @ParameterizedTest
    @CsvSource({"+, ' '", "a%2Fb, a/b", "%252F, %2F", "a%2Bb, a+b", "é, é", "%C3%A9, é", "😀+%F0%9F%98%80, 😀 😀"})
    void b3EncodedKeysAreDecodedOnce(String coded, String key) {
        assertThat(keyOf("aws:s3", "2.6", coded)).isEqualTo(key);
    }

    @ParameterizedTest
    @ValueSource(strings = {"%", "%zz", "%2", "a%", "%C3", "%FF", "%ED%A0%80", "%٣٣"})
    void b3WhatCannotBeDecodedIsBroken(String coded) {
        assertThat(flawOf("aws:s3", "2.6", coded)).isEqualTo(Flaw.Kind.BROKEN);
        assertThat(flawOf("minio:s3", "2.0", coded)).isEqualTo(Flaw.Kind.BROKEN);
    }

    @ParameterizedTest
    @ValueSource(strings = {"%", "%zz", "%2", "+", "a%2Fb", "%252F"})
    void b3RawKeysAreTakenAsTheyAre(String key) {
        assertThat(keyOf("ceph:s3", "2.1", key)).isEqualTo(key);
    }

    @ParameterizedTest
    @ValueSource(strings = {"../x", "/abs", "a//b", "a\\b", "a\nb", "a\u202eb", "."})
    void b4KeysAreDataAndNeverPaths(String key) {
        assertThat(keyOf("ceph:s3", "2.1", key)).isEqualTo(key);
    }

    @Test
    void b4KeysThatNoStoreCanHoldAreBroken() {
        for (var key : new String[] {"", "a\0b", "x".repeat(1_025), "é".repeat(513), "a/".repeat(513)}) {
            assertThat(flawOf("ceph:s3", "2.1", key)).isEqualTo(Flaw.Kind.BROKEN);
        }
        var surrogate = Notifications.ceph("raw", "KEY").replace("KEY", "\\ud800");
        assertThat(((NoticeReading.Notices) read(surrogate.getBytes(UTF_8))).flaws())
                .hasSize(1);
        assertThat(keyOf("ceph:s3", "2.1", "x".repeat(1_024))).hasSize(1_024);
        assertThat(keyOf("ceph:s3", "2.1", "a/".repeat(300))).hasSize(600);
    }

    @ParameterizedTest
    @CsvSource({"12, 12", "'\"12\"', 12", "9223372036854775807, 9223372036854775807", "null, "})
    void b5SizesThatAreWholeNumbersAreTaken(String size, Long bytes) {
        assertThat(sized(size).notices().getFirst().sizeBytes()).isEqualTo(bytes);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "-1",
                "9223372036854775808",
                "\"9223372036854775808\"",
                "1.5",
                "1e3",
                "\"-1\"",
                "\"\"",
                "\"twelve\"",
                "true",
                "{}",
                "[]"
            })
    void b5OtherSizesAreBroken(String size) {
        assertThat(sized(size).notices()).isEmpty();
        assertThat(sized(size).flaws()).extracting(Flaw::kind).containsExactly(Flaw.Kind.BROKEN);
    }

    @Test
    void b6AnUnknownNameIsNotACreate() {
        var read = (NoticeReading.Notices) read(Notifications.records(
                        Notifications.record("minio:s3", "2.0", "s3:ObjectCreated:Conjured", "raw", "k", "", "1"))
                .getBytes(UTF_8));
        assertThat(read.notices()).extracting(Notice::op).containsExactly(Notice.Op.OTHER);
    }

    @ParameterizedTest
    @ValueSource(strings = {"3.0", "1.9", "", "2", "2.x", "two", "22.0"})
    void b6AnotherMajorVersionIsBroken(String version) {
        assertThat(flawOf("aws:s3", version, "k")).isEqualTo(Flaw.Kind.BROKEN);
    }

    @ParameterizedTest
    @ValueSource(strings = {"2.0", "2.1", "2.4", "2.6", "2.99"})
    void b6AnyMinorVersionIsTaken(String version) {
        assertThat(keyOf("aws:s3", version, "k")).isEqualTo("k");
    }

    @Test
    void b6AnotherMajorVersionOfEventBridgeIsBroken() {
        assertThat(broken(Notifications.bridged("raw", "k")
                        .replace("\"1.0\"", "\"2.0\"")
                        .getBytes(UTF_8)))
                .contains("event-version '2.0'");
    }

    @Test
    void fieldsOfTheWrongTypeAreNamed() {
        assertThat(((NoticeReading.Notices)
                                read(GOOD.replace("\"ds1/_SUCCESS\"", "7").getBytes(UTF_8)))
                        .flaws())
                .extracting(Flaw::detail)
                .containsExactly("key is not text");
        assertThat(broken("{\"Records\":{}}".getBytes(UTF_8))).contains("Records");
        assertThat(((NoticeReading.Notices) read("{\"Records\":[1,null,\"x\"]}".getBytes(UTF_8))).flaws())
                .hasSize(3);
    }

    @ParameterizedTest
    @ValueSource(strings = {"{}", "[]", "1", "null", "true", "{\"a\":1}", " ", "", "\1\2", "text"})
    void whatIsNothingKnownIsUnknown(String event) {
        assertThat(read(event.getBytes(UTF_8)))
                .isInstanceOfSatisfying(
                        NoticeReading.Unreadable.class,
                        unreadable -> assertThat(unreadable.flaw().kind()).isEqualTo(Flaw.Kind.UNKNOWN));
    }

    private static String keyOf(String source, String version, String coded) {
        var read = (NoticeReading.Notices) read(record(source, version, coded));
        assertThat(read.flaws()).isEmpty();
        return read.notices().getFirst().key();
    }

    private static Flaw.Kind flawOf(String source, String version, String coded) {
        var read = (NoticeReading.Notices) read(record(source, version, coded));
        assertThat(read.notices()).isEmpty();
        return read.flaws().getFirst().kind();
    }

    private static byte[] record(String source, String version, String coded) {
        return Notifications.records(Notifications.record(source, version, "ObjectCreated:Put", "raw", "KEY", "", "1"))
                .replace("\"KEY\"", Json.text(coded))
                .getBytes(UTF_8);
    }

    private static NoticeReading.Notices sized(String size) {
        return (NoticeReading.Notices) read(Notifications.records(Notifications.record(
                        "ceph:s3", "2.1", "ObjectCreated:Put", "raw", "k", "\"size\":" + size + ",", "1"))
                .getBytes(UTF_8));
    }

    private static NoticeReading empty() {
        return new NoticeReading.Notices(java.util.List.of(), java.util.List.of());
    }

    private static String broken(byte[] event) {
        var unreadable = (NoticeReading.Unreadable) read(event);
        assertThat(unreadable.flaw().kind()).isEqualTo(Flaw.Kind.BROKEN);
        return unreadable.flaw().detail();
    }

    private static NoticeReading read(byte[] event) {
        return new NoticeReader(false).read(event);
    }

    /// Bytes of heap that this thread has asked for so far.
    private static long allocated() {
        return ((ThreadMXBean) ManagementFactory.getThreadMXBean()).getCurrentThreadAllocatedBytes();
    }
}
