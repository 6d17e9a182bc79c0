package io.tarpon.service.retry;

import static org.assertj.core.api.Assertions.assertThat;

import io.tarpon.wire.http.ProblemType;
import io.tarpon.wire.http.TarponException;
import java.io.IOException;
import java.net.http.HttpTimeoutException;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

class FailuresTest {
    @Test
    void whatIsNotAboutTheRequestMayPass() {
        var may = Arrays.stream(ProblemType.values())
                .filter(type -> Failures.mayPass(new TarponException(type, "no")))
                .map(ProblemType::wireName);

        assertThat(may)
                .containsExactly(
                        "unauthorized",
                        "forbidden",
                        "not-found",
                        "method-not-allowed",
                        "version-not-sealed",
                        "internal",
                        "overloaded",
                        "not-ready",
                        "storage-unavailable",
                        "insufficient-storage");
    }

    @Test
    void whatGotNoAnswerMayPass() {
        assertThat(Failures.mayPass(new HttpTimeoutException("too late"))).isTrue();
        assertThat(Failures.mayPass(new IOException("no route"))).isTrue();
    }

    @Test
    void aFaultOfTheProgramDoesNotPass() {
        assertThat(Failures.mayPass(new IllegalStateException("broken"))).isFalse();
    }
}
