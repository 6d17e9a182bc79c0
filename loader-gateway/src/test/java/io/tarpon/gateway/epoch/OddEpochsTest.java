package io.tarpon.gateway.epoch;

import static org.assertj.core.api.Assertions.assertThat;

import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import io.tarpon.gateway.api.Listener;
import io.tarpon.gateway.body.TarCut;
import io.tarpon.gateway.fixture.MadeShard;
import io.tarpon.gateway.fixture.World;
import io.tarpon.gateway.fixture.WorldResource;
import io.tarpon.testkit.Deadline;
import io.tarpon.testkit.RawClient;
import io.tarpon.wire.tar.Ustar;
import jakarta.inject.Inject;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Epochs of splits, and at moments, that are out of the ordinary; every byte is the store's.
@QuarkusTest
@NullUnmarked // The test framework fills the fields.
@QuarkusTestResource(WorldResource.class)
class OddEpochsTest {
    private static final AtomicInteger NUMBER = new AtomicInteger();

    World world;

    @Inject
    Listener listener;

    private final String dataset = "odd" + NUMBER.incrementAndGet();
    private final Random random = new Random(NUMBER.get());
    private URI gateway;

    @BeforeEach
    void findGateway() {
        gateway = URI.create("http://127.0.0.1:" + listener.port() + "/");
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void oneOrTwoSamplesAreAnEpochForAnyNumberOfRanks(int samples) throws IOException {
        var shard = MadeShard.of(dataset, random, samples, _ -> 5_000);
        seal(1, shard);
        for (int ranks : new int[] {1, 2, 3, 1_000_000}) {
            var all = new ByteArrayOutputStream();
            for (int rank = 0; rank < Math.min(ranks, 3); rank++) {
                var kept = RawClient.get(gateway, url(1, rank + "of" + ranks + ".tar?shuffle=none&tail=keep"));
                assertThat(kept.status()).as(kept.text()).isEqualTo(200);
                all.write(kept.body(), 0, kept.body().length - Ustar.END_BYTES);
                var dropped = RawClient.get(gateway, url(1, rank + "of" + ranks + ".tar"));
                assertThat(dropped.header("tarpon-samples")).isEqualTo(Integer.toString(samples / ranks));
                var padded = RawClient.get(gateway, url(1, rank + "of" + ranks + ".tar?tail=pad"));
                assertThat(padded.status()).as("%d of %d", samples, ranks).isEqualTo(samples < ranks ? 400 : 200);
            }
            all.writeBytes(Ustar.end());
            assertThat(all.toByteArray()).as("of %d ranks", ranks).isEqualTo(shard.tar());
        }
        for (var shuffle : List.of("global", "shard", "block")) {
            var whole = RawClient.get(gateway, url(1, "0of1.tar?shuffle=" + shuffle));
            assertThat(whole.body()).as(shuffle).hasSize(shard.tar().length);
        }
    }

    @Test
    void fieldsThatSomeSamplesLackAreRefusedWithTheCounts() throws IOException {
        var samples = new LinkedHashMap<String, SortedMap<String, byte[]>>();
        samples.put("a", new TreeMap<>(Map.of("cls", new byte[1], "jpg", new byte[700])));
        samples.put("b", new TreeMap<>(Map.of("jpg", new byte[900])));
        samples.put("c", new TreeMap<>(Map.of("cls", new byte[2], "jpg", new byte[800])));
        var shard = MadeShard.of(samples);
        seal(1, shard);

        var lacking = RawClient.get(gateway, url(1, "0of1.tar?fields=cls"));

        assertThat(lacking.status()).isEqualTo(400);
        assertThat(lacking.text())
                .contains("urn:tarpon:problem:bad-parameter")
                .contains("of 3 samples 1 have none of the fields cls")
                .contains("cls 2, jpg 3");
        var either = RawClient.get(gateway, url(1, "0of1.tar?fields=cls,jpg&shuffle=none"));
        assertThat(either.body()).as("every sample has one of them").isEqualTo(shard.tar());
    }

    @Test
    void aVersionSealedWhileLatestIsReadChangesNothingThatIsOpen() throws IOException {
        var first = large();
        seal(1, first);
        var latest = "/e/" + dataset + "/latest/train/7/3/0of1.tar?shuffle=none";
        var location = URI.create(RawClient.get(gateway, latest).header("location"));
        try (var client = new RawClient(gateway, 64 << 10)) {
            client.send("GET", location.getPath() + "?" + location.getQuery());
            assertThat(client.readStatus()).isEqualTo(200);

            seal(2, MadeShard.of(dataset + "-other", random, 10, _ -> 1_000));

            Deadline.until("latest is the new one", () -> leadsTo(latest).contains("/" + dataset + "/v2/"));
            assertThat(client.receiveRest().body()).isEqualTo(first.tar());
        }
    }

    @Test
    void aShardThatIsLostEverywhereBreaksTheEpochInsideAMember() throws IOException {
        var first = large();
        var second = MadeShard.of(dataset + "-lost", random, 20, _ -> 50_000);
        seal(1, first, second);
        try (var client = new RawClient(gateway, 64 << 10)) {
            client.send("GET", url(1, "0of1.tar?shuffle=none"));
            assertThat(client.readStatus()).isEqualTo(200);

            world.lose(dataset + "/v1/train/shard-000001");

            var answer = client.receiveRest();
            assertThat(answer.whole()).isFalse();
            assertThat(client.isAtEnd()).as("a FIN, not a reset").isTrue();
            var sent = answer.body().length;
            assertThat(answer.body()).isEqualTo(Arrays.copyOf(first.tar(), sent));
            assertThat(TarCut.isInsideData(first.index(), sent))
                    .as("cut at %d", sent)
                    .isTrue();
        }
    }

    @Test
    void ifRangeOfAnotherSeedIsAnsweredWithTheWhole() throws IOException {
        seal(1, MadeShard.of(dataset, random, 20, _ -> 5_000));
        var url = url(1, "0of1.tar");
        var other = url.replace("/7/3/", "/8/3/");
        var tag = RawClient.ask(gateway, "HEAD", url).header("etag");

        var own = RawClient.get(gateway, url, "Range: bytes=5-9", "If-Range: " + tag);
        var others = RawClient.get(gateway, other, "Range: bytes=5-9", "If-Range: " + tag);

        assertThat(own.status()).isEqualTo(206);
        assertThat(others.status()).isEqualTo(200);
        assertThat(others.body()).isEqualTo(RawClient.get(gateway, other).body());
    }

    /// Larger than what waits for a client that takes nothing.
    private MadeShard large() {
        return MadeShard.of(dataset, random, 120, _ -> 250_000);
    }

    private void seal(int version, MadeShard... shards) throws IOException {
        world.seal(dataset, version, Map.of("train", List.of(shards)));
    }

    private String url(int version, String end) {
        return "/e/" + dataset + "/v" + version + "/train/7/3/" + end;
    }

    private String leadsTo(String path) {
        try {
            return RawClient.get(gateway, path).header("location");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
