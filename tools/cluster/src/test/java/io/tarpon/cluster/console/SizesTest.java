package io.tarpon.cluster.console;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SizesTest {
    @ParameterizedTest
    @CsvSource({
        "0,0",
        "1048576,1048576",
        "7B,7",
        "256MiB,268435456",
        "1KiB,1024",
        "3GiB,3221225472",
        "2TiB,2199023255552",
        "8388607TiB,9223370937343148032"
    })
    void readsBinaryUnits(String text, long bytes) {
        assertThat(Sizes.parse(text)).hasValue(bytes);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "MiB",
                "-1",
                "1.5GiB",
                "256MB",
                "1 KiB",
                "256mib",
                "8388608TiB",
                "999999999999TiB",
                "1234567890123",
                "१KiB"
            })
    void refusesEverythingElseAndWhatALongCannotHold(String text) {
        assertThat(Sizes.parse(text)).isEmpty();
    }

    @Test
    void writesThemForPeople() {
        assertThat(Sizes.human(0)).isEqualTo("0 B");
        assertThat(Sizes.human(1023)).isEqualTo("1023 B");
        assertThat(Sizes.human(1536)).isEqualTo("1.5 KiB");
        assertThat(Sizes.human(Long.MAX_VALUE)).isEqualTo("8388608.0 TiB");
    }
}
