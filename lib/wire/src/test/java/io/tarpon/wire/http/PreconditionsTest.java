package io.tarpon.wire.http;

import static io.tarpon.wire.http.Preconditions.Verdict.FAILED;
import static io.tarpon.wire.http.Preconditions.Verdict.NOT_MODIFIED;
import static io.tarpon.wire.http.Preconditions.Verdict.PROCEED;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class PreconditionsTest {
    private static final String ETAG = "\"abc\"";
    private static final Instant MODIFIED = Instant.parse("2026-01-02T03:04:05.678Z");
    private static final String SAME = "Fri, 02 Jan 2026 03:04:05 GMT";
    private static final String EARLIER = "Thu, 01 Jan 2026 00:00:00 GMT";

    @Test
    void entityTagsDecide() {
        assertThat(verdict("\"abc\"", null, null, null)).isEqualTo(PROCEED);
        assertThat(verdict("*", null, null, null)).isEqualTo(PROCEED);
        assertThat(verdict("\"x\", \"abc\"", null, null, null)).isEqualTo(PROCEED);
        assertThat(verdict("W/\"abc\"", null, null, null)).isEqualTo(FAILED);
        assertThat(verdict("abc", null, null, null)).isEqualTo(FAILED);
        assertThat(verdict(null, null, "\"abc\"", null)).isEqualTo(NOT_MODIFIED);
        assertThat(verdict(null, null, "W/\"abc\"", null)).isEqualTo(NOT_MODIFIED);
        assertThat(verdict(null, null, "*", null)).isEqualTo(NOT_MODIFIED);
        assertThat(verdict(null, null, "\"x\"", null)).isEqualTo(PROCEED);
    }

    @Test
    void datesDecideWhereNoTagIsGiven() {
        assertThat(verdict(null, EARLIER, null, null)).isEqualTo(FAILED);
        assertThat(verdict(null, SAME, null, null)).isEqualTo(PROCEED);
        assertThat(verdict(null, null, null, SAME)).isEqualTo(NOT_MODIFIED);
        assertThat(verdict(null, null, null, EARLIER)).isEqualTo(PROCEED);
        assertThat(verdict(null, null, null, "yesterday")).isEqualTo(PROCEED);
        assertThat(verdict("\"abc\"", EARLIER, null, null)).isEqualTo(PROCEED);
        assertThat(verdict(null, null, "\"x\"", SAME)).isEqualTo(PROCEED);
    }

    @Test
    void allThreeFormsOfADateAreRead() {
        assertThat(verdict(null, null, null, "Friday, 02-Jan-26 03:04:05 GMT")).isEqualTo(NOT_MODIFIED);
        assertThat(verdict(null, "Thursday, 01-Jan-26 00:00:00 GMT", null, null))
                .isEqualTo(FAILED);
        assertThat(verdict(null, null, null, "Fri Jan  2 03:04:05 2026")).isEqualTo(NOT_MODIFIED);
        assertThat(verdict(null, null, null, "Thu Jan  1 03:04:05 2026")).isEqualTo(PROCEED);
    }

    @Test
    void aRangeCountsOnlyForTheSameRepresentation() {
        assertThat(honours(null)).isTrue();
        assertThat(honours(ETAG)).isTrue();
        assertThat(honours(SAME)).isTrue();
        assertThat(honours("\"other\"")).isFalse();
        assertThat(honours("W/\"abc\"")).isFalse();
        assertThat(honours(EARLIER)).isFalse();
    }

    private static Preconditions.Verdict verdict(
            @Nullable String match,
            @Nullable String unmodified,
            @Nullable String noneMatch,
            @Nullable String modified) {
        return new Preconditions(match, unmodified, noneMatch, modified, null).evaluate(ETAG, MODIFIED);
    }

    private static boolean honours(@Nullable String ifRange) {
        return new Preconditions(null, null, null, null, ifRange).honoursRange(ETAG, MODIFIED);
    }
}
