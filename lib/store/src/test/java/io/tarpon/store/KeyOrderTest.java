package io.tarpon.store;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class KeyOrderTest {
    @Test
    void isTheOrderOfUtf8Bytes() {
        var keys = List.of(
                "", "a", "a-", "a/", "aa", "é", "\uD7FF", "\uE000", "\uFFFD", "\uFFFF", "😀", "😀a", "\uDBFF\uDFFF");
        for (String left : keys) {
            for (String right : keys) {
                assertThat(Integer.signum(KeyOrder.compare(left, right)))
                        .as("%s, %s", left, right)
                        .isEqualTo(Integer.signum(Arrays.compareUnsigned(left.getBytes(UTF_8), right.getBytes(UTF_8))));
            }
        }
    }
}
