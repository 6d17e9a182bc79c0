package io.tarpon.cluster.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.tarpon.cluster.CommandFailure;
import io.tarpon.testkit.FakeService;
import io.tarpon.wire.http.Problem;
import io.tarpon.wire.http.ProblemType;
import io.tarpon.wire.http.WriteToken;
import io.tarpon.wire.json.Json;
import io.tarpon.wire.letter.DeadLetter;
import io.tarpon.wire.letter.DeadLetterList;
import io.tarpon.wire.letter.LettersPutBack;
import java.io.IOException;
import java.time.Instant;
import java.util.List;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class DeadLettersTest {
    private static final String ID = "tarpon.uploads.dlq/0/17";
    private static final DeadLetter LETTER = new DeadLetter(
            ID, "tarpon.uploads", null, Instant.EPOCH, "unreadable", "no JSON", 3, null, new TreeMap<>(), "YWJj");

    private final FakeService service;
    private final DeadLetters letters;

    DeadLettersTest() throws IOException {
        service = new FakeService();
        letters = new DeadLetters(new Http(), service.url(), new WriteToken("0123456789abcdef"));
    }

    @AfterEach
    void close() {
        service.close();
    }

    @Test
    void lettersAreListedByNumberAndTopic() {
        var list = new DeadLetterList(List.of(LETTER), true, "tarpon.uploads.dlq/0/7");
        service.on("/v1/dead-letters?limit=5", FakeService.bytes(200, Json.bytes(list)))
                .on("/v1/dead-letters?limit=7&topic=tarpon.plans.dlq", FakeService.bytes(200, Json.bytes(list)));
        assertThat(letters.list(5)).isEqualTo(list);
        assertThat(letters.list(7, "tarpon.plans.dlq")).isEqualTo(list);
    }

    @Test
    void oneLetterComesWithItsBytes() {
        service.on("/v1/dead-letters/" + ID, FakeService.bytes(200, Json.bytes(LETTER)));
        assertThat(letters.letter(ID)).isEqualTo(LETTER);
    }

    @Test
    void aRetryCarriesTheToken() {
        var authorization = new AtomicReference<String>();
        service.on("/v1/dead-letters/" + ID + "/retry", exchange -> {
            authorization.set(exchange.getRequestHeaders().getFirst("Authorization"));
            exchange.sendResponseHeaders(204, -1);
        });
        letters.retry(ID);
        assertThat(authorization).hasValue("Bearer 0123456789abcdef");
        assertThat(service.requests()).containsExactly("POST /v1/dead-letters/" + ID + "/retry");
    }

    @Test
    void allArePutBackStepByStepWithTheToken() {
        var authorization = new AtomicReference<String>();
        var first = new LettersPutBack(List.of(ID), List.of(), "tarpon.uploads.dlq/0/18-30");
        var last = new LettersPutBack(List.of(), List.of("tarpon.uploads.dlq/0/20"), null);
        service.on("/v1/dead-letters/retry", exchange -> {
                    authorization.set(exchange.getRequestHeaders().getFirst("Authorization"));
                    FakeService.bytes(200, Json.bytes(first)).to(exchange);
                })
                .on(
                        "/v1/dead-letters/retry?from=tarpon.uploads.dlq%2F0%2F18-30",
                        FakeService.bytes(200, Json.bytes(last)));
        assertThat(letters.retryAll("")).isEqualTo(first);
        assertThat(letters.retryAll("tarpon.uploads.dlq/0/18-30")).isEqualTo(last);
        assertThat(authorization).hasValue("Bearer 0123456789abcdef");
        assertThat(service.requests()).allMatch(request -> request.startsWith("POST "));
    }

    @Test
    void aLetterThatIsNotThereIsSaidInTheServicesWords() {
        service.on("/v1/dead-letters/" + ID, problem(ProblemType.NOT_FOUND, "there is no letter " + ID));
        assertThat(catchThrowableOfType(CommandFailure.class, () -> letters.letter(ID)))
                .hasMessage("there is no letter " + ID);
    }

    @Test
    void whatIsNoIdIsWrongUseAndAsksNobody() {
        for (var wrong : new String[] {"", "17", "tarpon.uploads.dlq/0", "a/b/c", "../x/0/1", "t/0/1?x=y"}) {
            assertThat(catchThrowableOfType(CommandFailure.class, () -> letters.letter(wrong))
                            .exitCode())
                    .as(wrong)
                    .isEqualTo(CommandFailure.USAGE);
        }
        assertThat(service.requests()).isEmpty();
    }

    @Test
    void whatIsNoTopicIsWrongUseAndAsksNobody() {
        for (var wrong : new String[] {"", "a b", "a&limit=9", "a/b", "ü", "x".repeat(250)}) {
            assertThat(catchThrowableOfType(CommandFailure.class, () -> letters.list(5, wrong))
                            .exitCode())
                    .as(wrong)
                    .isEqualTo(CommandFailure.USAGE);
        }
        assertThat(service.requests()).isEmpty();
    }

    private static FakeService.Answer problem(ProblemType type, String detail) {
        return FakeService.bytes(type.status(), Json.bytes(Problem.of(type, detail)));
    }
}
