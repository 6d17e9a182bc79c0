package io.tarpon.metadata.entry;

import static io.tarpon.metadata.Fixtures.DEMO;
import static io.tarpon.metadata.Fixtures.SPEC;
import static io.tarpon.metadata.Fixtures.TRAIN;
import static io.tarpon.metadata.Fixtures.V1;
import static io.tarpon.metadata.Fixtures.keeping;
import static io.tarpon.metadata.Fixtures.named;
import static io.tarpon.metadata.Fixtures.node;
import static io.tarpon.metadata.Fixtures.plan;
import static io.tarpon.metadata.Fixtures.ref;
import static io.tarpon.metadata.Fixtures.seal;
import static io.tarpon.metadata.Fixtures.sha;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tarpon.wire.VersionId;
import io.tarpon.wire.format.CorruptFormatException;
import io.tarpon.wire.format.UnknownFormatException;
import java.io.IOException;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class EntryFormatTest {
    /// Every kind of record and of guard that there was when entries had format 1.
    private static final Entry OF_FORMAT_1 = new Entry(
            "golden",
            Instant.parse("2026-01-02T03:04:05.678Z"),
            "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01",
            new TreeMap<>(Map.of(
                    new Entity.Specification(DEMO).toString(), 1L,
                    new Entity.Numbers(DEMO).toString(), 2L,
                    new Entity.SealedVersions(DEMO).toString(), 3L,
                    new Entity.Request("s3://bucket/a#1").toString(), 0L,
                    new Entity.Life(DEMO, V1).toString(), 4L,
                    new Entity.Shard(ref(V1, TRAIN, 0)).toString(), 5L,
                    new Entity.Node("node-1").toString(), 6L)),
            List.of(
                    new Change.DatasetRegistered(DEMO, SPEC),
                    new Change.VersionBegun(DEMO, V1, "s3://bucket/a#1", SPEC, null),
                    new Change.InputsCounted(
                            DEMO,
                            V1,
                            plan("p", 1, 1).planDigest(),
                            plan("p", 1, 1).inputs()),
                    new Change.VersionPlanned(DEMO, V1, plan("p", 1, 1).splits()),
                    Change.ShardSealed.of(ref(V1, TRAIN, 0), seal(0, "a")),
                    new Change.VersionFailed(DEMO, V1, "x.jpg vanished"),
                    new Change.VersionRemoved(DEMO, new VersionId(2), "same plan as v1", V1),
                    new Change.VersionRemoved(DEMO, new VersionId(3), "removed", null),
                    new Change.NodeJoined("node-1", node(1), null),
                    new Change.NodeLeft("node-1")));

    /// What format 2 added.
    private static final Entry OF_FORMAT_2 = new Entry(
            "golden",
            OF_FORMAT_1.at(),
            OF_FORMAT_1.traceparent(),
            OF_FORMAT_1.guards(),
            Stream.concat(
                            OF_FORMAT_1.records().stream(),
                            Stream.of(
                                    new Change.VersionBegun(DEMO, new VersionId(4), "grown", SPEC, V1),
                                    new Change.VersionPlanned(
                                            DEMO,
                                            new VersionId(4),
                                            keeping(plan("p", 1, 1)).splits()),
                                    new Change.VersionRetried(DEMO, new VersionId(4), V1),
                                    new Change.VersionRetried(DEMO, new VersionId(4), null),
                                    new Change.VersionCollected(DEMO, new VersionId(3)),
                                    new Change.DatasetRemoved(DEMO)))
                    .toList());

    /// What format 3 added.
    private static final Entry OF_FORMAT_3 = new Entry(
            "golden",
            OF_FORMAT_2.at(),
            OF_FORMAT_2.traceparent(),
            OF_FORMAT_2.guards(),
            Stream.concat(
                            OF_FORMAT_2.records().stream(),
                            Stream.of(
                                    new Change.NodeJoined("node-2", node(2), "process-1"),
                                    new Change.VersionForgotten(DEMO, new VersionId(2)),
                                    new Change.NodeForgotten("node-1")))
                    .toList());

    /// What format 4 added.
    private static final Entry EVERYTHING = new Entry(
            "golden",
            OF_FORMAT_3.at(),
            OF_FORMAT_3.traceparent(),
            OF_FORMAT_3.guards(),
            Stream.concat(
                            OF_FORMAT_3.records().stream(),
                            Stream.of(
                                    new Change.VersionPlanned(
                                            DEMO,
                                            new VersionId(5),
                                            named(plan("p", 1, 1)).splits()),
                                    Change.ShardSealed.of(
                                            ref(new VersionId(5), TRAIN, 0),
                                            seal(0, "a").by("0123456789abcdef"))))
                    .toList());

    private static final PlanPages PAGES = new PlanPages(sha("pages"), 2);

    /// What format 5 added.
    private static final Entry OF_FORMAT_5 = new Entry(
            "golden",
            EVERYTHING.at(),
            EVERYTHING.traceparent(),
            with(new Entity.Pages(DEMO, V1), with(new Entity.Log(), EVERYTHING.guards())),
            Stream.concat(
                            EVERYTHING.records().stream(),
                            Stream.of(
                                    new Change.PlanPaged(DEMO, new VersionId(6), PAGES, 2, List.of(part())),
                                    new Change.VersionPlanned(DEMO, new VersionId(6), List.of(), PAGES),
                                    new Change.LogBegun("00112233445566778899aabbccddeeff"),
                                    new Change.LevelRaised(6)))
                    .toList(),
            "0123456789abcdef0123456789abcdef");

    private static PlannedPart part() {
        return new PlannedPart(
                TRAIN, named(plan("p", 3, 0)).splits().getFirst().shards().subList(1, 3));
    }

    private static SortedMap<String, Long> with(Entity entity, SortedMap<String, Long> guards) {
        var more = new TreeMap<>(guards);
        more.put(entity.toString(), 7L);
        return more;
    }

    @Test
    void theGoldenFilesStayAsTheyAre() throws IOException {
        assertThat(Base64.getMimeEncoder().encodeToString(EntryFormat.encode(EVERYTHING)))
                .as("nothing of format 5 is needed")
                .isEqualToNormalizingNewlines(Base64.getMimeEncoder().encodeToString(golden(4)));
        assertThat(Base64.getMimeEncoder().encodeToString(EntryFormat.encode(OF_FORMAT_5)))
                .isEqualToNormalizingNewlines(Base64.getMimeEncoder().encodeToString(golden(5)));
    }

    @Test
    void yesterdaysBytesStillDecode() throws IOException {
        assertThat(EntryFormat.decode("golden", golden(1))).isEqualTo(OF_FORMAT_1);
        assertThat(EntryFormat.decode("golden", golden(2))).isEqualTo(OF_FORMAT_2);
        assertThat(EntryFormat.decode("golden", golden(3))).isEqualTo(OF_FORMAT_3);
        assertThat(EntryFormat.decode("golden", golden(4))).isEqualTo(EVERYTHING);
        assertThat(EntryFormat.decode("golden", golden(5))).isEqualTo(OF_FORMAT_5);
    }

    @Test
    void anUnknownFormatIsNamedWithBothNumbers() {
        var bytes = EntryFormat.encode(EVERYTHING);
        bytes[5] = 7;
        assertThatThrownBy(() -> EntryFormat.decode("log entry 12", bytes))
                .isInstanceOf(UnknownFormatException.class)
                .hasMessageContaining("log entry 12")
                .hasMessageContaining("format 7")
                .hasMessageContaining("format 5");
    }

    @Test
    void anyFlippedByteIsFound() {
        var bytes = EntryFormat.encode(EVERYTHING);
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] ^= 0x20;
            var position = i;
            assertThatThrownBy(() -> EntryFormat.decode("log entry 12", bytes))
                    .as("byte %d", position)
                    .isInstanceOfAny(CorruptFormatException.class, UnknownFormatException.class)
                    .hasMessageContaining("log entry 12");
            bytes[i] ^= 0x20;
        }
    }

    @Test
    void anyCutIsFound() {
        var bytes = EntryFormat.encode(EVERYTHING);
        for (int length = 0; length < bytes.length; length += 97) {
            var cut = java.util.Arrays.copyOf(bytes, length);
            assertThatThrownBy(() -> EntryFormat.decode("log entry 12", cut))
                    .isInstanceOf(CorruptFormatException.class);
        }
    }

    @Test
    void entitiesReadWhatTheyWrite() {
        assertThat(OF_FORMAT_5.guards().keySet())
                .allSatisfy(text -> assertThat(Entity.parse(text)).hasToString(text));
        assertThatThrownBy(() -> Entity.parse("planet/mars")).hasMessageContaining("planet/mars");
    }

    @Test
    void anEntryOfAnEarlierFormatMustNotSayWhatALaterOneSays() {
        var bytes = EntryFormat.encode(EVERYTHING);
        bytes[5] = 1;
        assertThatThrownBy(() -> EntryFormat.decode("log entry 12", bytes))
                .isInstanceOf(CorruptFormatException.class)
                .hasMessageContaining("there is no parent in format 1");
        bytes[5] = 2;
        assertThatThrownBy(() -> EntryFormat.decode("log entry 12", bytes))
                .isInstanceOf(CorruptFormatException.class)
                .hasMessageContaining("there is no incarnation in format 2");
        bytes[5] = 3;
        assertThatThrownBy(() -> EntryFormat.decode("log entry 12", bytes))
                .isInstanceOf(CorruptFormatException.class)
                .hasMessageContaining("there is no planName in format 3");
    }

    @Test
    void sealOfFormat3MustNotNameAnAttempt() {
        var entry = new Entry(
                "golden",
                EVERYTHING.at(),
                null,
                EVERYTHING.guards(),
                List.of(Change.ShardSealed.of(ref(V1, TRAIN, 0), seal(0, "a").by("0123456789abcdef"))));
        var bytes = EntryFormat.encode(entry);
        bytes[5] = 3;
        assertThatThrownBy(() -> EntryFormat.decode("log entry 12", bytes))
                .isInstanceOf(CorruptFormatException.class)
                .hasMessageContaining("there is no attempt in format 3");
    }

    /// To a log without an id an older replica may listen.
    @Test
    void onlyWhatNeedsTheNewestFormatIsWrittenInIt() {
        assertThat(EntryFormat.encode(EVERYTHING)[5]).isEqualTo((byte) 4);
        assertThat(
                        EntryFormat.encode(new Entry(
                                "golden",
                                EVERYTHING.at(),
                                null,
                                EVERYTHING.guards(),
                                EVERYTHING.records(),
                                "0123456789abcdef0123456789abcdef"))[5])
                .isEqualTo((byte) 5);
        for (var later : List.of(
                new Change.LogBegun("0123456789abcdef0123456789abcdef"),
                new Change.LevelRaised(5),
                new Change.PlanPaged(DEMO, V1, PAGES, 1, List.of(part())),
                new Change.VersionPlanned(DEMO, V1, List.of(), PAGES))) {
            assertThat(
                            EntryFormat.encode(
                                    new Entry("k", EVERYTHING.at(), null, EVERYTHING.guards(), List.of(later)))[5])
                    .as("%s", later)
                    .isEqualTo((byte) 5);
        }
    }

    @Test
    void anIdOfALogIs128Bits() {
        assertThatThrownBy(() -> new Change.LogBegun("0123")).hasMessageContaining("32 hex digits");
    }

    @Test
    void entryOfFormat4MustNotHavePages() {
        var bytes = EntryFormat.encode(OF_FORMAT_5);
        bytes[5] = 4;
        assertThatThrownBy(() -> EntryFormat.decode("log entry 12", bytes))
                .isInstanceOf(CorruptFormatException.class)
                .hasMessageContaining("there is no pages in format 4");
    }

    private static byte[] golden(int format) throws IOException {
        try (var in =
                Objects.requireNonNull(EntryFormatTest.class.getResourceAsStream("/golden/entry-" + format + ".bin"))) {
            return in.readAllBytes();
        }
    }
}
