package io.tarpon.gateway.epoch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tarpon.gateway.order.Partition;
import io.tarpon.gateway.order.Share;
import io.tarpon.gateway.order.Tail;
import io.tarpon.gateway.target.EpochPath;
import io.tarpon.gateway.target.EpochQuery;
import io.tarpon.gateway.target.EpochTarget;
import io.tarpon.wire.VersionId;
import io.tarpon.wire.gateway.EpochDocument;
import io.tarpon.wire.http.ProblemType;
import io.tarpon.wire.http.TarponException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class EpochManifestTest {
    private static final String BASE = "http://127.0.0.1:7070";
    private static final String EPOCH = BASE + "/e/demo/v2/train/7/3/";
    private static final int ROUNDS = 1_000;

    private static EpochManifest manifest(int rank, int world, @Nullable String query, long samples) {
        var thing = new EpochTarget.Manifest(rank, world);
        var target = EpochPath.parse("/e/demo/latest/train/7/3/" + thing.path());
        return new EpochManifest(BASE, target, thing, new VersionId(2), EpochQuery.manifest(query), samples);
    }

    private static EpochDocument document(int rank, int world, @Nullable String query, long samples) {
        return manifest(rank, world, query, samples).document(9_999);
    }

    @Test
    void aRankHasOneUrlThatIsThePatternToo() {
        assertThat(document(1, 4, "tail=drop&start=3&fields=jpg,cls", 103))
                .isEqualTo(new EpochDocument(
                        "demo",
                        "v2",
                        "train",
                        7,
                        3,
                        4,
                        1,
                        "p1",
                        3,
                        103,
                        25,
                        9_999,
                        List.of(EPOCH + "1of4.tar?start=3&fields=cls,jpg"),
                        EPOCH + "1of4.tar?start=3&fields=cls,jpg"));
        assertThat(document(0, 1, null, 10).pattern()).isEqualTo(EPOCH + "0of1.tar");
        assertThat(document(0, 1, "workers=1", 10)).isEqualTo(document(0, 1, null, 10));
    }

    @Test
    void workersHaveAPatternOfBraces() {
        var document = document(1, 4, "workers=3&batch=2", 100);
        assertThat(document.urls())
                .containsExactly(
                        EPOCH + "1of4/0of3.tar?batch=2",
                        EPOCH + "1of4/1of3.tar?batch=2",
                        EPOCH + "1of4/2of3.tar?batch=2");
        assertThat(document.pattern()).isEqualTo(EPOCH + "1of4/{0..2}of3.tar?batch=2");
    }

    @Test
    void piecesComeOneByOneWithTheWorkersInside() {
        var document = document(0, 2, "pieces=2&workers=2&batch=5&start=10", 107);
        assertThat(document.urls())
                .containsExactly(
                        EPOCH + "0of2/0of2.tar?start=10&count=60&batch=5",
                        EPOCH + "0of2/1of2.tar?start=10&count=60&batch=5",
                        EPOCH + "0of2/0of2.tar?start=70&count=37&batch=5",
                        EPOCH + "0of2/1of2.tar?start=70&count=37&batch=5");
        assertThat(document.pattern()).isNull();
        assertThat(document.samples()).isEqualTo(45);
        assertThat(document.cursor()).isEqualTo(100);
    }

    @Test
    void onePieceIsCutToo() {
        var document = document(0, 2, "pieces=1", 10);
        assertThat(document.urls()).containsExactly(EPOCH + "0of2.tar?count=10");
        assertThat(document.pattern()).isNull();
    }

    @Test
    void whereNothingIsLeftTheUrlIsStillThere() {
        var document = document(1, 2, "start=10&tail=pad", 10);
        assertThat(document.samples()).isZero();
        assertThat(document.cursor()).isEqualTo(10);
        assertThat(document.urls()).containsExactly(EPOCH + "1of2.tar?start=10&tail=pad");
    }

    @Test
    void theLengthIsThatOfTheRanksWholeBody() {
        assertThat(manifest(1, 2, "workers=4&pieces=2&start=2", 100).share())
                .isEqualTo(new Share(2, Share.ALL, Tail.DROP, 1, 2, 1, 1, 0));
    }

    @ParameterizedTest
    @CsvSource({
        "pieces=6, pieces 6 is too many",
        "pieces=3&workers=3, at most 2",
        "pieces=1&start=9, leave pieces out",
        "pieces=2&tail=pad, tail=pad",
        "start=11, start 11 is beyond the end",
        "tail=pad&start=9, tail=pad needs at least",
    })
    void whatTheSplitDoesNotHaveIsRefusedBeforeAnyLengthIsKnown(String query, String words) {
        assertThatThrownBy(() -> manifest(0, 2, query, 10))
                .isInstanceOfSatisfying(
                        TarponException.class, e -> assertThat(e.type()).isEqualTo(ProblemType.BAD_PARAMETER))
                .hasMessageContaining(words);
    }

    @Test
    void whoeverReadsTheUrlsHasTheRanksPositionsInOrder() {
        var seed = System.nanoTime();
        var random = new Random(seed);
        for (int round = 0; round < ROUNDS; round++) {
            var samples = 1 + random.nextInt(200);
            var world = 1 + random.nextInt(4);
            var workers = 1 + random.nextInt(4);
            var batch = 1 + random.nextInt(4);
            var query = "start=%d&batch=%d&workers=%d&tail=keep&pieces=%d"
                    .formatted(random.nextInt(samples), batch, workers, 1 + random.nextInt(3));
            var what = "seed %d, %d samples, world %d, %s".formatted(seed, samples, world, query);
            for (int rank = 0; rank < world; rank++) {
                var whole = manifest(rank, world, query.replaceAll("&pieces=.*", ""), samples);
                if (query.endsWith("pieces=1") || steps(whole, samples) > 2L * workers) {
                    var urls = manifest(rank, world, query, samples).document(0).urls();
                    assertThat(inTurn(urls, workers, batch, samples))
                            .as(what)
                            .isEqualTo(positions(new Partition(whole.share(), samples)));
                }
            }
        }
    }

    private static long steps(EpochManifest manifest, long samples) {
        return new Partition(manifest.share(), samples).steps();
    }

    /// A batch from each worker in turn, piece by piece.
    private static List<Long> inTurn(List<String> urls, int workers, int batch, long samples) {
        var read = new ArrayList<Long>();
        for (int piece = 0; piece < urls.size(); piece += workers) {
            var bodies = urls.subList(piece, piece + workers).stream()
                    .map(url -> positions(new Partition(share(url), samples)))
                    .toList();
            for (int from = 0; from < bodies.getFirst().size(); from += batch) {
                for (var body : bodies) {
                    read.addAll(body.subList(Math.min(from, body.size()), Math.min(from + batch, body.size())));
                }
            }
        }
        return read;
    }

    /// What the gateway would answer at a URL.
    private static Share share(String url) {
        var parts = url.substring(BASE.length()).split("\\?", 2);
        var tar = (EpochTarget.Tar) EpochPath.parse(parts[0]).thing();
        return EpochQuery.tar(parts.length == 1 ? null : parts[1]).share(tar);
    }

    private static List<Long> positions(Partition partition) {
        return LongStream.range(0, partition.samples())
                .mapToObj(partition::position)
                .toList();
    }
}
