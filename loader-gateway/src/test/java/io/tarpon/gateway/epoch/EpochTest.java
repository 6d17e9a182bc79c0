package io.tarpon.gateway.epoch;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import io.tarpon.gateway.api.Listener;
import io.tarpon.gateway.fixture.MadeShard;
import io.tarpon.gateway.fixture.NodeDouble;
import io.tarpon.gateway.fixture.World;
import io.tarpon.gateway.fixture.WorldResource;
import io.tarpon.gateway.order.EpochOrder;
import io.tarpon.gateway.order.EpochSeed;
import io.tarpon.gateway.order.SampleGroups;
import io.tarpon.testkit.Deadline;
import io.tarpon.testkit.RawClient;
import io.tarpon.wire.index.IndexedMember;
import io.tarpon.wire.json.Json;
import io.tarpon.wire.tar.Ustar;
import jakarta.inject.Inject;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Epochs over HTTP: which bytes, over files of this host, nodes and the store.
@QuarkusTest
@NullUnmarked // The test framework fills the fields.
@QuarkusTestResource(WorldResource.class)
class EpochTest {
    private static final AtomicInteger NUMBER = new AtomicInteger();
    private static final int SEED = 7;
    private static final int EPOCH = 3;
    private static final Set<String> ALL = Set.of("cls", "jpg");

    World world;

    @Inject
    Listener listener;

    private final long randomSeed = System.nanoTime();
    private final Random random = new Random(randomSeed);
    private final String dataset = "epoch" + NUMBER.incrementAndGet();
    private final List<MadeShard> shards = List.of(
            MadeShard.of(dataset + "a", random, 50, _ -> random.nextInt(5) == 0 ? 0 : random.nextInt(40_000)),
            MadeShard.of(dataset + "b", random, 1, _ -> 700_000),
            MadeShard.of(dataset + "c", random, 150, _ -> random.nextInt(3_000)));
    private List<NodeDouble> nodes;
    private URI gateway;

    @BeforeEach
    void seal() throws IOException {
        gateway = URI.create("http://127.0.0.1:" + listener.port() + "/");
        world.seal(dataset, 1, Map.of("train", shards));
        nodes = world.threeNodes(dataset, shards);
    }

    @AfterEach
    void stopNodes() throws IOException {
        world.stop(nodes);
    }

    @ParameterizedTest
    @ValueSource(strings = {"global", "shard", "block", "none"})
    void aWholeEpochHasEverySampleInTheOrderOfItsShuffle(String shuffle) throws IOException {
        var answer = RawClient.get(gateway, url("0of1.tar?shuffle=" + shuffle));
        assertThat(answer.status()).as(answer.text()).isEqualTo(200);
        assertThat(answer.body()).as("seed %d", randomSeed).isEqualTo(body(order(shuffle), 0, samples(), ALL));
        assertThat(answer.header("tarpon-samples")).isEqualTo("201");
        assertThat(answer.header("tarpon-positions")).isEqualTo("0-200");
        assertThat(answer.header("tarpon-cursor")).isEqualTo("201");
        assertThat(answer.header("tarpon-order")).isEqualTo("p1");
        assertThat(answer.header("tarpon-version")).isEqualTo(dataset + "/v1");
    }

    @Test
    void anyRangeIsTheSliceOfTheWhole() throws IOException {
        var url = url("1of3/0of2.tar?batch=4&tail=keep&start=5");
        var whole = RawClient.get(gateway, url);
        var etag = whole.header("etag");
        for (int i = 0; i < 60; i++) {
            var from = random.nextInt(whole.body().length);
            var to = from + 1 + random.nextInt(whole.body().length - from);
            var part = RawClient.get(gateway, url, "Range: bytes=" + from + "-" + (to - 1), "If-Range: " + etag);
            assertThat(part.status()).isEqualTo(206);
            assertThat(part.body())
                    .as("seed %d, %d to %d", randomSeed, from, to)
                    .isEqualTo(Arrays.copyOfRange(whole.body(), from, to));
        }
    }

    @Test
    void everyRankHasItsBatchesInTheirOrder() throws IOException {
        var order = order("global");
        for (int rank = 0; rank < 3; rank++) {
            var positions = new ArrayList<Long>();
            for (long q = 0; q < 201; q++) {
                if (q / 4 % 3 == rank) {
                    positions.add(q);
                }
            }
            var answer = RawClient.get(gateway, url(rank + "of3.tar?batch=4&tail=keep"));
            assertThat(answer.body()).isEqualTo(body(order, positions, ALL));
            assertThat(answer.header("tarpon-samples")).isEqualTo(Integer.toString(positions.size()));
        }
    }

    @Test
    void fieldsLeaveTheOtherMembersOut() throws IOException {
        var answer = RawClient.get(gateway, url("0of1.tar?fields=cls"));
        assertThat(answer.body()).isEqualTo(body(order("global"), 0, samples(), Set.of("cls")));
        var middle = RawClient.get(gateway, url("0of1.tar?fields=cls"), "Range: bytes=70000-90000");
        assertThat(middle.body()).isEqualTo(Arrays.copyOfRange(answer.body(), 70_000, 90_001));
        assertThat(RawClient.get(gateway, url("0of1.tar?fields=cls,jpg")).body())
                .isEqualTo(RawClient.get(gateway, url("0of1.tar")).body());
    }

    @Test
    void theEndOfAnEpochIsAnEmptyTar() throws IOException {
        for (var tail : List.of("drop", "keep", "pad")) {
            var answer = RawClient.get(gateway, url("0of2.tar?start=201&tail=" + tail));
            assertThat(answer.status()).isEqualTo(200);
            assertThat(answer.body()).isEqualTo(new byte[Ustar.END_BYTES]);
            assertThat(answer.headers()).doesNotContainKey("tarpon-positions");
        }
    }

    @Test
    void headSaysWhatGetSends() throws IOException {
        var url = url("1of2.tar?batch=8");
        var get = RawClient.get(gateway, url);
        var head = RawClient.ask(gateway, "HEAD", url);
        for (var name : List.of("content-length", "etag", "tarpon-samples", "tarpon-cursor", "tarpon-dropped")) {
            assertThat(head.header(name)).as(name).isEqualTo(get.header(name)).isNotEmpty();
        }
        assertThat(head.header("content-length")).isEqualTo(Integer.toString(get.body().length));
    }

    @Test
    void everythingThatChangesBytesChangesTheETag() throws IOException {
        var tags = new ArrayList<String>();
        for (var url : List.of(
                url("0of1.tar"),
                url("0of1.tar?shuffle=none"),
                url("0of1.tar?fields=cls"),
                url("0of1.tar?start=1"),
                url("0of2.tar"),
                url("1of2.tar"),
                url("0of1/0of2.tar"),
                url("0of1.tar").replace("/7/3/", "/8/3/"),
                url("0of1.tar").replace("/7/3/", "/7/4/"))) {
            tags.add(RawClient.ask(gateway, "HEAD", url).header("etag"));
        }
        assertThat(tags).doesNotHaveDuplicates().doesNotContain("");
        var other = RawClient.get(gateway, url("0of1.tar"), "Range: bytes=5-9", "If-Range: " + tags.getLast());
        assertThat(other.status()).as("If-Range of another epoch").isEqualTo(200);
    }

    @Test
    void latestLeadsToThePinnedVersionWithItsQuery() throws IOException {
        var answer = RawClient.get(gateway, "/e/" + dataset + "/latest/train/7/3/0of2.tar?batch=2&shuffle=none");
        assertThat(answer.status()).isEqualTo(302);
        assertThat(answer.header("location")).endsWith("/e/" + dataset + "/v1/train/7/3/0of2.tar?batch=2&shuffle=none");
        assertThat(answer.header("cache-control")).isEqualTo("no-store");
    }

    @Test
    void theManifestNamesUrlsThatHoldTheRank() throws IOException {
        var whole = RawClient.get(gateway, url("1of2.tar?batch=4"));
        var json = json(url("1of2.json?batch=4&workers=2&pieces=3"));
        assertThat(json.get("samples").asLong()).isEqualTo(Long.parseLong(whole.header("tarpon-samples")));
        assertThat(json.get("bytes").asLong()).isEqualTo(whole.body().length);
        assertThat(json.get("urls")).hasSize(6);
        assertThat(json.get("pattern").isNull()).isTrue();
        long samples = 0;
        for (var url : json.get("urls")) {
            var path = URI.create(url.asText());
            var part = RawClient.get(gateway, path.getRawPath() + "?" + path.getRawQuery());
            samples += Long.parseLong(part.header("tarpon-samples"));
        }
        assertThat(samples).isEqualTo(json.get("samples").asLong());
    }

    @Test
    void aVersionOfEqualContentIsReadUnderItsOwnKeys() throws IOException {
        // No node has its blocks, so that every byte is the store's.
        var made = List.of(MadeShard.of(dataset + "e", random, 20, _ -> 5_000));
        world.seal(dataset, 3, Map.of("train", made));
        var url = url("0of1.tar").replace("/v1/", "/v3/");
        var first = RawClient.get(gateway, url);
        assertThat(first.status()).as(first.text()).isEqualTo(200);
        world.seal(dataset, 4, Map.of("train", made));
        world.lose(dataset + "/v3/train/shard-000000");
        var second = RawClient.get(gateway, url.replace("/v3/", "/v4/"));
        assertThat(second.status()).as("of a version whose twin is gone").isEqualTo(200);
        assertThat(second.body()).isEqualTo(first.body());
    }

    @Test
    void anOpenStreamSaysThatItWaitsForItsClient() throws Exception {
        // More than the sockets between the two hold.
        var large = MadeShard.of(dataset + "d", random, 100, _ -> 400_000);
        world.seal(dataset, 2, Map.of("train", List.of(large)));
        try (var client = new RawClient(gateway, 4096)) {
            client.send("GET", url("1of2.tar?tail=keep&shuffle=none").replace("/v1/", "/v2/"));
            Deadline.until("the stream waits for its client", () -> {
                var mine = mine();
                return mine != null && mine.get("waitsOn").asText().equals("client");
            });
            var mine = mine();
            assertThat(mine.get("rank").asInt()).isEqualTo(1);
            assertThat(mine.get("world").asInt()).isEqualTo(2);
            assertThat(mine.get("ofSamples").asLong()).isEqualTo(50);
            assertThat(mine.get("samples").asLong()).isBetween(1L, 49L);
            assertThat(mine.get("bytes").asLong())
                    .isPositive()
                    .isLessThan(mine.get("ofBytes").asLong());
            assertThat(mine.get("waitedOnClient").asDouble()).isPositive();
        }
        Deadline.until("a stream that was left is not shown", () -> mine() == null);
    }

    private JsonNode mine() {
        try {
            for (var stream : json("/v1/epochs").get("epochs")) {
                if (stream.get("dataset").asText().equals(dataset)) {
                    return stream;
                }
            }
            return null;
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        0of0.tar                 | 400 | bad-parameter
        2of2.tar                 | 400 | bad-parameter
        0of2/2of2.tar            | 400 | bad-parameter
        0of1.tar?start=202       | 400 | bad-parameter
        0of1.tar?start=-1        | 400 | bad-parameter
        0of1.tar?batch=1&batch=2 | 400 | bad-parameter
        0of1.tar?colour=red      | 400 | bad-parameter
        0of1.tar?fields=png      | 400 | bad-parameter
        0of1.tar?fields=         | 400 | bad-parameter
        0of999.tar?tail=pad      | 400 | bad-parameter
        0of1.json?pieces=202     | 400 | bad-parameter
        0of1.json?pieces=2&tail=pad | 400 | bad-parameter
        0of1.zip                 | 404 | not-found
        """)
    void whatCannotBeIsRefusedByName(String end, int status, String name) throws IOException {
        var answer = RawClient.get(gateway, url(end));
        assertThat(answer.status()).as(answer.text()).isEqualTo(status);
        assertThat(answer.text()).contains("urn:tarpon:problem:" + name);
    }

    @Test
    void aSplitThatIsNotThereIsNamed() throws IOException {
        var answer = RawClient.get(gateway, "/e/" + dataset + "/v1/dev/1/1/0of1.tar");
        assertThat(answer.status()).isEqualTo(404);
        assertThat(answer.text()).contains("unknown-split", "train");
    }

    private String url(String end) {
        return "/e/" + dataset + "/v1/train/" + SEED + "/" + EPOCH + "/" + end;
    }

    private JsonNode json(String url) throws IOException {
        var answer = RawClient.get(gateway, url);
        assertThat(answer.status()).as(answer.text()).isEqualTo(200);
        return Json.MAPPER.readTree(answer.body());
    }

    private long samples() {
        return shards.stream().mapToLong(shard -> shard.index().sampleCount()).sum();
    }

    private EpochOrder order(String shuffle) {
        var seed = new EpochSeed(SEED, EPOCH, World.digest(shards));
        return switch (shuffle) {
            case "global" -> EpochOrder.global(seed, samples());
            case "shard" -> EpochOrder.shards(seed, SampleGroups.of(new long[] {0, 50, 51}, samples()));
            case "block" -> EpochOrder.blocks(seed, SampleGroups.of(blocks(), samples()));
            case "none" -> EpochOrder.plain(samples());
            default -> throw new AssertionError(shuffle);
        };
    }

    private long[] blocks() {
        var firsts = new ArrayList<Long>();
        long before = 0;
        for (var shard : shards) {
            for (int number = 0; number < shard.index().blockCount(); number++) {
                var block = shard.index().block(number);
                if (block.samples() > 0) {
                    firsts.add(before + block.firstSample());
                }
            }
            before += shard.index().sampleCount();
        }
        return firsts.stream().mapToLong(Long::longValue).toArray();
    }

    private byte[] body(EpochOrder order, long from, long to, Set<String> fields) {
        var positions = new ArrayList<Long>();
        for (long position = from; position < to; position++) {
            positions.add(position);
        }
        return body(order, positions, fields);
    }

    /// What is expected, made from the shards' members.
    private byte[] body(EpochOrder order, List<Long> positions, Set<String> fields) {
        var out = new ByteArrayOutputStream();
        var reader = order.reader();
        for (long position : positions) {
            var ordinal = reader.applyAsLong(position);
            var shard = 0;
            while (ordinal >= shards.get(shard).index().sampleCount()) {
                ordinal -= shards.get(shard++).index().sampleCount();
            }
            for (IndexedMember member : shards.get(shard).index().members((int) ordinal)) {
                if (fields.contains(member.extension())) {
                    var from = (int) member.headerOffset();
                    out.write(shards.get(shard).tar(), from, (int) member.tarLength());
                }
            }
        }
        out.writeBytes(Ustar.end());
        return out.toByteArray();
    }
}
