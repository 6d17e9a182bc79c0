package io.tarpon.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.tarpon.cluster.client.Http;
import io.tarpon.cluster.client.IngestRequests;
import io.tarpon.cluster.console.Console;
import io.tarpon.testkit.FakeService;
import io.tarpon.wire.DatasetName;
import io.tarpon.wire.VersionId;
import io.tarpon.wire.client.MetadataClient;
import io.tarpon.wire.event.DatasetUploaded;
import io.tarpon.wire.http.Problem;
import io.tarpon.wire.http.ProblemType;
import io.tarpon.wire.http.WriteToken;
import io.tarpon.wire.json.Json;
import io.tarpon.wire.metadata.DatasetSpec;
import io.tarpon.wire.metadata.Inputs;
import io.tarpon.wire.metadata.VersionRecord;
import io.tarpon.wire.metadata.VersionState;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class IngestRunTest {
    private static final DatasetName DEMO = new DatasetName("demo");
    private static final DatasetUploaded REQUEST = new DatasetUploaded("file:///data", DEMO, null, false);
    private static final IngestRun.Patience SHORT = new IngestRun.Patience(
            Duration.ofSeconds(1), Duration.ofSeconds(2), Duration.ofMillis(300), Duration.ofSeconds(2));

    private final FakeService service;
    private final MetadataClient metadata;
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();
    private final AtomicReference<String> authorization = new AtomicReference<>("");

    IngestRunTest() throws IOException {
        service = new FakeService();
        metadata = MetadataClient.readOnly(URI.create(service.url()));
        service.on("/", exchange -> {
            authorization.set(exchange.getRequestHeaders().getFirst("Authorization"));
            var event = Json.MAPPER.readTree(exchange.getRequestBody());
            assertThat(event.get("type").asText()).isEqualTo(DatasetUploaded.TYPE);
            id.set(event.get("id").asText());
            service.on("/v1/requests/" + id.get(), answers);
            exchange.sendResponseHeaders(202, -1);
        });
    }

    private final AtomicReference<String> id = new AtomicReference<>("");
    private FakeService.Answer[] answers = {};

    @AfterEach
    void close() {
        metadata.close();
        service.close();
    }

    private VersionRecord run(FakeService.Answer... inTurn) {
        answers = inTurn;
        var console = new Console(
                new PrintStream(OutputStream.nullOutputStream()),
                new PrintStream(err, true, StandardCharsets.UTF_8),
                false,
                false);
        var token = new WriteToken("0123456789abcdef");
        return new IngestRun(console, metadata, new IngestRequests(new Http(), service.url(), token), SHORT)
                .run(REQUEST);
    }

    private static VersionRecord version(
            int number, VersionState state, long revision, @Nullable String reason, @Nullable VersionId sameAs) {
        return new VersionRecord(
                DEMO,
                new VersionId(number),
                state,
                revision,
                "r",
                reason,
                sameAs,
                null,
                null,
                null,
                null,
                DatasetSpec.of("file:///data"),
                Inputs.NONE,
                List.of(),
                Instant.EPOCH,
                null);
    }

    private static FakeService.Answer answer(VersionState state, long revision) {
        return FakeService.bytes(200, Json.bytes(version(1, state, revision, null, null)));
    }

    private static FakeService.Answer notYet() {
        return problem(ProblemType.UNKNOWN_VERSION, "not begun");
    }

    @Test
    void aVersionIsFollowedUntilItIsSealed() {
        var sealed = run(
                notYet(),
                answer(VersionState.PLANNING, 1),
                answer(VersionState.PLANNING, 1),
                answer(VersionState.BUILDING, 2),
                answer(VersionState.SEALED, 3));
        assertThat(sealed.state()).isEqualTo(VersionState.SEALED);
        assertThat(authorization.get()).isEqualTo("Bearer 0123456789abcdef");
    }

    @Test
    void aFailedVersionComesBackWithItsReason() {
        var failed = run(FakeService.bytes(200, Json.bytes(version(1, VersionState.FAILED, 4, "no-samples", null))));
        assertThat(failed.state()).isEqualTo(VersionState.FAILED);
        assertThat(failed.reason()).isEqualTo("no-samples");
    }

    @Test
    void anEqualPlanGivesTheEarlierVersion() {
        service.on(
                "/v1/datasets/demo/versions/v1",
                problem(ProblemType.NOT_READY, "wait"),
                answer(VersionState.SEALED, 3));
        var same = run(FakeService.bytes(
                200, Json.bytes(version(2, VersionState.REMOVED, 5, "same plan as v1", new VersionId(1)))));
        assertThat(same.version()).isEqualTo(new VersionId(1));
        assertThat(err.toString(StandardCharsets.UTF_8)).contains("demo@v1").contains("--force");
    }

    @Test
    void theVersionInWorkThatIsGivenInsteadIsFollowedToItsEnd() {
        service.on("/v1/datasets/demo/versions/v1", answer(VersionState.BUILDING, 3), answer(VersionState.SEALED, 4));
        var same = run(FakeService.bytes(
                200, Json.bytes(version(2, VersionState.REMOVED, 5, "same plan as v1", new VersionId(1)))));
        assertThat(same.version()).isEqualTo(new VersionId(1));
        assertThat(same.state()).isEqualTo(VersionState.SEALED);
    }

    @Test
    void aServiceThatIsAwayForAMomentIsAskedAgain() {
        var sealed = run(
                problem(ProblemType.NOT_READY, "starting"),
                FakeService.cut("{"),
                answer(VersionState.BUILDING, 2),
                FakeService.text(500, "oops"),
                answer(VersionState.SEALED, 3));
        assertThat(sealed.state()).isEqualTo(VersionState.SEALED);
    }

    @Test
    void aRequestThatBeginsNothingIsGivenUp() {
        var failure = catchThrowableOfType(CommandFailure.class, () -> run(notYet()));
        assertThat(failure).hasMessageContaining("no version was begun");
        assertThat(failure.next()).contains("logs ingest-fn");
    }

    @Test
    void aVersionThatStandsStillIsSaidAndInTheEndGivenUp() {
        var failure = catchThrowableOfType(CommandFailure.class, () -> run(answer(VersionState.BUILDING, 2)));
        assertThat(failure).hasMessageContaining("demo@v1 is building and has not moved");
        assertThat(err.toString(StandardCharsets.UTF_8))
                .contains("without a step")
                .contains("./tarpon status");
    }

    @Test
    void aRefusedRequestFailsWithItsDetail() {
        service.on("/", problem(ProblemType.UNAUTHORIZED, "this request needs a token"));
        var failure = catchThrowableOfType(CommandFailure.class, () -> run(notYet()));
        assertThat(failure).hasMessage("this request needs a token");
        assertThat(failure.exitCode()).isEqualTo(CommandFailure.FAILED);
    }

    private static FakeService.Answer problem(ProblemType type, String detail) {
        return FakeService.bytes(type.status(), Json.bytes(Problem.of(type, detail)));
    }
}
