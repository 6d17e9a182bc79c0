package io.tarpon.block;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ByteSizeTest {
    @ParameterizedTest
    @CsvSource({
        "0,0",
        "17,17",
        "17B,17",
        "4KiB,4096",
        "512MiB,536870912",
        "512M,536870912",
        "2 GiB,2147483648",
        "1t,1099511627776"
    })
    void sizesAreReadInPowersOf1024(String text, long bytes) {
        assertThat(ByteSize.parse(text).bytes()).isEqualTo(bytes);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "-1", "1.5GiB", "GiB", "2GB", "99999999999TiB", "1e9"})
    void anythingElseIsRefused(String text) {
        assertThatThrownBy(() -> ByteSize.parse(text))
                .isInstanceOfAny(IllegalArgumentException.class, ArithmeticException.class);
    }
}
