package io.tarpon.servers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

class ArgumentsTest {
    private static Arguments parse(String... args) throws UsageException {
        return Arguments.parse(List.of("--port", "--topic"), args);
    }

    private static void refused(ThrowingCallable call, String message) {
        assertThatExceptionOfType(UsageException.class).isThrownBy(call).withMessageContaining(message);
    }

    @Test
    void repeatedValuesKeepTheirOrder() throws UsageException {
        assertThat(parse("--topic", "b", "--port", "1", "--topic", "a").all("--topic"))
                .containsExactly("b", "a");
    }

    @Test
    void absentPortIsAnyFreeOne() throws UsageException {
        assertThat(parse().port("--port")).isZero();
    }

    @Test
    void everyRefusalNamesTheArgument() {
        refused(() -> parse("--prot", "1"), "unknown argument \"--prot\"");
        refused(() -> parse("--port"), "--port needs a value");
        refused(() -> parse("--port", "1", "--port", "2").port("--port"), "--port is given 2 times");
        refused(
                () -> parse("--port", "65536").port("--port"),
                "--port must be a number from 0 to 65535, not \"65536\"");
        refused(() -> parse("--port", "http").port("--port"), "not \"http\"");
        refused(() -> parse().required("--topic"), "--topic is missing");
    }
}
