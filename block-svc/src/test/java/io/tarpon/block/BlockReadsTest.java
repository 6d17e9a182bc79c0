package io.tarpon.block;

import static org.assertj.core.api.Assertions.assertThat;

import io.tarpon.storekit.FailingStore.StreamFault;
import io.tarpon.testkit.Deadline;
import io.tarpon.wire.block.BlockId;
import java.io.ByteArrayOutputStream;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class BlockReadsTest {
    @TempDir
    Path folder;

    private Workshop workshop;
    private TestShard shard;
    private TestNode node;

    @BeforeEach
    void start() throws Exception {
        workshop = new Workshop(folder);
        shard = workshop.shard;
        node = workshop.node("node-1");
    }

    @AfterEach
    void stop() throws Exception {
        workshop.close();
    }

    @Test
    void missingBlockIsFilledFromTheStoreAndThenServedFromItsFile() throws Exception {
        var first = node.get(shard.url(1));
        Deadline.until("stored", () -> node.wiring.facts().blocks() == 1);
        var second = node.get(shard.url(1));

        assertThat(first.statusCode()).isEqualTo(200);
        assertThat(first.body()).isEqualTo(shard.block(1));
        assertThat(first.headers().firstValue("Tarpon-Block")).hasValue("miss");
        assertThat(second.body()).isEqualTo(shard.block(1));
        assertThat(second.headers().firstValue("Tarpon-Block")).hasValue("hit");
        assertThat(workshop.store.opens()).isEqualTo(1);
        assertThat(node.count("tarpon.block.reads", "result", "hit")).isEqualTo(1);
        assertThat(node.count("tarpon.block.reads", "result", "miss")).isEqualTo(1);
        assertThat(node.count("tarpon.block.fill.bytes", "from", "store")).isEqualTo(shard.block(1).length);
    }

    @Test
    void everyBlockOfTheShardTogetherIsTheShard() throws Exception {
        var whole = new ByteArrayOutputStream();
        for (var block = 0; block < shard.index().blockCount(); block++) {
            whole.writeBytes(node.get(shard.url(block)).body());
        }

        assertThat(whole.toByteArray()).isEqualTo(shard.tar());
    }

    @Test
    void answerSaysWhatLoadersNeed() throws Exception {
        var headers = node.get(shard.url(0)).headers();

        assertThat(headers.firstValue("Content-Length")).hasValue(String.valueOf(shard.block(0).length));
        assertThat(headers.firstValue("Accept-Ranges")).hasValue("bytes");
        assertThat(headers.firstValue("ETag")).hasValue('"' + shard.id(0).hex() + '"');
        assertThat(headers.firstValue("Transfer-Encoding")).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "bytes=0-511,         206, 0, 512",
        "bytes=100000-,       206, 100000, -1",
        "bytes=-1000,         206, -1000, -1",
        "bytes=5-99999999999999999999999, 206, 5, -1",
        "bytes=-99999999999999999999999,  206, 0, -1",
        "bytes=65535-65536,   206, 65535, 65537",
        "'bytes=0-0,5-9',     200, 0, -1",
        "bytes=abc,           200, 0, -1",
        "items=0-1,           200, 0, -1",
        "bytes=5-2,           416, 0, 0",
        "bytes=99999999-,     416, 0, 0",
        "bytes=-0,            416, 0, 0",
    })
    void rangesAreAnsweredAsTheContractSays(String range, int status, int from, int to) throws Exception {
        var block = shard.block(2);
        var begin = from < 0 ? block.length + from : from;
        var end = to < 0 ? block.length : to;
        for (var pass = 0; pass < 2; pass++) {
            var answer = node.get(shard.url(2), "Range", range);

            assertThat(answer.statusCode()).isEqualTo(status);
            if (status == 416) {
                assertThat(answer.headers().firstValue("Content-Range")).hasValue("bytes */" + block.length);
                assertThat(TestNode.problem(answer)).isEqualTo("416 range-not-satisfiable");
            } else {
                assertThat(answer.body()).isEqualTo(Arrays.copyOfRange(block, begin, end));
                assertThat(answer.headers().firstValue("Content-Range").orElse("none"))
                        .isEqualTo(status == 200 ? "none" : "bytes " + begin + "-" + (end - 1) + "/" + block.length);
            }
        }
    }

    @Test
    void headSaysTheLengthAndFillsNothing() throws Exception {
        var answer = node.head(shard.url(0));

        assertThat(answer.statusCode()).isEqualTo(200);
        assertThat(answer.headers().firstValue("Content-Length")).hasValue(String.valueOf(shard.block(0).length));
        assertThat(answer.headers().firstValue("Tarpon-Block")).hasValue("miss");
        assertThat(workshop.store.opens()).isEqualTo(0);
    }

    @Test
    void concurrentReadersOfAColdBlockReadTheStoreOnce() throws Exception {
        workshop.store.order(StreamFault.WAIT, 200_000, 1);
        try (var readers = Executors.newVirtualThreadPerTaskExecutor()) {
            Callable<byte[]> read = () -> node.get(shard.url(0)).body();
            var bodies = Stream.generate(() -> readers.submit(read)).limit(24).toList();
            Deadline.until("a fill under way", () -> node.wiring.facts().fills() == 1);
            workshop.store.openGate();
            for (var body : bodies) {
                assertThat(body.get()).isEqualTo(shard.block(0));
            }
        }
        assertThat(workshop.store.opens()).isEqualTo(1);
    }

    @Test
    void onlyWhatIsHereIsServedWhenNoFillIsWanted() throws Exception {
        assertThat(TestNode.problem(node.get(shard.url(0) + "&fill=none"))).isEqualTo("404 not-found");
        assertThat(node.get(shard.url(0) + "&fill=store").statusCode()).isEqualTo(200);
        Deadline.until("stored", () -> node.wiring.facts().blocks() == 1);
        assertThat(node.get(shard.url(0) + "&fill=none").body()).isEqualTo(shard.block(0));
    }

    @Test
    void anIdThatIsNotTheBlocksIsRefused() throws Exception {
        var other = BlockId.parse("0".repeat(32));
        var url = shard.url(0).replace(shard.id(0).hex(), other.hex());

        assertThat(TestNode.problem(node.get(url))).isEqualTo("404 not-found");
        assertThat(TestNode.problem(node.get(shard.url(0).replace("block=0", "block=77"))))
                .isEqualTo("404 not-found");
        assertThat(TestNode.problem(node.get(shard.url(0).replace("shard-000000", "shard-000009"))))
                .isEqualTo("404 unknown-shard");
    }

    @ParameterizedTest
    @CsvSource({
        "/v1/blocks/XYZ?shard=demo/v1/train/shard-000000&block=0, 400 bad-parameter",
        "/v1/blocks/0123456789abcdef0123456789abcdef?block=0, 400 bad-parameter",
        "/v1/blocks/0123456789abcdef0123456789abcdef?shard=demo/v1/train/shard-000000, 400 bad-parameter",
        "/v1/blocks/0123456789abcdef0123456789abcdef?shard=demo/v1/train&block=0, 400 bad-parameter",
        "/v1/blocks/0123456789abcdef0123456789abcdef?shard=demo/v1/train/shard-000000&block=-1, 400 bad-parameter",
        "/v1/blocks/0123456789abcdef0123456789abcdef?shard=demo/v1/train/shard-000000&block=01, 400 bad-parameter",
        "/v1/blocks/0123456789abcdef0123456789abcdef?shard=demo/v1/train/shard-000000&block=0&block=0, 400"
                + " bad-parameter",
        "/v1/blocks/0123456789abcdef0123456789abcdef?shard=demo/v1/train/shard-000000&block=0&fill=all, 400"
                + " bad-parameter",
        "/v1/blocks/0123456789abcdef0123456789abcdef?shard=demo/v1/train/shard-000000&block=0&x=1, 400 bad-parameter",
        "/v1/nothing, 404 not-found",
    })
    void badRequestsAreRefusedByName(String url, String problem) throws Exception {
        assertThat(TestNode.problem(node.get(url))).isEqualTo(problem);
    }

    @Test
    void aBlockTakesNoPost() throws Exception {
        var answer = node.post(shard.url(0), "");

        assertThat(TestNode.problem(answer)).isEqualTo("405 method-not-allowed");
        assertThat(answer.headers().firstValue("Allow")).hasValue("GET, HEAD");
    }

    @Test
    void blockThatWasNotReadForAWhileIsServedAsBefore() throws Exception {
        var slow = workshop.node("node-2", "block.use-flush", "PT0.1S");
        assertThat(slow.get(shard.url(1)).statusCode()).isEqualTo(200);
        Deadline.until("stored", () -> slow.wiring.facts().fills() == 0);
        for (var pause = 0; pause < 3; pause++) {
            Deadline.until("use written down", () -> slow.wiring.facts().usesUnwritten() == 0);
            var answer = slow.get(shard.url(1), "Range", "bytes=70000-");

            assertThat(answer.body()).isEqualTo(Arrays.copyOfRange(shard.block(1), 70_000, shard.block(1).length));
        }
        assertThat(slow.count("tarpon.block.reads", "result", "hit")).isEqualTo(3);
    }
}
