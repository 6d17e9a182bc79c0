package io.tarpon.system;

import static org.assertj.core.api.Assertions.assertThat;

import io.tarpon.testkit.Deadline;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.TempDir;

/// Uploads into a real S3 server, told by notifications as AWS, MinIO and Ceph write them, make versions by themselves;
/// told again, in any order, they change nothing.
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class NotificationIT {
    private static final String UPLOADS = "tarpon.uploads";
    private static final String GROUP = "ingest-fn";
    private static final String RAW = "raw";
    private static final int REPLAYS = 10;

    /// Names that each dialect writes in another way.
    private static final List<String> NAMES = List.of(
            "rose/img 1+2.bin",
            "rose/100%.bin",
            "rose/café.bin",
            "tulip/000001.bin",
            "tulip/000001.cls",
            "tulip/a&b=c.bin");

    private static final List<Told> TOLD = new ArrayList<>();

    @TempDir
    static Path scratch = Path.of("");

    private static Tarpon tarpon = new Tarpon(Path.of(""));
    private static Optional<Broker> broker = Optional.empty();

    private record Told(Optional<String> key, byte[] value) {}

    @BeforeAll
    static void start() {
        tarpon = new Tarpon(scratch.resolve("home"));
        tarpon.run("up", "--store", "s3").succeeded();
        broker = Optional.of(new Broker(tarpon));
    }

    @AfterAll
    static void stop() {
        broker.ifPresent(Broker::close);
        tarpon.close();
    }

    private static void send(Told told) {
        broker.orElseThrow().send(UPLOADS, told.key(), told.value());
    }

    private static Told told(Dialect dialect, Buckets.Stored stored) {
        var told = new Told(
                dialect.key(stored), dialect.value(stored, Instant.now()).getBytes(StandardCharsets.UTF_8));
        TOLD.add(told);
        return told;
    }

    private static byte[] content(Dialect dialect, String name) {
        var bytes = new byte[2000 + name.length()];
        new Random(31L * dialect.name().hashCode() + name.hashCode()).nextBytes(bytes);
        return bytes;
    }

    @Test
    @Order(1)
    void anUploadToldInEachDialectEndsInASealedVersion() throws IOException {
        var buckets = Buckets.of(tarpon);
        for (var dialect : Dialect.values()) {
            for (var name : NAMES) {
                send(told(dialect, buckets.put(RAW, dialect.dataset() + "/" + name, content(dialect, name))));
            }
            send(told(dialect, buckets.put(RAW, dialect.dataset() + "/_SUCCESS", new byte[0])));
        }
        for (var dialect : Dialect.values()) {
            tarpon.awaitState(dialect.dataset(), "v1", "sealed");
            var inputs = tarpon.run("show", dialect.dataset(), "--json")
                    .succeeded()
                    .json()
                    .get("inputs");
            assertThat(inputs.get("members").asInt()).as(dialect.name()).isEqualTo(NAMES.size());
            assertThat(inputs.get("leftOut").get("marker").asInt()).isEqualTo(1);
            tarpon.run("verify", dialect.dataset(), "--source").succeeded();
        }
    }

    @Test
    @Order(2)
    void tenReplaysInRandomOrderChangeNothing() {
        var before = tarpon.run("ls", "--all", "--json").succeeded().json();
        long seed = System.nanoTime();
        System.out.println("replays in the order of seed " + seed);
        var random = new Random(seed);
        var replayed = new ArrayList<Told>();
        for (int replay = 0; replay < REPLAYS; replay++) {
            replayed.addAll(TOLD);
        }
        Collections.shuffle(replayed, random);
        replayed.forEach(NotificationIT::send);
        broker.orElseThrow().awaitConsumed(UPLOADS, GROUP);
        assertThat(tarpon.run("ls", "--all", "--json").succeeded().json())
                .as("seed " + seed)
                .isEqualTo(before);
        assertThat(tarpon.run("dlq", "ls", "--json").succeeded().json()).isEmpty();
    }

    @Test
    @Order(3)
    void aMarkerThatIsAnnouncedBeforeItIsVisibleIsWaitedFor() throws Exception {
        var buckets = Buckets.of(tarpon);
        buckets.put(RAW, "early/a.bin", new byte[100]);
        var marker = buckets.put(RAW, "elsewhere/_SUCCESS", new byte[0]);
        var announced = new Buckets.Stored(RAW, "early/_SUCCESS", 0, marker.etag());
        broker.orElseThrow().awaitConsumed(UPLOADS, GROUP);
        var taken = taken();
        send(told(Dialect.CEPH, announced));
        Deadline.until("the announcement is taken", () -> taken() > taken);
        // Longer than the pause before a second look, and than a commit waits: a message that does not wait is done by
        // then.
        Deadline.always(
                Duration.ofSeconds(3), "it waits", () -> !broker.orElseThrow().isConsumed(UPLOADS, GROUP));
        assertThat(tarpon.versions("early")).isEmpty();
        // What comes after the announcement is in the version as well: the listing counts, not the events.
        buckets.put(RAW, "early/b.bin", new byte[200]);
        buckets.put(RAW, "early/_SUCCESS", new byte[0]);
        tarpon.awaitState("early", "v1", "sealed");
        var inputs = tarpon.run("show", "early", "--json").succeeded().json().get("inputs");
        assertThat(inputs.get("members").asInt()).isEqualTo(2);
        tarpon.run("verify", "early", "--source").succeeded();
    }

    /// How many messages ingest-fn has got from the broker.
    private static double taken() {
        return tarpon.metric("ingest-fn", "kafka_consumer_fetch_manager_records_consumed_total", "");
    }

    @Test
    @Order(4)
    void aNewMarkerMakesANewVersion() throws IOException {
        var buckets = Buckets.of(tarpon);
        var dataset = Dialect.MINIO.dataset();
        buckets.put(RAW, dataset + "/rose/more.bin", new byte[500]);
        // An empty marker has the same tag every time; what it closes has not.
        send(told(Dialect.MINIO, buckets.put(RAW, dataset + "/_SUCCESS", "again".getBytes(StandardCharsets.UTF_8))));
        tarpon.awaitState(dataset, "v2", "sealed");
        var inputs =
                tarpon.run("show", dataset + "@v2", "--json").succeeded().json().get("inputs");
        assertThat(inputs.get("members").asInt()).isEqualTo(NAMES.size() + 1);
    }
}
