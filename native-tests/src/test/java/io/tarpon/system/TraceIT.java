package io.tarpon.system;

import static org.assertj.core.api.Assertions.assertThat;

import io.tarpon.system.SpanReceiver.Span;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// With an endpoint set, one trace runs from an upload to its seals, and one from a read to the blocks it asks nodes
/// for.
class TraceIT {
    private static final String CALLERS_TRACE = "4bf92f3577b34da6a3ce929d0e0e4736";
    private static final String CALLER = "00f067aa0ba902b7";
    private static final String SHARD = "/d/traced/v1/train/shard-000000.tar";
    private static final String SEAL = "metadata SealShard";
    private static final Pattern COMPLAINT = Pattern.compile("(?i)(WARN|ERROR) .*(otel|telemetry|otlp|export|span)");

    @TempDir
    static Path scratch = Path.of("");

    private static SpanReceiver receiver;
    private static Tarpon tarpon;
    private static int shards;

    @BeforeAll
    static void startAndIngest() throws IOException {
        receiver = new SpanReceiver();
        tarpon = new Tarpon(scratch.resolve("home"), receiver.environment());
        tarpon.run("up").succeeded();
        var folder = Folders.plain(scratch.resolve("traced"), 3, 40, 60_000, 7);
        tarpon.run("ingest", folder.toString(), "--dataset", "traced", "--shard-size", "2MiB")
                .succeeded();
        shards = tarpon.shards("traced").size();
    }

    @AfterAll
    static void stop() {
        tarpon.close();
        receiver.close();
    }

    @Test
    void oneTraceRunsFromTheUploadToEverySeal() {
        Tarpon.await("a span of every seal", () -> receiver.named(SEAL).size() >= shards);
        Tarpon.await(
                "a span of every build", () -> receiver.named("build shard").size() >= shards);
        Tarpon.await(
                "the spans of ingest-fn",
                () -> !receiver.named("accept upload").isEmpty()
                        && !receiver.named("plan upload").isEmpty());
        assertThat(shards).isGreaterThan(1);
        var upload = receiver.named("accept upload").getFirst();
        assertThat(upload.parent()).isEmpty();
        assertThat(receiver.named(SEAL))
                .allSatisfy(seal -> assertThat(seal.trace()).isEqualTo(upload.trace()));
        assertThat(receiver.of(upload.trace()).stream().map(Span::service).collect(Collectors.toSet()))
                .containsExactlyInAnyOrder("ingest-fn", "shard-fn", "metadata-svc");
        for (var seal : receiver.named(SEAL)) {
            var build = cause(seal);
            assertThat(build.service() + " " + build.name()).isEqualTo("shard-fn build shard");
            assertThat(build.attributes())
                    .containsEntry("tarpon.dataset", "traced")
                    .containsEntry("tarpon.version", "v1")
                    .containsEntry("tarpon.result", "sealed")
                    .hasEntrySatisfying(
                            "tarpon.shard", shard -> assertThat(shard).startsWith("traced/v1/train/shard-"));
            var plan = cause(build);
            assertThat(plan.service() + " " + plan.name()).isEqualTo("ingest-fn plan upload");
            assertThat(cause(plan)).isEqualTo(upload);
        }
    }

    @Test
    void oneTraceRunsFromAReadToItsBlocks() {
        var answer = tarpon.get(SHARD, "traceparent", "00-" + CALLERS_TRACE + "-" + CALLER + "-01");
        assertThat(answer.statusCode()).isEqualTo(200);
        Tarpon.await(
                "the spans of a read and of its blocks",
                () -> receiver.of(CALLERS_TRACE).stream()
                                .map(Span::service)
                                .collect(Collectors.toSet())
                                .size()
                        == 2);
        var blocks = receiver.of(CALLERS_TRACE).stream()
                .filter(span -> span.name().equals("read block"))
                .toList();
        assertThat(blocks).isNotEmpty().allSatisfy(block -> {
            assertThat(block.service()).isEqualTo("block-svc");
            assertThat(block.attributes())
                    .containsEntry("tarpon.shard", "traced/v1/train/shard-000000")
                    .containsEntry("http.response.status_code", "200")
                    .containsKeys("tarpon.block", "tarpon.result");
            var read = cause(block);
            assertThat(read.service()).isEqualTo("loader-gateway");
            assertThat(read.parent()).isEqualTo(CALLER);
            assertThat(read.attributes())
                    .containsEntry("tarpon.dataset", "traced")
                    .containsEntry("http.response.status_code", "200");
        });
    }

    @Test
    void whatIsNoTraceparentBeginsATraceOfItsOwn() {
        assertThat(tarpon.head(SHARD, "traceparent", "00-ffff-1-01").statusCode())
                .isEqualTo(200);
        Tarpon.await(
                "the span of a read that nobody caused",
                () -> receiver.named("read").stream()
                        .anyMatch(read -> read.parent().isEmpty()));
    }

    @Test
    void noServiceComplainsOfItsTraces() throws IOException {
        for (var log : Folders.find(tarpon.home().resolve("logs"), ".log")) {
            assertThat(Files.readAllLines(tarpon.home().resolve("logs").resolve(log)))
                    .as(log)
                    .noneMatch(line -> COMPLAINT.matcher(line).find());
        }
    }

    private static Span cause(Span span) {
        return receiver.spans().stream()
                .filter(other -> other.id().equals(span.parent()))
                .findFirst()
                .orElseThrow(() -> new AssertionError("the cause of " + span + " was not exported"));
    }
}
