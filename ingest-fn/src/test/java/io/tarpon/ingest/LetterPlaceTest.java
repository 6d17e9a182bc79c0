package io.tarpon.ingest;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LetterPlaceTest {
    @Test
    void placesAndRangesAreReadAsTheyAreWritten() {
        var place = new LetterPlace("tarpon.plans.dlq", 3, 999_999_999_999_999_999L);
        assertThat(place).hasToString("tarpon.plans.dlq/3/999999999999999999");
        assertThat(LetterPlace.parse(place.toString())).contains(place);
        var range = new LetterRange(new LetterPlace("tarpon.uploads.dlq", 0, 17), 20);
        assertThat(range).hasToString("tarpon.uploads.dlq/0/17-20");
        assertThat(LetterRange.parse(range.toString())).contains(range);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "tarpon.plans.dlq",
                "tarpon.plans.dlq/0",
                "tarpon.plans/0/1",
                "x.dlq/0/1",
                "tarpon.plans.dlq/0/-1",
                "tarpon.plans.dlq/00/1",
                "tarpon.plans.dlq/0/01",
                "tarpon.plans.dlq/9999999999/1",
                "tarpon.plans.dlq/0/9999999999999999999",
                "tarpon.plans.dlq/0/1 "
            })
    void nothingElseIsAPlace(String text) {
        assertThat(LetterPlace.parse(text)).isEmpty();
        assertThat(LetterRange.parse(text + "-9")).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"tarpon.plans.dlq/0/1", "tarpon.plans.dlq/0/1-", "tarpon.plans.dlq/0/1-x", "-5", "-"})
    void aRangeHasTwoEnds(String text) {
        assertThat(LetterRange.parse(text)).isEmpty();
    }
}
