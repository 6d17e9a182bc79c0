package io.tarpon.metadata.api;

import static io.tarpon.metadata.Fixtures.GROWING;
import static io.tarpon.metadata.Fixtures.SPEC;
import static io.tarpon.metadata.Fixtures.TRAIN;
import static io.tarpon.metadata.Fixtures.keeping;
import static io.tarpon.metadata.Fixtures.plan;
import static io.tarpon.metadata.Fixtures.seal;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.common.http.TestHTTPResource;
import io.quarkus.test.junit.QuarkusTest;
import io.tarpon.testkit.Deadline;
import io.tarpon.wire.DatasetName;
import io.tarpon.wire.ShardName;
import io.tarpon.wire.ShardRef;
import io.tarpon.wire.VersionId;
import io.tarpon.wire.client.MetadataClient;
import io.tarpon.wire.http.ProblemType;
import io.tarpon.wire.http.TarponException;
import io.tarpon.wire.http.WriteToken;
import io.tarpon.wire.metadata.BeginVersion;
import io.tarpon.wire.metadata.DatasetSpec;
import io.tarpon.wire.metadata.FailVersion;
import io.tarpon.wire.metadata.ReaderReport;
import io.tarpon.wire.metadata.VersionRecord;
import io.tarpon.wire.metadata.VersionState;
import java.io.IOException;
import java.net.URI;
import java.util.List;
import java.util.Queue;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// Growth, retries, removal and collection as the client of the control API sees them.
@QuarkusTest
@QuarkusTestResource(ServiceFolder.class)
class LivesTest {
    private static final VersionId V1 = new VersionId(1);
    private static final VersionId V2 = new VersionId(2);

    @TestHTTPResource
    URI base;

    private MetadataClient client;
    private DatasetName dataset;

    @BeforeEach
    void connect() {
        client = new MetadataClient(base, new WriteToken(ServiceFolder.TOKEN));
        dataset = new DatasetName("d" + UUID.randomUUID());
    }

    @AfterEach
    void disconnect() {
        client.close();
    }

    @Test
    void aVersionThatGrowsKeepsItsParentsShards() throws IOException {
        sealed(begin(SPEC), "p");
        var grown = begin(GROWING);
        assertThat(grown.parent()).isEqualTo(V1);
        var planned = client.plan(dataset, V2, keeping(plan("q", 2, 0), 1));
        assertThat(planned.splits().getFirst().sealedShards()).isEqualTo(1);
        assertThat(client.shard(ref(V2, 0)).home()).isEqualTo(ref(V1, 0));
        assertThat(client.seal(ref(V2, 1), seal(1, "new")).home()).isNull();
        assertThat(client.latest(dataset).version()).isEqualTo(V2);
        refused(ProblemType.CONFLICT, () -> {
            client.plan(dataset, begin(SPEC).version(), keeping(plan("r", 1, 0)));
        });
    }

    @Test
    void aFailedVersionIsRetried() throws IOException {
        begin(SPEC);
        client.fail(dataset, V1, new FailVersion("x.jpg vanished"));
        assertThat(client.retry(dataset, V1).state()).isEqualTo(VersionState.PLANNING);
        assertThat(client.retry(dataset, V1).state()).isEqualTo(VersionState.PLANNING);
        sealed(client.version(dataset, V1), "p");
        refused(ProblemType.CONFLICT, () -> client.retry(dataset, V1));
    }

    @Test
    void aRemovedVersionIsGoneForGoodAndCollected() throws Exception {
        sealed(begin(SPEC), "p");
        assertThat(client.remove(dataset, V1).state()).isEqualTo(VersionState.REMOVED);
        assertThat(client.remove(dataset, V1).reason()).isEqualTo("removed on request");
        refused(ProblemType.UNKNOWN_VERSION, () -> client.latest(dataset));
        assertThat(client.shard(ref(V1, 0)).seal()).as("open reads go on").isNotNull();
        await(() -> client.collectGarbage(false).waiting().stream()
                .noneMatch(waiting -> waiting.version().equals(dataset + "/v1")));
        refused(ProblemType.VERSION_REMOVED, () -> client.shard(ref(V1, 0)));
        refused(ProblemType.VERSION_REMOVED, () -> client.retry(dataset, V1));
    }

    @Test
    void aReaderHoldsWhatItReads() throws Exception {
        sealed(begin(SPEC), "p");
        client.remove(dataset, V1);
        await(() -> {
            client.reading("gateway 1".replace(' ', '-'), new ReaderReport(List.of(dataset + "/v1")));
            return client.collectGarbage(true).waiting().stream()
                    .anyMatch(waiting -> waiting.version().equals(dataset + "/v1")
                            && waiting.why().equals("open-reads"));
        });
        refused(ProblemType.BAD_PARAMETER, () -> client.reading("gateway-1", new ReaderReport(List.of("demo"))));
        refused(ProblemType.BAD_PARAMETER, () -> client.reading("gateway 1", new ReaderReport(List.of())));
    }

    @Test
    void aDatasetIsRemovedWhole() throws IOException {
        client.register(dataset, SPEC);
        sealed(begin(SPEC), "p");
        begin(SPEC);
        refused(ProblemType.CONFLICT, () -> client.remove(dataset));
        client.fail(dataset, V2, new FailVersion("cancelled"));
        var removed = client.remove(dataset);
        assertThat(removed.spec()).isNull();
        assertThat(removed.versions()).extracting(VersionRecord::state).containsOnly(VersionState.REMOVED);
        assertThat(client.remove(dataset)).isEqualTo(removed);
    }

    @Test
    void aFailedVersionExpires() throws Exception {
        begin(SPEC);
        client.fail(dataset, V1, new FailVersion("x.jpg vanished"));
        await(() -> client.version(dataset, V1).state() == VersionState.REMOVED);
        assertThat(client.version(dataset, V1).reason()).isEqualTo("failed and expired");
    }

    @Test
    void aTraceRunsFromTheRequestToItsEvents() throws Exception {
        var lines = new Lines();
        var logger = Logger.getLogger("io.tarpon.metadata.events");
        logger.addHandler(lines);
        try {
            var trace = "0af7651916cd43dd8448eb211c80319c";
            var begun = begin(SPEC);
            client.plan(dataset, V1, plan("p", 1, 0));
            client.with("00-" + trace + "-b7ad6b7169203331-01").seal(ref(V1, 0), seal(0, "p"));
            await(() -> lines.heard.stream()
                            .filter(line -> line.contains(dataset.value()))
                            .count()
                    == 3);
            assertThat(lines.heard.stream().filter(line -> line.contains(dataset.value())))
                    .satisfiesExactly(
                            line -> assertThat(line)
                                    .startsWith("version planned version=" + dataset + "/" + begun.version())
                                    .doesNotContain("trace="),
                            line -> assertThat(line)
                                    .startsWith("shard sealed shard=" + ref(V1, 0))
                                    .endsWith("-0 trace=" + trace),
                            line -> assertThat(line)
                                    .startsWith("version sealed version=" + dataset + "/v1")
                                    .endsWith("-1 trace=" + trace));
        } finally {
            logger.removeHandler(lines);
        }
    }

    private static final class Lines extends Handler {
        private final Queue<String> heard = new ConcurrentLinkedQueue<>();

        @Override
        public void publish(LogRecord line) {
            heard.add(line.getMessage());
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
    }

    private VersionRecord begin(DatasetSpec spec) throws IOException {
        return client.begin(dataset, new BeginVersion(UUID.randomUUID().toString(), spec));
    }

    private void sealed(VersionRecord version, String digestOf) throws IOException {
        client.plan(dataset, version.version(), plan(digestOf, 1, 0));
        client.seal(ref(version.version(), 0), seal(0, digestOf));
    }

    private ShardRef ref(VersionId version, int shard) {
        return new ShardRef(dataset, version, TRAIN, new ShardName(shard));
    }

    private static void await(Callable<Boolean> condition) throws Exception {
        Deadline.until("it is so", condition::call);
    }

    private interface Call {
        void make() throws IOException;
    }

    private static void refused(ProblemType type, Call call) {
        assertThatThrownBy(call::make)
                .isInstanceOfSatisfying(
                        TarponException.class, e -> assertThat(e.type()).isEqualTo(type));
    }
}
