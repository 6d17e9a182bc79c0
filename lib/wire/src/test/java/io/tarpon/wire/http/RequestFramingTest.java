package io.tarpon.wire.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;

class RequestFramingTest {
    @Test
    void plainRequestsPass() {
        assertThat(RequestFraming.flaw(List.of(), List.of(), List.of("h"))).isEmpty();
        assertThat(RequestFraming.flaw(List.of("12"), List.of(), List.of("h"))).isEmpty();
        assertThat(RequestFraming.flaw(List.of(), List.of("Chunked"), List.of("h")))
                .isEmpty();
    }

    @Test
    void ambiguousLengthsAreRefused() {
        assertThat(RequestFraming.flaw(List.of("1"), List.of("chunked"), List.of()))
                .isPresent();
        assertThat(RequestFraming.flaw(List.of(), List.of("chunked, identity"), List.of()))
                .isPresent();
        assertThat(RequestFraming.flaw(List.of(), List.of("gzip", "chunked"), List.of()))
                .isPresent();
        assertThat(RequestFraming.flaw(List.of("1", "1"), List.of(), List.of())).isPresent();
        assertThat(RequestFraming.flaw(List.of("+5"), List.of(), List.of())).isPresent();
        assertThat(RequestFraming.flaw(List.of(), List.of(), List.of("a", "b"))).isPresent();
    }

    @Test
    void onlyTheTokenOpensWrites() {
        var token = new WriteToken("0123456789abcdef\n");
        token.check("Bearer 0123456789abcdef");
        token.check(token.headerValue());
        for (var header : new String[] {"", "Bearer", "Bearer 0123456789abcdee", "Basic 0123456789abcdef"}) {
            assertThatThrownBy(() -> token.check(header)).isInstanceOf(TarponException.class);
        }
        assertThatThrownBy(() -> token.check(null)).isInstanceOf(TarponException.class);
    }
}
