package io.tarpon.gateway.target;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tarpon.wire.http.ProblemType;
import io.tarpon.wire.http.TarponException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RawQueryTest {
    private static final List<String> KNOWN = List.of("start", "fields");

    @Test
    void namesAndValuesAreDecodedOnceAndPlusIsAPlus() {
        var query = RawQuery.parse("st%61rt=%31&fields=a%2Cb+%2541=c", KNOWN);
        assertThat(query.number("start", 0)).isEqualTo(1);
        assertThat(query.value("fields")).contains("a,b+%41=c");
    }

    @Test
    void withoutAQueryNothingIsGiven() {
        assertThat(RawQuery.parse(null, KNOWN).value("start")).isEmpty();
        assertThat(RawQuery.parse("", List.of()).number("start", 5)).isEqualTo(5);
    }

    @Test
    void numbersAreHeldToTheirBounds() {
        assertThat(RawQuery.parse("start=9", KNOWN).number("start", 1, 9, 3)).isEqualTo(9);
        assertThat(RawQuery.parse("", KNOWN).number("start", 1, 9, 3)).isEqualTo(3);
        assertThatThrownBy(() -> RawQuery.parse("start=10", KNOWN).number("start", 1, 9, 3))
                .hasMessageContaining("start '10' is not a decimal from 1 to 9");
    }

    @ParameterizedTest
    @CsvSource(
            quoteCharacter = '"',
            value = {
                "begin=1, unknown query parameter 'begin'; known: start fields",
                "START=1, unknown query parameter 'START'; known: start fields",
                "start%20=1, unknown query parameter 'start '",
                "start=1&start=1, 'start' is given more than once; known: start fields",
                "start=1&st%61rt=2, 'start' is given more than once",
                "start=, 'start' has no value",
                "start, 'start' has no value; write start=… or leave it out; known: start fields",
                "start=1&, a query parameter without a name: ''; known: start fields",
                "&start=1, a query parameter without a name: ''",
                "=1, a query parameter without a name: '=1'",
                "start=%zz, '%zz' has a % without two hex digits",
                "%ff=1, '%ff' is not percent-encoded UTF-8",
                "start=1;fields=x&x=1, unknown query parameter 'x'",
            })
    void whatIsNoParameterIsRefusedWithThoseThereAre(String query, String words) {
        assertThatThrownBy(() -> RawQuery.parse(query, KNOWN))
                .isInstanceOfSatisfying(
                        TarponException.class, e -> assertThat(e.type()).isEqualTo(ProblemType.BAD_PARAMETER))
                .hasMessageContaining(words.replace("start fields", "start, fields"));
    }

    @Test
    void withoutParametersThereAreNone() {
        assertThatThrownBy(() -> RawQuery.parse("a=1", List.of())).hasMessageContaining("known: none");
    }
}
