package io.tarpon.metadata.image;

import static io.tarpon.metadata.Fixtures.DEMO;
import static io.tarpon.metadata.Fixtures.SPEC;
import static io.tarpon.metadata.Fixtures.TRAIN;
import static io.tarpon.metadata.Fixtures.V1;
import static io.tarpon.metadata.Fixtures.plan;
import static io.tarpon.metadata.Fixtures.ref;
import static io.tarpon.metadata.Fixtures.seal;
import static org.assertj.core.api.Assertions.assertThat;

import io.tarpon.wire.DatasetName;
import io.tarpon.wire.VersionId;
import io.tarpon.wire.json.Json;
import io.tarpon.wire.metadata.DatasetRecord;
import io.tarpon.wire.metadata.ShardRecord;
import io.tarpon.wire.metadata.VersionRecord;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// What goes into one answer, and that the next one goes on where it ended.
class PagesTest {
    private final DecidedImage decided = new DecidedImage();
    private final Reads reads = decided.image.reads();

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 1_000})
    void datasetsComePageByPageNoVersionTwiceAndNoneMissing(int limit) {
        versions("a", 3);
        decided.apply(new RegisterDataset(new DatasetName("a-"), SPEC));
        versions("aa", 1);
        versions("b", 4);
        decided.apply(new RegisterDataset(new DatasetName("c"), SPEC));

        var seen = new ArrayList<String>();
        DatasetCursor after = null;
        do {
            var page = reads.datasets(after, limit);
            assertThat(page.datasets().stream().mapToInt(PagesTest::rows).sum()).isBetween(1, limit);
            for (var part : page.datasets()) {
                part.versions().forEach(version -> seen.add(part.dataset() + "/" + version.version()));
                if (part.versions().isEmpty()) {
                    seen.add(part.dataset().value());
                }
            }
            var next = page.next();
            after = next == null ? null : DatasetCursor.parse(next);
        } while (after != null);

        assertThat(seen).containsExactly("a/v1", "a/v2", "a/v3", "a-", "aa/v1", "b/v1", "b/v2", "b/v3", "b/v4", "c");
    }

    private static int rows(DatasetRecord part) {
        return Math.max(1, part.versions().size());
    }

    @Test
    void aDatasetThatIsForgottenBetweenTwoPagesEndsNothing() {
        versions("a", 2);
        versions("c", 1);
        var next = reads.datasets(DatasetCursor.parse("b/v7"), 10);
        assertThat(next.datasets()).extracting(each -> each.dataset().value()).containsExactly("c");
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 5})
    void versionsOfOneDatasetComePageByPage(int limit) {
        versions("a", 5);
        var seen = new ArrayList<VersionId>();
        VersionId after = null;
        do {
            var page = reads.dataset(new DatasetName("a"), after, limit);
            assertThat(page.versions()).hasSizeLessThanOrEqualTo(limit);
            page.versions().stream().map(VersionRecord::version).forEach(seen::add);
            after = page.next();
        } while (after != null);
        assertThat(seen).extracting(VersionId::number).containsExactly(1, 2, 3, 4, 5);
    }

    @Test
    void aPageHasAThousandRowsHoweverManyAreAskedFor() {
        decided.begin("r");
        decided.plan(V1, plan("p", 1_001, 0));
        var page = reads.shards(DEMO, V1, TRAIN, 0, 10_000);
        assertThat(page.shards()).hasSize(1_000);
        var next = page.next();
        assertThat(next).isNotNull();
        assertThat(reads.shards(DEMO, V1, TRAIN, next.index() + 1, 10_000).shards())
                .extracting(ShardRecord::name)
                .extracting(name -> name.index())
                .containsExactly(1_000);
    }

    @Test
    void aPageHasAMebibyteAtMostAndAllOfThemHaveEveryShard() {
        decided.begin("r");
        decided.plan(V1, plan("p", 120, 0));
        for (int shard = 0; shard < 120; shard++) {
            decided.seal(ref(V1, TRAIN, shard), seal(shard, "x" + shard, 10_000));
        }
        var seen = 0;
        var pages = 0;
        for (var more = true; more; pages++) {
            var page = reads.shards(DEMO, V1, TRAIN, seen, 1_000);
            assertThat(Json.bytes(page).length).isBetween(900_000 * (page.next() == null ? 0 : 1), Page.MAX_BYTES);
            assertThat(page.shards().getFirst().name().index()).isEqualTo(seen);
            seen += page.shards().size();
            more = page.next() != null;
        }
        assertThat(seen).isEqualTo(120);
        assertThat(pages).isEqualTo(3);
    }

    private List<VersionId> versions(String dataset, int count) {
        return IntStream.range(0, count)
                .mapToObj(i -> {
                    var request = dataset + i;
                    decided.apply(new BeginVersion(new DatasetName(dataset), request, SPEC));
                    return reads.versionOfRequest(request).version();
                })
                .toList();
    }
}
