package io.tarpon.store;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// What every [ObjectStore] does. An adapter's test opens one that is empty.
public abstract class ObjectStoreContract {
    private static final String KEY = "datasets/demo/v1/train/shard-000000.tar";

    protected abstract ObjectStore store();

    /// Keys out of the ordinary that the server behind the adapter can keep.
    protected List<String> awkwardKeys() {
        return List.of(
                "a b/ü",
                "😀",
                "x%2Fy",
                "100%",
                "a+b",
                "q?x=1#f",
                "tab\there",
                "new\nline",
                "C".repeat(200),
                "back\\slash");
    }

    /// Keys that come last, in order: here UTF-16 has another order than UTF-8.
    protected List<String> lastKeys() {
        return List.of("b/\uFF01", "b/😀");
    }

    @Test
    void readsBackWhatWasWritten() throws Exception {
        byte[] bytes = random(100_000);
        store().write(KEY, bytes);
        assertThat(store().size(KEY)).hasValue(100_000);
        assertThat(store().read(KEY, 100_000)).isEqualTo(bytes);
    }

    @Test
    void aWriteReplaces() throws Exception {
        store().write(KEY, random(50));
        store().write(KEY, "new".getBytes(UTF_8));
        assertThat(store().read(KEY, 100)).asString().isEqualTo("new");
    }

    @Test
    void anObjectOfNoBytesIsAnObject() throws Exception {
        store().write(KEY, new byte[0]);
        assertThat(store().size(KEY)).hasValue(0);
        assertThat(store().read(KEY, 0)).isEmpty();
        assertThat(range(KEY, 0, 0)).isEmpty();
    }

    @Test
    void whatIsNotThereIsNamed() throws Exception {
        store().write("datasets/x", new byte[1]);
        for (String absent : List.of(KEY, "datasets", "datasets/x/y")) {
            assertThat(store().size(absent)).as(absent).isEmpty();
            assertThatThrownBy(() -> store().read(absent, 10))
                    .isInstanceOf(NoSuchObjectException.class)
                    .hasMessageContaining(absent);
            assertThatThrownBy(() -> store().open(absent, 0, 1)).isInstanceOf(NoSuchObjectException.class);
            assertThatThrownBy(() -> store().open(absent, 0, 0)).isInstanceOf(NoSuchObjectException.class);
        }
    }

    @Test
    void aRangeIsExactlyThatRange() throws Exception {
        byte[] bytes = random(1000);
        store().write(KEY, bytes);
        for (int[] range : new int[][] {{0, 1000}, {0, 1}, {999, 1}, {10, 500}, {1000, 0}, {5, 0}}) {
            assertThat(range(KEY, range[0], range[1]))
                    .isEqualTo(Arrays.copyOfRange(bytes, range[0], range[0] + range[1]));
        }
    }

    @Test
    void aRangePastTheEndIsAnError() throws Exception {
        store().write(KEY, random(1000));
        for (int[] range : new int[][] {{0, 1001}, {999, 2}, {1000, 1}, {1001, 0}, {5000, 10}}) {
            assertThatThrownBy(() -> range(KEY, range[0], range[1]))
                    .as("%d bytes from %d", range[1], range[0])
                    .isInstanceOf(EOFException.class)
                    .hasMessageContaining(KEY);
        }
    }

    @Test
    void aRangeCanBeLeftUnread() throws Exception {
        store().write(KEY, random(3_000_000));
        for (int i = 0; i < 100; i++) {
            try (var in = store().open(KEY, i, 2_000_000)) {
                assertThat(in.read()).isNotNegative();
            }
        }
    }

    @Test
    void readRefusesMoreThanItsLimit() throws Exception {
        store().write(KEY, random(11));
        assertThatThrownBy(() -> store().read(KEY, 10))
                .hasMessageContaining("11 bytes")
                .hasMessageContaining(KEY);
    }

    @Test
    void anUploadIsInvisibleUntilComplete() throws Exception {
        byte[] bytes = random(21_000_000);
        store().write(KEY, "old".getBytes(UTF_8));
        try (var upload = store().upload(KEY)) {
            for (int from = 0; from < bytes.length; from += 999_999) {
                upload.write(ByteBuffer.wrap(bytes, from, Math.min(999_999, bytes.length - from)));
            }
            assertThat(store().read(KEY, 10)).asString().isEqualTo("old");
            assertThat(keys("")).containsExactly(KEY);
            upload.complete();
        }
        assertThat(range(KEY, 0, bytes.length)).isEqualTo(bytes);
    }

    @Test
    void anUploadTakesDirectBuffersAndLeavesThemEmpty() throws Exception {
        var buffer = ByteBuffer.allocateDirect(3).put("abc".getBytes(UTF_8)).flip();
        try (var upload = store().upload(KEY)) {
            upload.write(buffer);
            upload.write(buffer.rewind());
            upload.complete();
        }
        assertThat(buffer.hasRemaining()).isFalse();
        assertThat(store().read(KEY, 10)).asString().isEqualTo("abcabc");
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 10, 21_000_000})
    void anUploadClosedBeforeItIsCompleteLeavesNothing(int bytes) throws Exception {
        try (var upload = store().upload(KEY)) {
            upload.write(ByteBuffer.wrap(random(bytes)));
        }
        assertThat(store().size(KEY)).isEmpty();
        assertThat(keys("")).isEmpty();
    }

    @Test
    void anEmptyUploadIsAnEmptyObject() throws Exception {
        try (var upload = store().upload(KEY)) {
            upload.complete();
        }
        assertThat(store().size(KEY)).hasValue(0);
    }

    @Test
    void listsByPrefixInTheOrderOfBytes() throws Exception {
        var all = new ArrayList<>(List.of("a-b/1", "a.b", "a/1", "a/2/x", "a/2/y", "a/20", "a0", "b/x"));
        all.addAll(lastKeys());
        for (String key : all.reversed()) {
            store().write(key, key.getBytes(UTF_8));
        }
        assertThat(keys("")).containsExactlyElementsOf(all);
        assertThat(keys("a/")).containsExactly("a/1", "a/2/x", "a/2/y", "a/20");
        assertThat(keys("a/2")).containsExactly("a/2/x", "a/2/y", "a/20");
        assertThat(keys("a")).containsExactlyElementsOf(all.subList(0, 7));
        assertThat(keys("a/2/y")).containsExactly("a/2/y");
        assertThat(keys("c")).isEmpty();
        assertThat(keys("a/1/")).isEmpty();
        store().list(
                        "b/",
                        object -> assertThat(object.sizeBytes())
                                .isEqualTo(object.key().getBytes(UTF_8).length));
    }

    @Test
    void aDeletedObjectIsGoneAndItsNeighbourStays() throws Exception {
        store().write("a/b/c", new byte[1]);
        store().write("a/d", new byte[1]);
        store().delete("a/b/c");
        store().delete("a/b/c");
        store().delete("never/was");
        store().delete("a");
        assertThat(keys("")).containsExactly("a/d");
    }

    @Test
    void manyObjectsAreDeletedAtOnceAndTheirNeighboursStay() throws Exception {
        var going = new ArrayList<>(awkwardKeys());
        for (int i = 0; i < 1_050; i++) {
            going.add("many/" + i);
        }
        for (String key : going) {
            store().write(key, new byte[1]);
        }
        store().write("many/stays", new byte[1]);
        going.add("never/was");
        store().deleteAll(going);
        assertThat(keys("")).containsExactly("many/stays");
        store().deleteAll(List.of());
        store().deleteAll(going);
        assertThat(keys("")).containsExactly("many/stays");
    }

    @Test
    void keysAreDataAndListBackExactly() throws Exception {
        var keys = new ArrayList<>(awkwardKeys());
        for (String key : keys) {
            store().write(key, key.getBytes(UTF_8));
        }
        keys.sort(KeyOrder::compare);
        assertThat(keys("")).containsExactlyElementsOf(keys);
        for (String key : keys) {
            assertThat(store().read(key, 2000)).as(key).isEqualTo(key.getBytes(UTF_8));
        }
    }

    @Test
    void whatIsNoKeyIsRefused() {
        for (String key : List.of("", "nul\0", "\uD800", "k".repeat(1025), "ü".repeat(513))) {
            assertThatThrownBy(() -> store().write(key, new byte[1])).isInstanceOf(IllegalArgumentException.class);
            assertThatThrownBy(() -> store().size(key)).isInstanceOf(IllegalArgumentException.class);
        }
    }

    @Test
    void ofManyWritersOneWinsWhole() throws Exception {
        List<Callable<Void>> writers = IntStream.range(0, 16)
                .<Callable<Void>>mapToObj(i -> () -> {
                    var bytes = new byte[10_000 + i];
                    Arrays.fill(bytes, (byte) i);
                    store().write(KEY, bytes);
                    return null;
                })
                .toList();
        try (var pool = Executors.newFixedThreadPool(8)) {
            for (var written : pool.invokeAll(writers)) {
                written.get();
            }
        }
        byte[] bytes = store().read(KEY, 20_000);
        assertThat(bytes).hasSize(10_000 + bytes[0]).containsOnly(bytes[0]);
    }

    @Test
    void anUploadLeftHalfDoneIsFoundOnceItIsOldEnough() throws Exception {
        store().write("datasets/whole", new byte[1]);
        try (var upload = store().upload(KEY)) {
            upload.write(ByteBuffer.wrap(random(6_000_000)));
            assertThat(abandoned(Duration.ofHours(1))).isEmpty();
            List<AbandonedUpload> found = abandonedWithin(Duration.ofSeconds(20));
            assertThat(found).hasSize(1);
            assertThat(found.getFirst().since())
                    .isBetween(Instant.now().minusSeconds(60), Instant.now().plusSeconds(5));
            assertThat(keys("")).containsExactly("datasets/whole");
        }
        assertThat(abandoned(Duration.ZERO)).isEmpty();
    }

    @Test
    void anAbandonedUploadIsGoneAndCannotBeCompleted() throws Exception {
        try (var upload = store().upload(KEY)) {
            upload.write(ByteBuffer.wrap(random(6_000_000)));
            for (AbandonedUpload found : abandonedWithin(Duration.ofSeconds(20))) {
                store().abandon(found);
                store().abandon(found);
            }
            assertThat(abandoned(Duration.ZERO)).isEmpty();
            assertThatThrownBy(upload::complete).isInstanceOf(IOException.class);
        }
        assertThat(keys("")).isEmpty();
    }

    @Test
    void anUploadThatWasCompletedSinceItWasSeenIsLeftAlone() throws Exception {
        byte[] bytes = random(6_000_000);
        List<AbandonedUpload> seen;
        try (var upload = store().upload(KEY)) {
            upload.write(ByteBuffer.wrap(bytes));
            seen = abandonedWithin(Duration.ofSeconds(20));
            upload.complete();
        }
        for (AbandonedUpload found : seen) {
            store().abandon(found);
        }
        assertThat(range(KEY, 0, bytes.length)).isEqualTo(bytes);
    }

    @Test
    void noUploadIsOlderThanANegativeTime() {
        assertThatThrownBy(() -> abandoned(Duration.ofNanos(-1))).isInstanceOf(IllegalArgumentException.class);
    }

    /// A server's times are whole seconds, and a part is on its way when `write` returns.
    private List<AbandonedUpload> abandonedWithin(Duration longest) throws IOException {
        Instant deadline = Instant.now().plus(longest);
        List<AbandonedUpload> found = List.of();
        while (found.isEmpty() && Instant.now().isBefore(deadline)) {
            found = abandoned(Duration.ZERO);
        }
        return found;
    }

    private List<AbandonedUpload> abandoned(Duration olderThan) throws IOException {
        var found = new ArrayList<AbandonedUpload>();
        store().abandoned(olderThan, found::add);
        return found;
    }

    protected List<String> keys(String prefix) throws IOException {
        var keys = new ArrayList<String>();
        store().list(prefix, object -> keys.add(object.key()));
        return keys;
    }

    protected byte[] range(String key, long offset, long length) throws IOException {
        try (var in = store().open(key, offset, length)) {
            return in.readAllBytes();
        }
    }

    private static byte[] random(int count) {
        var bytes = new byte[count];
        new Random(count).nextBytes(bytes);
        return bytes;
    }
}
