package io.tarpon.store;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// What every [ObjectSource] does. An adapter's test says how to put raw data where it looks.
public abstract class ObjectSourceContract {
    /// The adapter over what [#put] wrote in this test.
    protected abstract ObjectSource source();

    /// The adapter over a place that is not there, and the text by which a person knows that place.
    protected abstract ObjectSource missingSource();

    protected abstract String missingName();

    /// Puts or replaces one object, as somebody else would.
    protected abstract void put(String key, byte[] bytes) throws Exception;

    protected abstract void remove(String key) throws Exception;

    /// Keys that come last, in order: here UTF-16 has another order than UTF-8.
    protected List<String> lastKeys() {
        return List.of("\uFF01.jpg", "😀.jpg");
    }

    @Test
    void listsEveryObjectOnceInTheOrderOfItsBytes() throws Exception {
        var keys = new ArrayList<>(
                List.of("!first", "a b.jpg", "a-b.jpg", "a.jpg", "a/b.jpg", "a/c/d.jpg", "a0", "b/x", "café.jpg", "z"));
        keys.addAll(lastKeys());
        for (String key : keys.reversed()) {
            put(key, key.getBytes(UTF_8));
        }
        assertThat(list()).extracting(SourceObject::key).containsExactlyElementsOf(keys);
        assertThat(list()).allSatisfy(object -> {
            assertThat(object.kind()).isEqualTo(SourceObject.Kind.FILE);
            assertThat(object.sizeBytes()).isEqualTo(object.key().getBytes(UTF_8).length);
        });
    }

    @Test
    void aListingGoesOnBehindAnyKeyWhetherItIsThereOrNot() throws Exception {
        var keys = new ArrayList<>(List.of("!first", "a b.jpg", "a.jpg", "a/b.jpg", "a/c/d.jpg", "a/c/e", "a0", "b/x"));
        keys.addAll(lastKeys());
        for (String key : keys) {
            put(key, key.getBytes(UTF_8));
        }
        for (int i = 0; i < keys.size(); i++) {
            assertThat(keysAfter(keys.get(i))).as(keys.get(i)).isEqualTo(keys.subList(i + 1, keys.size()));
        }
        assertThat(keysAfter("")).isEqualTo(keys);
        for (String other : List.of("a", "a/", "a/c", "a/c/dd", "a/zz", "b", "c")) {
            assertThat(keysAfter(other))
                    .as(other)
                    .isEqualTo(keys.stream()
                            .filter(key -> KeyOrder.compare(key, other) > 0)
                            .toList());
        }
    }

    private List<String> keysAfter(String key) throws IOException {
        var seen = new ArrayList<String>();
        source().listAfter(key, object -> seen.add(object.key()));
        return seen;
    }

    @Test
    void emptySourceListsNothing() throws Exception {
        assertThat(list()).isEmpty();
    }

    @Test
    void missingSourceIsAnErrorThatNamesIt() {
        assertThatThrownBy(() -> missingSource().list(object -> {}))
                .isInstanceOf(IOException.class)
                .matches(failure -> StorageFailures.isFinal((IOException) failure), "is final")
                .hasMessageContaining(missingName());
    }

    @Test
    void visitorsExceptionEndsTheListing() throws Exception {
        put("a", new byte[1]);
        put("b", new byte[1]);
        var seen = new ArrayList<String>();
        assertThatThrownBy(() -> source().list(object -> {
                    seen.add(object.key());
                    throw new IOException("enough");
                }))
                .hasMessage("enough");
        assertThat(seen).containsExactly("a");
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 20_000, 3_000_000})
    void readsTheBytesThatWereListed(int size) throws Exception {
        var bytes = new byte[size];
        new Random(size).nextBytes(bytes);
        put("folder/x y.bin", bytes);
        SourceObject object = list().getFirst();
        assertThat(open(object)).isEqualTo(bytes);
        for (var buffer : List.of(ByteBuffer.allocate(size), ByteBuffer.allocateDirect(size))) {
            source().read(object.key(), object.etag(), buffer);
            assertThat(buffer.flip()).isEqualTo(ByteBuffer.wrap(bytes));
        }
    }

    @Test
    void readFillsOnlyWhatRemainsOfTheBuffer() throws Exception {
        put("k", "abc".getBytes(UTF_8));
        var buffer = ByteBuffer.wrap("12345".getBytes(UTF_8)).position(1).limit(4);
        source().read("k", list().getFirst().etag(), buffer);
        assertThat(new String(buffer.array(), UTF_8)).isEqualTo("1abc5");
    }

    @ParameterizedTest
    @ValueSource(strings = {"twelve bytes", "short", "much longer than it was before", ""})
    void anotherObjectInItsPlaceIsRefusedByName(String now) throws Exception {
        put("dir/changed.jpg", "TWELVE BYTES".getBytes(UTF_8));
        SourceObject planned = list().getFirst();
        put("dir/changed.jpg", now.getBytes(UTF_8));
        refused(planned);
    }

    @Test
    void anEmptyObjectThatWasChangedIsRefused() throws Exception {
        put("dir/changed.jpg", new byte[0]);
        SourceObject planned = list().getFirst();
        put("dir/changed.jpg", new byte[1]);
        refused(planned);
    }

    @Test
    void aVanishedObjectIsRefusedByName() throws Exception {
        put("dir/changed.jpg", new byte[12]);
        put("other", new byte[12]);
        SourceObject planned = list().getFirst();
        remove("dir/changed.jpg");
        refused(planned);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "..", "../x", "a/../../x", "a/..", "./x", "a/./x"})
    void aKeyThatNoListingGivesIsRefused(String key) {
        assertThatThrownBy(() -> source().open(key, "1-1", 1)).isInstanceOf(SourceChangedException.class);
        assertThatThrownBy(() -> source().read(key, "1-1", ByteBuffer.allocate(1)))
                .isInstanceOf(SourceChangedException.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"_SUCCESS", "birds/_SUCCESS", "a/b c/é.jpg", "100%", "a+b"})
    void whatIsThereIsFoundAsAListingGivesIt(String key) throws Exception {
        assertThat(source().find(key)).isEmpty();
        put(key, new byte[0]);
        assertThat(source().find(key)).contains(list().getFirst());
        put(key, new byte[7]);
        assertThat(source().find(key)).contains(list().getFirst());
        remove(key);
        assertThat(source().find(key)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "/", "a", "a/", "a/b/c", "..", "../a/b", "a/./b", "a/../a/b", "\0", "\uD800"})
    void whatIsNoObjectIsNotFound(String key) throws Exception {
        put("a/b", new byte[1]);
        put("?", new byte[1]);
        assertThat(source().find(key)).isEmpty();
    }

    @Test
    void lookingIntoAMissingSourceIsAnErrorThatNamesIt() {
        assertThatThrownBy(() -> missingSource().find("_SUCCESS"))
                .isInstanceOf(IOException.class)
                .hasMessageContaining(missingName());
    }

    protected List<SourceObject> list() throws IOException {
        var objects = new ArrayList<SourceObject>();
        source().list(objects::add);
        return objects;
    }

    protected byte[] open(SourceObject object) throws IOException {
        try (var in = source().open(object.key(), object.etag(), object.sizeBytes())) {
            return in.readAllBytes();
        }
    }

    protected void refused(SourceObject planned) {
        assertThatThrownBy(() -> open(planned))
                .isInstanceOfSatisfying(
                        SourceChangedException.class, e -> assertThat(e.key()).isEqualTo(planned.key()))
                .hasMessageContaining(planned.key());
        var buffer = ByteBuffer.allocate((int) planned.sizeBytes());
        assertThatThrownBy(() -> source().read(planned.key(), planned.etag(), buffer))
                .isInstanceOfSatisfying(
                        SourceChangedException.class, e -> assertThat(e.key()).isEqualTo(planned.key()));
    }
}
