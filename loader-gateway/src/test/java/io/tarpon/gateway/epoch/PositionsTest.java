package io.tarpon.gateway.epoch;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import io.tarpon.gateway.api.Listener;
import io.tarpon.gateway.fixture.MadeShard;
import io.tarpon.gateway.fixture.World;
import io.tarpon.gateway.fixture.WorldResource;
import io.tarpon.gateway.flow.HeapBudget;
import io.tarpon.gateway.order.EpochOrder;
import io.tarpon.gateway.order.EpochSeed;
import io.tarpon.gateway.order.SampleGroups;
import io.tarpon.testkit.Deadline;
import io.tarpon.testkit.RawClient;
import io.tarpon.wire.ShardRef;
import io.tarpon.wire.json.Json;
import jakarta.inject.Inject;
import java.io.IOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Which sample comes at which position, over HTTP.
@QuarkusTest
@NullUnmarked // The test framework fills the fields.
@QuarkusTestResource(WorldResource.class)
class PositionsTest {
    private static final AtomicInteger NUMBER = new AtomicInteger();
    private static final int SEED = 7;
    private static final int EPOCH = 3;
    private static final long SAMPLES = 10_151;

    /// 50 samples, 1, and then 10 times 1,010.
    private static final List<MadeShard> SHARDS = shards();

    World world;

    @Inject
    Listener listener;

    @Inject
    HeapBudget heap;

    private final String dataset = "positions" + NUMBER.incrementAndGet();
    private URI gateway;

    private static List<MadeShard> shards() {
        var random = new Random(11);
        var all = new ArrayList<MadeShard>();
        all.add(MadeShard.of("a", random, 50, _ -> random.nextInt(2_000)));
        all.add(MadeShard.of("b/b", random, 1, _ -> 700_000));
        for (int i = 0; i < 10; i++) {
            all.add(MadeShard.of("c" + i, random, 1_010, _ -> random.nextInt(700)));
        }
        return all;
    }

    @BeforeEach
    void seal() throws IOException {
        gateway = URI.create("http://127.0.0.1:" + listener.port() + "/");
        world.seal(dataset, 1, Map.of("train", SHARDS));
    }

    @ParameterizedTest
    @ValueSource(strings = {"global", "shard", "none"})
    void everyLineIsTheSampleOfItsPosition(String shuffle) throws IOException {
        var order = order(shuffle).reader();
        var lines = lines(url("?from=37&to=1037&shuffle=" + shuffle));
        assertThat(lines).hasSize(1_000);
        for (int i = 0; i < lines.size(); i++) {
            assertLine(lines.get(i), 37 + i, order.applyAsLong(37 + i));
        }
    }

    @Test
    void withoutAQueryTheFirstTenThousandComeInTheGlobalOrder() throws IOException {
        var order = order("global").reader();
        var lines = lines(url(""));
        assertThat(lines).hasSize(10_000);
        for (int i = 0; i < lines.size(); i++) {
            assertLine(lines.get(i), i, order.applyAsLong(i));
        }
        var rest = lines(url("?from=10000"));
        assertThat(rest).hasSize(151);
        assertLine(rest.getLast(), SAMPLES - 1, order.applyAsLong(SAMPLES - 1));
    }

    @Test
    void theBytesOfALineAreThoseOfTheContract() throws IOException {
        var size = SHARDS.get(1).index().members(0).getLast().size();
        assertThat(RawClient.get(gateway, url("?from=50&to=51&shuffle=none")).text())
                .isEqualTo("{\"position\":50,\"ordinal\":50,\"key\":\"b/b-0\",\"shard\":\"shard-000001\",\"sources\":["
                        + "{\"key\":\"in/b/b-0.cls\",\"etag\":\"e-1\"},{\"key\":\"in/b/b-0.jpg\",\"etag\":\"e-" + size
                        + "\"}]}\n");
    }

    @Test
    void itIsADocumentThatIsAskedForAnew() throws IOException {
        var url = url("?to=20");
        var get = RawClient.get(gateway, url);
        assertThat(get.status()).as(get.text()).isEqualTo(200);
        assertThat(get.header("content-type")).isEqualTo("application/jsonl");
        assertThat(get.header("cache-control")).isEqualTo("no-cache");
        var head = RawClient.ask(gateway, "HEAD", url);
        assertThat(head.header("content-length")).isEqualTo(Integer.toString(get.body().length));
        assertThat(head.header("etag")).isEqualTo(get.header("etag")).isNotEmpty();
        assertThat(RawClient.get(gateway, url, "If-None-Match: " + get.header("etag"))
                        .status())
                .isEqualTo(304);
        assertThat(RawClient.ask(gateway, "HEAD", url("?to=20&shuffle=none")).header("etag"))
                .isNotEqualTo(get.header("etag"));
    }

    @Test
    void theEndIsCutAndBehindItIsNothing() throws IOException {
        assertThat(lines(url("?from=10150&to=9223372036854775807"))).hasSize(1);
        for (var end : List.of("?from=10151", "?from=10151&to=10151", "?from=5&to=5")) {
            var answer = RawClient.get(gateway, url(end));
            assertThat(answer.status()).as(end).isEqualTo(200);
            assertThat(answer.header("content-length")).isEqualTo("0");
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        ?from=10152          | 400
        ?from=0&to=10001     | 400
        ?from=2&to=1         | 400
        ?from=-1             | 400
        ?from=01             | 400
        ?from=               | 400
        ?to=x                | 400
        ?to=1&to=2           | 400
        ?shuffle=block,shard | 400
        ?start=0             | 400
        ?batch=1             | 400
        """)
    void whatCannotBeIsRefused(String query, int status) throws IOException {
        var answer = RawClient.get(gateway, url(query));
        assertThat(answer.status()).as(answer.text()).isEqualTo(status);
        assertThat(answer.text()).contains("urn:tarpon:problem:bad-parameter");
    }

    @Test
    void latestLeadsToThePinnedVersion() throws IOException {
        var answer = RawClient.get(gateway, "/e/" + dataset + "/latest/train/7/3/positions?to=5");
        assertThat(answer.status()).isEqualTo(302);
        assertThat(answer.header("location")).endsWith("/e/" + dataset + "/v1/train/7/3/positions?to=5");
    }

    @Test
    void sharedShardsHaveTheirPlansWhereTheyWereBuilt() throws IOException {
        world.share(dataset, 2, 1, SHARDS);
        var url = "/e/" + dataset + "/v2/train/7/3/positions?to=100";
        assertThat(lines(url)).isEqualTo(lines(url.replace("/v2/", "/v1/")));
    }

    @Test
    void aPlanThatIsNotThatOfItsShardIsRefusedByName() throws IOException {
        var path = dataset + "/v1/train/shard-000000";
        var plan = SHARDS.getFirst().planBytes(ShardRef.parse(path));
        var url = url("?to=50&shuffle=none");
        assertThat(RawClient.get(gateway, url).status()).isEqualTo(200);
        var otherTag = new String(plan, java.nio.charset.StandardCharsets.UTF_8).replaceFirst("\"e-1\"", "\"e-2\"");
        for (var bytes : List.of(
                otherTag.getBytes(java.nio.charset.StandardCharsets.UTF_8),
                java.util.Arrays.copyOf(plan, plan.length - 100),
                java.util.Arrays.copyOf(plan, plan.length + 1),
                SHARDS.get(2).planBytes(ShardRef.parse(path)),
                new byte[0],
                "TARPON-PLAN 9\n".getBytes(java.nio.charset.StandardCharsets.US_ASCII))) {
            world.spoilPlan(path, bytes);
            assertUnavailable(RawClient.get(gateway, url));
        }
        world.losePlan(path);
        assertUnavailable(RawClient.get(gateway, url));
        assertThat(RawClient.get(gateway, url("?from=50&to=60&shuffle=none")).status())
                .as("of another shard")
                .isEqualTo(200);
        world.spoilPlan(path, plan);
        assertThat(RawClient.get(gateway, url).status()).isEqualTo(200);
    }

    @Test
    void whenAllIsAnsweredNoHeapIsHeld() throws IOException {
        for (var end : List.of("?to=3", "?from=10152", "?from=10151", "")) {
            RawClient.ask(gateway, "HEAD", url(end));
            RawClient.get(gateway, url(end));
            try (var client = new RawClient(gateway)) {
                client.send("GET", url(end));
            }
        }
        Deadline.until("all is given back", () -> heap.taken() == 0);
    }

    private static void assertUnavailable(RawClient.Answer answer) {
        assertThat(answer.status()).as(answer.text()).isEqualTo(503);
        assertThat(answer.text()).contains("urn:tarpon:problem:storage-unavailable", "/plan/train/shard-000000.");
        assertThat(answer.header("retry-after")).isNotEmpty();
    }

    private static void assertLine(JsonNode line, long position, long ordinal) {
        var shard = 0;
        var inside = ordinal;
        while (inside >= SHARDS.get(shard).index().sampleCount()) {
            inside -= SHARDS.get(shard++).index().sampleCount();
        }
        var index = SHARDS.get(shard).index();
        assertThat(line.get("position").asLong()).isEqualTo(position);
        assertThat(line.get("ordinal").asLong()).isEqualTo(ordinal);
        assertThat(line.get("key").asText()).isEqualTo(index.key((int) inside));
        assertThat(line.get("shard").asText()).isEqualTo("shard-%06d".formatted(shard));
        var sources = new ArrayList<String>();
        line.get("sources")
                .forEach(source -> sources.add(
                        source.get("key").asText() + " " + source.get("etag").asText()));
        assertThat(sources)
                .isEqualTo(index.members((int) inside).stream()
                        .map(member -> "in/" + member.name() + " e-" + member.size())
                        .toList());
    }

    private String url(String query) {
        return "/e/" + dataset + "/v1/train/" + SEED + "/" + EPOCH + "/positions" + query;
    }

    private List<JsonNode> lines(String url) throws IOException {
        var answer = RawClient.get(gateway, url);
        assertThat(answer.status()).as(answer.text()).isEqualTo(200);
        var lines = new ArrayList<JsonNode>();
        for (var line : answer.text().lines().toList()) {
            lines.add(Json.MAPPER.readTree(line));
        }
        return lines;
    }

    private static EpochOrder order(String shuffle) {
        var seed = new EpochSeed(SEED, EPOCH, World.digest(SHARDS));
        var firsts = new long[SHARDS.size()];
        for (int i = 1; i < firsts.length; i++) {
            firsts[i] = firsts[i - 1] + SHARDS.get(i - 1).index().sampleCount();
        }
        return switch (shuffle) {
            case "global" -> EpochOrder.global(seed, SAMPLES);
            case "shard" -> EpochOrder.shards(seed, SampleGroups.of(firsts, SAMPLES));
            case "none" -> EpochOrder.plain(SAMPLES);
            default -> throw new AssertionError(shuffle);
        };
    }
}
