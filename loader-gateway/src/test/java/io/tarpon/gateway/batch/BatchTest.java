package io.tarpon.gateway.batch;

import static org.assertj.core.api.Assertions.assertThat;

import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import io.tarpon.gateway.api.Listener;
import io.tarpon.gateway.fixture.MadeShard;
import io.tarpon.gateway.fixture.NodeDouble;
import io.tarpon.gateway.fixture.World;
import io.tarpon.gateway.fixture.WorldResource;
import io.tarpon.gateway.flow.HeapBudget;
import io.tarpon.testkit.Deadline;
import io.tarpon.testkit.RawClient;
import io.tarpon.wire.metadata.VersionState;
import io.tarpon.wire.tar.Ustar;
import io.tarpon.wire.tar.UstarHeader;
import jakarta.inject.Inject;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// Batches over HTTP: which bytes, across shards, files of this host, nodes and the store.
@QuarkusTest
@NullUnmarked // The test framework fills the fields.
@QuarkusTestResource(WorldResource.class)
class BatchTest {
    private static final AtomicInteger NUMBER = new AtomicInteger();
    private static final int SAMPLES = 206;
    private static final Set<String> ALL = Set.of("cls", "jpg", "txt");

    World world;

    @Inject
    Listener listener;

    @Inject
    HeapBudget heap;

    private final long randomSeed = System.nanoTime();
    private final Random random = new Random(randomSeed);
    private final String dataset = "batch" + NUMBER.incrementAndGet();

    /// The last shard has five samples, `some-0` to `some-4`, of which the odd ones have no `cls` but a `txt`.
    private final List<MadeShard> shards = List.of(
            MadeShard.of("a", random, 50, _ -> random.nextInt(5) == 0 ? 0 : random.nextInt(40_000)),
            MadeShard.of("b/b", random, 1, _ -> 700_000),
            MadeShard.of("c", random, 150, _ -> random.nextInt(3_000)),
            some());
    private List<NodeDouble> nodes;
    private URI gateway;

    private static MadeShard some() {
        var samples = new LinkedHashMap<String, SortedMap<String, byte[]>>();
        for (int i = 0; i < 5; i++) {
            var data = new byte[600 + i];
            Arrays.fill(data, (byte) ('0' + i));
            samples.put("some-" + i, new TreeMap<>(Map.of("jpg", data, i % 2 == 0 ? "cls" : "txt", data)));
        }
        return MadeShard.of(samples);
    }

    @BeforeEach
    void seal() throws IOException {
        gateway = URI.create("http://127.0.0.1:" + listener.port() + "/");
        world.seal(dataset, 1, Map.of("train", shards));
        nodes = world.threeNodes(dataset, shards);
    }

    @AfterEach
    void stopNodes() throws IOException {
        world.stop(nodes);
        Deadline.until("all is given back", () -> heap.taken() == 0);
    }

    @Test
    void samplesComeInTheOrderOfTheBatchHoweverTheyAreNamed() throws IOException {
        var json = new ArrayList<String>();
        var expected = new ByteArrayOutputStream();
        for (int i = 0; i < 300; i++) {
            var ordinal = random.nextInt(SAMPLES);
            json.add(
                    switch (i % 4) {
                        case 0 -> Integer.toString(ordinal);
                        case 1 -> "\"" + key(ordinal) + "\"";
                        case 2 -> "{\"ordinal\":" + ordinal + "}";
                        default -> "{\"key\":\"" + key(ordinal) + "\"}";
                    });
            expected.writeBytes(sample(ordinal, ALL));
        }
        expected.writeBytes(Ustar.end());
        var answer = post(batch(String.join(",", json)));
        assertThat(answer.status()).as(answer.text()).isEqualTo(200);
        assertThat(answer.body()).as("seed %d", randomSeed).isEqualTo(expected.toByteArray());
        assertThat(answer.header("content-type")).isEqualTo("application/x-tar");
        assertThat(answer.header("cache-control")).isEqualTo("no-store");
        assertThat(answer.header("tarpon-samples")).isEqualTo("300");
        assertThat(answer.header("tarpon-version")).isEqualTo(dataset + "/v1");
    }

    @Test
    void aRepeatedSampleIsServedAsAsked() throws IOException {
        assertThat(post(batch("7,7,\"" + key(7) + "\"")).body())
                .isEqualTo(tar(sample(7, ALL), sample(7, ALL), sample(7, ALL)));
    }

    @Test
    void fieldsOfAnEntryWinOverThoseOfTheBatch() throws IOException {
        var answer = post(batch(
                "3,{\"ordinal\":4,\"fields\":[\"jpg\"]},{\"key\":\"a-5\",\"fields\":[\"jpg\",\"cls\"]},6",
                ",\"fields\":[\"cls\",\"cls\"]"));
        assertThat(answer.body())
                .isEqualTo(tar(
                        sample(3, Set.of("cls")), sample(4, Set.of("jpg")), sample(5, ALL), sample(6, Set.of("cls"))));
    }

    @Test
    void noSamplesAreAnEmptyTar() throws IOException {
        var answer = post(batch(""));
        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.body()).isEqualTo(Ustar.end());
        assertThat(answer.header("tarpon-samples")).isEqualTo("0");
    }

    @Test
    void theLastOrdinalIsThereAndTheNextIsMissing() throws IOException {
        assertThat(post(batch("205")).body()).isEqualTo(tar(sample(205, ALL)));
        for (var ordinal : List.of("206", "9223372036854775807")) {
            assertProblem(post(batch("0," + ordinal)), 404, "unknown-sample", "samples[1] ordinal " + ordinal);
        }
    }

    @Test
    void whatIsMissingIsRefusedNamingTheFirstTen() throws IOException {
        var entries = IntStream.range(0, 12)
                .mapToObj(i -> i % 2 == 0 ? "\"no-" + i + "\"" : Integer.toString(1_000 + i))
                .collect(Collectors.joining(",", "5,", ""));
        var answer = post(batch(entries));
        assertProblem(answer, 404, "unknown-sample", "12 of 13", "samples[1] key 'no-0'", "samples[10] ordinal 1009");
        assertThat(answer.text()).doesNotContain("no-10", "1011");
    }

    @Test
    void placeholdersTakeThePlacesOfWhatIsMissing() throws IOException {
        var answer = post(batch("\"no\",5,206,\"a-6\"", ",\"missing\":\"placeholder\""));
        assertThat(answer.body()).isEqualTo(tar(placeholder(0), sample(5, ALL), placeholder(2), sample(6, ALL)));
        assertThat(answer.header("tarpon-samples")).isEqualTo("2");
    }

    @Test
    void aSampleWithNoneOfTheFieldsIsMissing() throws IOException {
        assertProblem(
                post(batch("201,202,{\"key\":\"some-3\",\"fields\":[\"jpg\"]}", ",\"fields\":[\"cls\"]")),
                404,
                "unknown-sample",
                "1 of 3",
                "samples[1] ordinal 202 (it has none of cls)");
        assertThat(post(batch("201,202,203", ",\"missing\":\"placeholder\",\"fields\":[\"cls\"]"))
                        .body())
                .isEqualTo(tar(sample(201, Set.of("cls")), placeholder(1), sample(203, Set.of("cls"))));
    }

    @Test
    void aFieldThatNoSampleHasIsRefused() throws IOException {
        assertProblem(post(batch("1", ",\"fields\":[\"jpg\",\"png\"]")), 400, "bad-parameter", "png", "cls 204");
        assertProblem(post(batch("{\"ordinal\":1,\"fields\":[\"png\"]}")), 400, "bad-parameter", "png");
    }

    @Test
    void latestIsResolvedAtOnceAndSaid() throws IOException {
        world.seal(dataset, 2, Map.of("train", shards.subList(2, 3)));
        var json = batch("1").replace("\"v1\"", "\"latest\"");
        var answer = post(json);
        assertThat(answer.header("tarpon-version")).isEqualTo(dataset + "/v2");
        assertThat(answer.body()).isEqualTo(tar(sample(52, ALL)));
    }

    @Test
    void whatIsNotThereIsNamed() throws IOException {
        world.unsealed(dataset, 3, VersionState.BUILDING, null);
        assertProblem(post(batch("1").replace(dataset, "none")), 404, "unknown-dataset", "none");
        assertProblem(post(batch("1").replace("\"v1\"", "\"v9\"")), 404, "unknown-version", "v9");
        assertProblem(post(batch("1").replace("\"v1\"", "\"v3\"")), 409, "version-not-sealed", "v3");
        assertProblem(post(batch("1").replace("\"train\"", "\"dev\"")), 404, "unknown-split", "dev", "train");
    }

    @Test
    void aHundredThousandSamplesAreABatchAndOneMoreIsNot() throws IOException {
        var entries = new StringBuilder();
        for (int i = 0; i < 99_999; i++) {
            entries.append(i % 100 == 0 ? i / 1_000 : 1_000_000 + i).append(',');
        }
        var json = batch(entries + "5", ",\"fields\":[\"cls\"],\"missing\":\"placeholder\"");
        var answer = post(json);
        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.header("tarpon-samples")).isEqualTo("1001");
        assertThat(answer.body()).hasSize(99_999 * 512 - 1_000 * 512 + 1_001 * 1_024 + 1_024);
        assertProblem(post(json.replace("[0,", "[0,0,")), 413, "payload-too-large", "100000");
        assertServes();
    }

    @Test
    void aHundredThousandKeysOfTheLongestAreSought() throws IOException {
        var keys = IntStream.range(0, 100_000)
                .mapToObj(i -> "\"" + "k".repeat(90) + i + "\"")
                .collect(Collectors.joining(","));
        assertProblem(post(batch(keys)), 404, "unknown-sample", "100000 of 100000");
    }

    @Test
    void sixteenMebibytesAreABodyAndOneByteMoreIsNot() throws IOException {
        var json = batch("1");
        var body = json + " ".repeat((16 << 20) - json.length());
        assertThat(post(body).body()).isEqualTo(tar(sample(1, ALL)));
        assertProblem(post(body + " "), 413, "payload-too-large", "16777216");
        try (var client = new RawClient(gateway)) {
            client.send("POST", "/v1/batch", "Content-Length: " + Long.MAX_VALUE);
            assertProblem(client.receive(false), 413, "payload-too-large");
            assertThat(client.isAtEnd()).as("nothing behind it is read").isTrue();
        }
        try (var client = new RawClient(gateway)) {
            client.send("POST", "/v1/batch", "Transfer-Encoding: chunked");
            var chunk = "100000\r\n" + " ".repeat(1 << 20) + "\r\n";
            for (int i = 0; i < 16; i++) {
                client.write(chunk);
            }
            client.write("1\r\n \r\n");
            assertProblem(client.receive(false), 413, "payload-too-large");
            assertThat(client.isAtEnd()).isTrue();
        }
        assertServes();
    }

    @Test
    void aChunkedBodyOfSingleBytesIsABody() throws IOException {
        try (var client = new RawClient(gateway)) {
            client.send("POST", "/v1/batch", "Transfer-Encoding: chunked");
            for (var c : batch("1,2").toCharArray()) {
                client.write("1\r\n" + c + "\r\n");
            }
            client.write("0\r\n\r\n");
            assertThat(client.receive(false).body()).isEqualTo(tar(sample(1, ALL), sample(2, ALL)));
        }
    }

    @Test
    void whoeverExpectsItIsToldToGoOn() throws IOException {
        var json = batch("1");
        try (var client = new RawClient(gateway)) {
            client.send("POST", "/v1/batch", "Expect: 100-continue", "Content-Length: " + json.length());
            assertThat(client.readStatus()).isEqualTo(100);
            client.readHeaders();
            client.write(json);
            assertThat(client.receive(false).body()).isEqualTo(tar(sample(1, ALL)));
        }
        try (var client = new RawClient(gateway)) {
            client.send("POST", "/v1/batch", "Expect: 100-continue", "Content-Length: 16777217");
            assertProblem(client.receive(false), 413, "payload-too-large");
            assertThat(client.isAtEnd()).isTrue();
        }
    }

    @Test
    void aConnectionIsKeptForTheNextRequest() throws IOException {
        try (var client = new RawClient(gateway)) {
            for (int i = 0; i < 3; i++) {
                write(client, batch("1"));
                write(client, "{");
                client.send("GET", "/v1/datasets");
                assertThat(client.receive(false).body()).isEqualTo(tar(sample(1, ALL)));
                assertProblem(client.receive(false), 400, "bad-parameter");
                assertThat(client.receive(false).status()).isEqualTo(200);
            }
        }
    }

    @Test
    void aClientThatLeavesInTheMiddleOfItsBodyHoldsNothing() throws IOException {
        for (var framing : List.of("Content-Length: 1000000", "Transfer-Encoding: chunked")) {
            for (int i = 0; i < 20; i++) {
                try (var client = new RawClient(gateway)) {
                    client.send("POST", "/v1/batch", framing);
                    client.write("186a0\r\n" + " ".repeat(90_000));
                    if (i == 0) {
                        Deadline.until("it is held", () -> heap.taken() > 0);
                    }
                }
            }
        }
        Deadline.until("all is given back", () -> heap.taken() == 0);
        assertServes();
    }

    @Test
    void anotherMethodIsNotAllowed() throws IOException {
        for (var method : List.of("GET", "HEAD", "PUT", "DELETE", "PATCH", "OPTIONS", "TRACE", "post")) {
            var answer = RawClient.ask(gateway, method, "/v1/batch", "Content-Length: 0");
            assertThat(answer.status()).as(method).isEqualTo(405);
            assertThat(answer.header("allow")).isEqualTo("POST");
        }
        assertThat(RawClient.ask(gateway, "POST", "/v1/batch/", "Content-Length: 0")
                        .status())
                .isEqualTo(404);
        assertProblem(
                RawClient.ask(gateway, "POST", "/v1/batch?dataset=x", "Content-Length: 0"),
                400,
                "bad-parameter",
                "dataset");
    }

    @Test
    void samplesOfLostNodesComeFromTheStore() throws IOException {
        for (var node : nodes) {
            node.close();
        }
        nodes.clear();
        assertThat(post(batch("60,50,3")).body()).isEqualTo(tar(sample(60, ALL), sample(50, ALL), sample(3, ALL)));
    }

    @Test
    void whatIsNoBatchIsRefusedNamingIt() throws IOException {
        var good = batch("1");
        Map<String, String> refused = new LinkedHashMap<>();
        refused.put("", "not a JSON object");
        refused.put("null", "not a JSON object");
        refused.put("[" + good + "]", "not a JSON object");
        refused.put("dataset=demo", "not JSON");
        refused.put(good.substring(0, good.length() - 1), "not JSON");
        refused.put(good + good, "goes on");
        refused.put(good + "x", "not JSON");
        refused.put(good.replace("{\"dataset", "{\"dataset\":\"x\",\"dataset"), "Duplicate field 'dataset'");
        refused.put(good.replace("{\"dataset", "{\"colour\":1,\"dataset"), "'colour'");
        refused.put(good.replace("\"dataset\":\"" + dataset + "\",", ""), "'dataset'");
        refused.put(good.replace("\"version\":\"v1\",", ""), "'version'");
        refused.put(good.replace("\"split\":\"train\",", ""), "'split'");
        refused.put(good.replace(",\"samples\":[1]", ""), "'samples'");
        refused.put(good.replace("[1]", "null"), "'samples'");
        refused.put(good.replace("[1]", "1"), "'samples'");
        refused.put(good.replace("[1]", "{\"0\":1}"), "'samples'");
        refused.put(good.replace("\"" + dataset + "\"", "1"), "'dataset'");
        refused.put(good.replace("\"" + dataset + "\"", "\"a/b\""), "'dataset'");
        refused.put(good.replace("\"v1\"", "\"1\""), "'version'");
        refused.put(good.replace("\"v1\"", "1"), "'version'");
        refused.put(good.replace("\"train\"", "[]"), "'split'");
        for (var entry : List.of("-1", "-0", "1.0", "1e2", "true", "null", "[]", "{}", "9223372036854775808")) {
            refused.put(good.replace("[1]", "[0," + entry + "]"), "'samples[1]'");
        }
        refused.put(good.replace("[1]", "[01]"), "not JSON");
        refused.put(good.replace("[1]", "[1,]"), "not JSON");
        refused.put(good.replace("[1]", "[" + "9".repeat(70) + "]"), "Number");
        refused.put(good.replace("[1]", "[{\"key\":\"a\",\"ordinal\":1}]"), "'samples[0]'");
        refused.put(good.replace("[1]", "[{\"fields\":[\"jpg\"]}]"), "'samples[0]'");
        refused.put(good.replace("[1]", "[{\"key\":1}]"), "'samples[0].key'");
        refused.put(good.replace("[1]", "[{\"key\":null}]"), "'samples[0].key'");
        refused.put(good.replace("[1]", "[{\"ordinal\":\"1\"}]"), "'samples[0].ordinal'");
        refused.put(good.replace("[1]", "[{\"ordinal\":1,\"ordinal\":1}]"), "Duplicate field 'ordinal'");
        refused.put(good.replace("[1]", "[{\"ordinal\":1,\"size\":1}]"), "'samples[0].size'");
        refused.put(good.replace("[1]", "[{\"ordinal\":1,\"fields\":[]}]"), "'samples[0].fields'");
        refused.put(batch("1", ",\"fields\":\"jpg\""), "'fields'");
        refused.put(batch("1", ",\"fields\":null"), "'fields'");
        refused.put(batch("1", ",\"fields\":[]"), "'fields'");
        refused.put(batch("1", ",\"fields\":[1]"), "'fields'");
        refused.put(batch("1", ",\"fields\":[\"JPG\"]"), "'JPG'");
        refused.put(batch("1", ",\"missing\":\"skip\""), "'skip'");
        refused.put(batch("1", ",\"missing\":true"), "'missing'");
        refused.put("[".repeat(100_000), "not a JSON object");
        refused.put("{\"" + "x".repeat(1 << 20) + "\":1}", "body");
        for (var entry : refused.entrySet()) {
            var answer = post(entry.getKey());
            assertProblem(answer, 400, "bad-parameter", entry.getValue());
            assertThat(answer.body().length).as("does not say it all back").isLessThan(2_000);
        }
        assertServes();
    }

    @Test
    void brokenBodiesDoNoHarm() throws IOException {
        var valid = batch("1,{\"key\":\"a-1\",\"fields\":[\"jpg\"]},\"x\"", ",\"missing\":\"placeholder\"");
        for (int i = 0; i < 200; i++) {
            var bytes = new StringBuilder(valid);
            for (int flips = random.nextInt(4); flips >= 0; flips--) {
                bytes.setCharAt(random.nextInt(bytes.length()), (char) random.nextInt(256));
            }
            assertThat(post(bytes.toString()).status())
                    .as("seed %d: %s", randomSeed, bytes)
                    .isIn(200, 400, 404);
        }
        assertServes();
    }

    private void assertServes() throws IOException {
        assertThat(post(batch("1")).body()).isEqualTo(tar(sample(1, ALL)));
    }

    private static void assertProblem(RawClient.Answer answer, int status, String name, String... said) {
        assertThat(answer.status()).as(answer.text()).isEqualTo(status);
        assertThat(answer.text()).contains("urn:tarpon:problem:" + name);
        assertThat(List.of(said)).allSatisfy(text -> assertThat(answer.text()).contains(text));
        assertThat(answer.header("cache-control")).isEqualTo("no-store");
    }

    private String batch(String entries) {
        return batch(entries, "");
    }

    /// @param more fields behind the entries, with a comma in front
    private String batch(String entries, String more) {
        return "{\"dataset\":\"" + dataset + "\",\"version\":\"v1\",\"split\":\"train\",\"samples\":[" + entries + "]"
                + more + "}";
    }

    private RawClient.Answer post(String json) throws IOException {
        try (var client = new RawClient(gateway)) {
            write(client, json);
            return client.receive(false);
        }
    }

    private static void write(RawClient client, String json) throws IOException {
        client.send("POST", "/v1/batch", "Content-Type: application/json", "Content-Length: " + json.length());
        client.write(json);
    }

    private record Place(MadeShard shard, int inside) {}

    private Place place(int ordinal) {
        var inside = ordinal;
        var shard = 0;
        while (inside >= shards.get(shard).index().sampleCount()) {
            inside -= shards.get(shard++).index().sampleCount();
        }
        return new Place(shards.get(shard), inside);
    }

    private String key(int ordinal) {
        var place = place(ordinal);
        return place.shard.index().key(place.inside);
    }

    /// The bytes of a sample's members, from its shard.
    private byte[] sample(int ordinal, Set<String> fields) {
        var place = place(ordinal);
        var out = new ByteArrayOutputStream();
        for (var member : place.shard.index().members(place.inside)) {
            if (fields.contains(member.extension())) {
                out.write(place.shard.tar(), (int) member.headerOffset(), (int) member.tarLength());
            }
        }
        return out.toByteArray();
    }

    private static byte[] placeholder(int index) {
        return new UstarHeader("__missing__/" + index, 0).encode();
    }

    private static byte[] tar(byte[]... parts) {
        var out = new ByteArrayOutputStream();
        for (var part : parts) {
            out.writeBytes(part);
        }
        out.writeBytes(Ustar.end());
        return out.toByteArray();
    }
}
