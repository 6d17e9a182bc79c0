package io.tarpon.cli.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.tarpon.cluster.CommandFailure;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DatasetRefTest {
    @Test
    void withoutAVersionTheLatestIsMeant() {
        assertThat(DatasetRef.parse("demo").version()).isEqualTo("latest");
        assertThat(DatasetRef.parse("demo@latest").version()).isEqualTo("latest");
        assertThat(DatasetRef.parse("my_set-2@v12").version()).isEqualTo("v12");
        assertThat(DatasetRef.parse("my_set-2@v12").dataset().value()).isEqualTo("my_set-2");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "@v1",
                "demo@",
                "demo@1",
                "demo@v0",
                "demo@v01",
                "demo@v1@v2",
                "Demo",
                "a/b",
                "demo@v99999999999"
            })
    void anythingElseIsWrongUse(String text) {
        var failure = catchThrowableOfType(CommandFailure.class, () -> DatasetRef.parse(text));
        assertThat(failure.exitCode()).isEqualTo(CommandFailure.USAGE);
        assertThat(failure.next()).contains("demo@v1");
    }
}
