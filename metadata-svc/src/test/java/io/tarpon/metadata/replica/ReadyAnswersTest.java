package io.tarpon.metadata.replica;

import static io.tarpon.metadata.Fixtures.DEMO;
import static io.tarpon.metadata.Fixtures.V1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.tarpon.metadata.image.HeapStore;
import io.tarpon.metadata.image.Image;
import io.tarpon.metadata.image.Lookup;
import io.tarpon.metadata.image.RandomHistory;
import io.tarpon.metadata.image.Reads;
import io.tarpon.wire.DatasetName;
import io.tarpon.wire.VersionId;
import io.tarpon.wire.http.TarponException;
import io.tarpon.wire.json.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ReadyAnswersTest {
    private static final DatasetName OTHER = new DatasetName("other");
    private static final Lookup VERSION = new Lookup.OfVersion(DEMO, V1);
    private static final long PLENTY = 1 << 20;

    /// Of an empty body at the path of [#VERSION].
    private static final long COST = 256L + VERSION.path().length();

    private final ReadyAnswers answers = new ReadyAnswers(PLENTY);

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10})
    void noAnswerOutlivesWhatItSays(long seed) {
        var image = new Image(new HeapStore());
        var random = new Random(seed);
        var outlived = new TreeMap<String, Integer>();
        for (var entry : RandomHistory.of(seed, 500)) {
            image.replay(entry);
            // Now and then several entries at once.
            if (random.nextInt(4) > 0) {
                answers.drop(image.takeOutdated());
                for (var lookup : lookups(image)) {
                    var found = answers.find(lookup.path()).map(answer -> new String(answer.body(), UTF_8));
                    var now = answer(image.reads(), lookup);
                    if (found.isPresent()) {
                        assertThat(found).as("%s after %s", lookup, entry).isEqualTo(now);
                        outlived.merge(lookup.getClass().getSimpleName(), 1, Integer::sum);
                    } else {
                        now.ifPresent(body -> put(answers, lookup, image.revision(), body.getBytes(UTF_8)));
                    }
                }
            }
        }
        assertThat(outlived.values()).hasSize(3).allMatch(count -> count > 10);
    }

    /// Every one that there is, one more, and some of those that there were.
    private static List<Lookup> lookups(Image image) {
        var lookups = new ArrayList<Lookup>();
        for (var dataset : List.of(DEMO, OTHER)) {
            lookups.add(new Lookup.OfDataset(dataset));
            lookups.add(new Lookup.OfLatest(dataset));
            var versions = image.reads().datasets(null, Integer.MAX_VALUE).datasets().stream()
                    .filter(record -> record.dataset().equals(dataset))
                    .flatMap(record -> record.versions().stream())
                    .mapToInt(record -> record.version().number())
                    .max()
                    .orElse(0);
            for (int number = 1; number <= versions + 1; number++) {
                lookups.add(new Lookup.OfVersion(dataset, new VersionId(number)));
            }
        }
        return lookups;
    }

    private static Optional<String> answer(Reads reads, Lookup lookup) {
        try {
            return Optional.of(Json.text(
                    switch (lookup) {
                        case Lookup.OfDataset(var dataset) -> reads.dataset(dataset);
                        case Lookup.OfLatest(var dataset) -> reads.latest(dataset);
                        case Lookup.OfVersion(var dataset, var version) -> reads.version(dataset, version);
                    }));
        } catch (TarponException e) {
            return Optional.empty();
        }
    }

    @Test
    void whatIsDroppedWhileItIsMadeIsNotPutIn() {
        var place = answers.reserve(VERSION, 7).orElseThrow();
        answers.drop(Set.of(VERSION));
        var next = answers.reserve(VERSION, 8).orElseThrow();
        place.fill(new byte[1]);
        place.close();
        assertThat(answers.find(VERSION.path())).isEmpty();
        next.fill(new byte[2]);
        assertThat(answers.find(VERSION.path())).hasValueSatisfying(answer -> {
            assertThat(answer.revision()).isEqualTo(8);
            assertThat(answer.body()).hasSize(2);
        });
    }

    @Test
    void oneAtATimeMakesAnAnswer() {
        try (var place = answers.reserve(VERSION, 7).orElseThrow()) {
            assertThat(answers.reserve(VERSION, 7)).isEmpty();
            assertThat(place).isNotNull();
        }
        var second = answers.reserve(VERSION, 7);
        assertThat(second).as("once the first one gave up").isPresent();
        second.get().fill(new byte[1]);
        assertThat(answers.reserve(VERSION, 7)).as("while it is there").isEmpty();
    }

    @Test
    void whatNobodyAskedForLeavesWhenThereIsNoRoom() {
        var three = new ReadyAnswers(3 * (COST + 100));
        for (int number = 1; number <= 3; number++) {
            put(three, version(number), 1, new byte[100]);
        }
        assertThat(three.bytes()).isEqualTo(3 * (COST + 100));
        assertThat(three.find(version(1).path())).isPresent();
        put(three, version(4), 1, new byte[100]);
        assertThat(three.find(version(2).path())).isEmpty();
        for (int number : new int[] {1, 3, 4}) {
            assertThat(three.find(version(number).path())).as("v%d", number).isPresent();
        }
        put(three, version(5), 1, new byte[100]);
        assertThat(three.bytes())
                .as("where all were asked for, one leaves all the same")
                .isEqualTo(3 * (COST + 100));
    }

    @Test
    void anAnswerMakesRoomWhenItIsDropped() {
        put(answers, VERSION, 1, new byte[100]);
        answers.drop(Set.of(VERSION, new Lookup.OfDataset(DEMO)));
        assertThat(answers.bytes()).isZero();
    }

    @Test
    void whatIsTooLongIsNotKept() {
        put(answers, VERSION, 1, new byte[ReadyAnswers.MAX_BYTES + 1]);
        assertThat(answers.find(VERSION.path())).isEmpty();
        put(answers, VERSION, 1, new byte[ReadyAnswers.MAX_BYTES]);
        assertThat(answers.find(VERSION.path())).isPresent();

        var small = new ReadyAnswers(COST + 10);
        put(small, VERSION, 1, new byte[11]);
        assertThat(small.bytes()).isZero();
        put(small, VERSION, 1, new byte[10]);
        assertThat(small.find(VERSION.path())).isPresent();
    }

    @Test
    void noneIsKeptWhereThereIsNoRoomAtAll() {
        assertThat(ReadyAnswers.none().reserve(VERSION, 1)).isEmpty();
    }

    private static Lookup version(int number) {
        return new Lookup.OfVersion(DEMO, new VersionId(number));
    }

    private static void put(ReadyAnswers answers, Lookup lookup, long revision, byte[] body) {
        try (var place = answers.reserve(lookup, revision).orElseThrow()) {
            place.fill(body);
        }
    }
}
