package io.tarpon.gateway.target;

import static io.tarpon.gateway.fixture.Refused.requireBad;
import static org.assertj.core.api.Assertions.assertThat;

import io.tarpon.gateway.order.Share;
import io.tarpon.gateway.order.Shuffle;
import io.tarpon.gateway.order.Stretch;
import io.tarpon.gateway.order.Tail;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class EpochQueryTest {
    private static final String FULL = "start=5&count=10&batch=32&shuffle=block&tail=keep&fields=cls,jpg";
    private static final EpochOptions FULL_OPTIONS =
            new EpochOptions(5, 10, 32, Shuffle.BLOCK, Tail.KEEP, List.of("cls", "jpg"));

    @Test
    void withoutAQueryTheDefaultsHold() {
        var defaults = new EpochOptions(0, Share.ALL, 1, Shuffle.GLOBAL, Tail.DROP, List.of());
        assertThat(EpochQuery.tar(null)).isEqualTo(defaults);
        assertThat(EpochQuery.tar("")).isEqualTo(defaults);
        assertThat(EpochQuery.manifest(null)).isEqualTo(new ManifestOptions(defaults, 1, ManifestOptions.UNCUT));
        assertThat(EpochQuery.positions(null)).isEqualTo(new PositionOptions(0, 10_000, Shuffle.GLOBAL));
    }

    @Test
    void everyParameterIsRead() {
        assertThat(EpochQuery.tar(FULL)).isEqualTo(FULL_OPTIONS);
        assertThat(EpochQuery.manifest("workers=4&" + FULL + "&pieces=3"))
                .isEqualTo(new ManifestOptions(FULL_OPTIONS, 4, 3));
        assertThat(EpochQuery.positions("to=30&from=20&shuffle=none"))
                .isEqualTo(new PositionOptions(20, 30, Shuffle.NONE));
    }

    @Test
    void everyThingHasParametersOfItsOwn() {
        requireBad(
                "unknown query parameter 'workers'; known: start, count, batch, shuffle, tail, fields",
                () -> EpochQuery.tar("workers=2"));
        requireBad(
                "unknown query parameter 'from'; known: start, count, batch, shuffle, tail, fields, workers, pieces",
                () -> EpochQuery.manifest("from=2"));
        requireBad("unknown query parameter 'start'; known: from, to, shuffle", () -> EpochQuery.positions("start=2"));
    }

    @Test
    void fieldsAreASet() {
        assertThat(EpochQuery.tar("fields=jpg,cls,jpg,seg.png").fields()).containsExactly("cls", "jpg", "seg.png");
        assertThat(EpochQuery.tar("fields=jpg%2Ccls")).isEqualTo(EpochQuery.tar("fields=cls,jpg"));
    }

    @ParameterizedTest
    @CsvSource(
            quoteCharacter = '"',
            delimiter = ' ',
            value = {
                "start=-1 \"start '-1'\"",
                "start=+1 \"start '+1'\"",
                "start=%2B1 \"start '+1'\"",
                "start=01 \"start '01'\"",
                "start=1e3 \"start '1e3'\"",
                "start=9223372036854775808 \"start '9223372036854775808'\"",
                "start=%D9%A1 \"start '١'\"",
                "count=-1 \"count '-1'\"",
                "count=9223372036854775808 \"count '9223372036854775808'\"",
                "batch=0 \"batch '0' is not a decimal from 1 to 1000000\"",
                "batch=1000001 \"batch '1000001'\"",
                "batch=4294967297 \"batch '4294967297'\"",
                "shuffle=GLOBAL \"shuffle 'GLOBAL' is none of\"",
                "tail=trim \"tail 'trim' is none of\"",
                "fields= \"'fields' has no value\"",
                "fields=, \"fields has an empty name\"",
                "fields=jpg, \"fields has an empty name\"",
                "fields=jpg,,cls \"fields has an empty name\"",
                "fields=JPG \"fields has 'JPG', which no member can have\"",
                "fields=jpg;cls \"fields has 'jpg;cls'\"",
                "fields=jpg+cls \"fields has 'jpg+cls'\"",
                "fields=abcdefghijklmnopqrstuvwxyz0123456 \"which no member can have\"",
                "start=1&start=2 \"'start' is given more than once\"",
                "start \"'start' has no value\"",
            })
    void aBadValueIsNamed(String query, String words) {
        requireBad(words, () -> EpochQuery.tar(query));
        requireBad(words, () -> EpochQuery.manifest(query));
    }

    @Test
    void workersAndPiecesAreBounded() {
        requireBad("workers '0'", () -> EpochQuery.manifest("workers=0"));
        requireBad("pieces '0'", () -> EpochQuery.manifest("pieces=0"));
        requireBad("pieces '1000001'", () -> EpochQuery.manifest("pieces=1000001"));
        assertThat(EpochQuery.manifest("workers=100&pieces=100").pieces()).isEqualTo(100);
        assertThat(EpochQuery.manifest("workers=10000").workers()).isEqualTo(10_000);
        requireBad("workers 10001 make 10001 URLs", () -> EpochQuery.manifest("workers=10001"));
        requireBad(
                "workers 1000000 and pieces 1000000 make 1000000000000 URLs",
                () -> EpochQuery.manifest("workers=1000000&pieces=1000000"));
    }

    @Test
    void positionsAreCutAtTheEndAndBoundedInNumber() {
        assertThat(EpochQuery.positions("from=5").stretch(30_000)).isEqualTo(new Stretch(5, 10_000));
        assertThat(EpochQuery.positions("from=5").stretch(12)).isEqualTo(new Stretch(5, 7));
        assertThat(EpochQuery.positions("from=12").stretch(12)).isEqualTo(new Stretch(12, 0));
        assertThat(EpochQuery.positions("from=5&to=5").stretch(12)).isEqualTo(new Stretch(5, 0));
        assertThat(EpochQuery.positions("to=9223372036854775807").stretch(10_000))
                .isEqualTo(new Stretch(0, 10_000));
        assertThat(EpochQuery.positions("from=9223372036854775807").to()).isEqualTo(Long.MAX_VALUE);
        requireBad("10001 positions", () -> EpochQuery.positions("to=10001").stretch(10_001));
        requireBad(
                "from 13 is beyond the end: the split has 12",
                () -> EpochQuery.positions("from=13").stretch(12));
        requireBad("to 4 is before from 5", () -> EpochQuery.positions("from=5&to=4"));
        requireBad("to '-1'", () -> EpochQuery.positions("to=-1"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "start=1",
                "count=0",
                "batch=1000000",
                "shuffle=shard",
                "tail=pad",
                "fields=jpg",
                "start=9223372036854775807&fields=__x__,a.b,c-d",
                FULL,
            })
    void theShortestQueryReadsBack(String query) {
        assertThat(EpochQuery.tar(query).query()).isEqualTo(query.isEmpty() ? "" : "?" + query);
    }

    @Test
    void theQueryLeavesOutWhatHoldsAnywayAndHasOneOrder() {
        assertThat(EpochQuery.tar("tail=drop&shuffle=global&batch=1&start=0&count=9223372036854775807")
                        .query())
                .isEmpty();
        assertThat(EpochQuery.tar("fields=jpg,cls,jpg&tail=keep&batch=8").query())
                .isEqualTo("?batch=8&tail=keep&fields=cls,jpg");
    }

    @Test
    void optionsAndAPathAreAShare() {
        assertThat(FULL_OPTIONS.share(new EpochTarget.Tar(1, 4, 2, 3)))
                .isEqualTo(new Share(5, 10, Tail.KEEP, 32, 4, 1, 3, 2));
        assertThat(FULL_OPTIONS.within(new Stretch(6, 2)).query())
                .isEqualTo("?start=6&count=2&batch=32&shuffle=block&tail=keep&fields=cls,jpg");
    }
}
