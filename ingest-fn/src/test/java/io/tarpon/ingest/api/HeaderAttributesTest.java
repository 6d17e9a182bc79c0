package io.tarpon.ingest.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class HeaderAttributesTest {
    @ParameterizedTest
    @CsvSource({
        "plain, plain",
        "a%20b, a b",
        "caf%C3%A9, café",
        "100%25, 100%",
        "%2541, %41",
        "\"quoted \\\" value\", quoted \" value",
    })
    void valuesAreDecodedOnce(String header, String value) {
        assertThat(attribute(header)).contains(value);
    }

    @ParameterizedTest
    @ValueSource(strings = {"%", "%4", "%zz", "%C3", "%ff"})
    void whatCannotBeDecodedNamesTheHeader(String header) {
        assertThatThrownBy(() -> attribute(header))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("ce-id");
    }

    @Test
    void otherHeadersAreNotAttributes() {
        assertThat(new HeaderAttributes(_ -> Optional.empty()).value("id")).isEmpty();
    }

    private static Optional<String> attribute(String header) {
        return new HeaderAttributes(name -> name.equals("ce-id") ? Optional.of(header) : Optional.empty()).value("id");
    }
}
