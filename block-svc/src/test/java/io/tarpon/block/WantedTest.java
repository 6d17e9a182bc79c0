package io.tarpon.block;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.tarpon.storekit.FailingStore.StreamFault;
import io.tarpon.testkit.Deadline;
import io.tarpon.wire.block.BlockFileHeader;
import io.tarpon.wire.block.WantedBlocks;
import io.tarpon.wire.json.Json;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Blocks that a gateway says are read soon.
class WantedTest {
    private static final String PATH = "/v1/blocks/wanted";
    private static final String[] TOKEN = {"Authorization", "Bearer " + MetadataServer.TOKEN};

    @TempDir
    Path folder;

    private Workshop workshop;
    private TestShard shard;

    @BeforeEach
    void start() throws Exception {
        workshop = new Workshop(folder);
        shard = workshop.shard;
    }

    @AfterEach
    void stop() throws Exception {
        workshop.close();
    }

    @Test
    void wantedBlockIsHereBeforeItIsRead() throws Exception {
        var node = workshop.node("node-1");

        assertThat(taken(want(node, 1, 0))).isEqualTo(2);
        Deadline.until("stored", () -> node.wiring.facts().blocks() == 2);

        assertThat(node.get(shard.url(1) + "&fill=none").body()).isEqualTo(shard.block(1));
        assertThat(node.get(shard.url(0) + "&fill=none").body()).isEqualTo(shard.block(0));
        assertThat(node.count("tarpon.block.reads", "result", "miss")).isZero();
    }

    @Test
    void readersAndHintsOfOneBlockShareOneFill() throws Exception {
        var node = workshop.node("node-1");
        workshop.store.order(StreamFault.WAIT, 100_000, 1);
        assertThat(taken(want(node, 0, 0))).isEqualTo(2);
        Deadline.until("a fill at work", () -> node.wiring.facts().fills() == 1);
        try (var clients = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<byte[]>> readers = new ArrayList<>();
            for (var reader = 0; reader < 10; reader++) {
                readers.add(clients.submit(() -> node.get(shard.url(0)).body()));
                assertThat(taken(want(node, 0))).isEqualTo(1);
            }
            Deadline.until("readers", () -> node.wiring.facts().openReads() == 10);
            workshop.store.openGate();
            for (var reader : readers) {
                assertThat(reader.get()).isEqualTo(shard.block(0));
            }
        }
        Deadline.until("stored", () -> node.wiring.facts().blocks() == 1);
        assertThat(workshop.store.opens()).isEqualTo(1);
        assertThat(node.count("tarpon.block.fill.bytes", "from", "store")).isEqualTo(shard.block(0).length);
    }

    @Test
    void whatTheQueueDoesNotTakeIsDroppedAndCounted() throws Exception {
        var node = workshop.node("node-1", "block.wanted-fills", "1", "block.wanted-queue", "2");
        workshop.store.order(StreamFault.WAIT, 0, 1);
        assertThat(taken(want(node, 3))).isEqualTo(1);
        Deadline.until("a fill at work", () -> node.wiring.facts().fills() == 1);

        assertThat(taken(want(node, 2, 1, 0))).isEqualTo(2);
        assertThat(taken(want(node, 1, 2))).as("those that wait already").isEqualTo(2);
        assertThat(taken(want(node, 0))).isZero();

        workshop.store.openGate();
        Deadline.until("stored", () -> node.wiring.facts().blocks() == 3);
        assertThat(node.file(shard.id(0))).doesNotExist();
    }

    @Test
    void readOfAnotherBlockDoesNotWaitBehindWantedOnes() throws Exception {
        var node = workshop.node("node-1", "block.wanted-fills", "1", "block.fill-concurrency", "1");
        workshop.store.order(StreamFault.WAIT, 0, 1);
        want(node, 0, 1, 2);
        Deadline.until("a fill at work", () -> node.wiring.facts().fills() == 1);

        assertThat(node.get(shard.url(3)).body()).isEqualTo(shard.block(3));
        assertThat(node.get(shard.url(1)).body()).isEqualTo(shard.block(1));
        assertThat(node.wiring.wanted().waiting()).isEqualTo(2);
    }

    @Test
    void nothingGoesForAWantedBlock() throws Exception {
        var room = 2L * BlockFileHeader.BYTES + shard.block(0).length + shard.block(1).length;
        var node = workshop.node("node-1", "block.capacity", Long.toString(room));
        want(node, 0, 1);
        Deadline.until("stored", () -> node.wiring.facts().blocks() == 2);
        want(node, 2, 3);
        Deadline.until("looked at", () -> node.wiring.wanted().waiting() == 0);

        assertThat(node.get(shard.url(0) + "&fill=none").statusCode()).isEqualTo(200);
        assertThat(node.get(shard.url(1) + "&fill=none").statusCode()).isEqualTo(200);
        assertThat(node.get(shard.url(2)).body()).as("a read makes room").isEqualTo(shard.block(2));
    }

    @Test
    void storeThatFailsLeavesNothingAndTheReadFillsIt() throws Exception {
        var node = workshop.node("node-1");
        workshop.store.order(StreamFault.LIE, 1000, 1);
        want(node, 0);
        Deadline.until(
                "tried", () -> workshop.store.opens() > 0 && node.wiring.facts().fills() == 0);

        assertThat(node.wiring.facts().blocks()).isZero();
        assertThat(node.names("tmp")).isEmpty();
        assertThat(node.get(shard.url(0)).body()).isEqualTo(shard.block(0));
        Deadline.until("stored", () -> node.wiring.facts().blocks() == 1);
        assertThat(node.wiring.facts().bytes()).isEqualTo(Files.size(node.file(shard.id(0))));
    }

    @Test
    void aNodeThatStopsForgetsWhatWaits() throws Exception {
        var node = workshop.node("node-1", "block.wanted-fills", "1");
        workshop.store.order(StreamFault.WAIT, 0, 1);
        want(node, 0, 1, 2);
        Deadline.until("a fill at work", () -> node.wiring.facts().fills() == 1);
        node.wiring.wanted().stop();

        assertThat(node.wiring.wanted().waiting()).isZero();
        assertThat(taken(want(node, 3))).isZero();
        workshop.store.openGate();
        Deadline.until("stored", () -> node.wiring.facts().blocks() == 1);
        assertThat(workshop.store.opens()).isEqualTo(1);
    }

    @Test
    void nobodyWantsWithoutTheToken() throws Exception {
        var node = workshop.node("node-1");

        assertThat(TestNode.problem(node.post(PATH, body(0)))).isEqualTo("401 unauthorized");
        assertThat(node.wiring.wanted().waiting()).isZero();
        assertThat(node.wiring.facts().fills()).isZero();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "[]",
                "{}",
                "{\"blocks\":null}",
                "{\"blocks\":[null]}",
                "{\"blocks\":[{\"id\":\"%s\",\"shard\":\"a/v1/b/shard-000000\"}]}",
                "{\"blocks\":[{\"id\":\"%s\",\"block\":0}]}",
                "{\"blocks\":[{\"id\":\"%s\",\"shard\":null,\"block\":0}]}",
                "{\"blocks\":[{\"id\":\"%s\",\"shard\":\"../../etc\",\"block\":0}]}",
                "{\"blocks\":[{\"id\":\"%s\",\"shard\":\"a/v1/b/shard-000000\",\"block\":-1}]}",
                "{\"blocks\":[{\"id\":\"%s\",\"shard\":\"a/v1/b/shard-000000\",\"block\":1.5}]}",
                "{\"blocks\":[{\"id\":\"..\",\"shard\":\"a/v1/b/shard-000000\",\"block\":1}]}"
            })
    void whatIsNoListOfBlocksIsRefused(String body) throws Exception {
        var node = workshop.node("node-1");

        var answer = node.post(PATH, body.replace("%s", shard.id(0).hex()), TOKEN);

        assertThat(TestNode.problem(answer)).isEqualTo("400 bad-parameter");
    }

    @Test
    void moreThanOneRequestTakesIsRefusedWhole() throws Exception {
        var node = workshop.node("node-1");
        var one =
                Json.text(new WantedBlocks.Wanted(shard.id(0).hex(), shard.ref().path(), 0));
        var list = String.join(",", Collections.nCopies(WantedBlocks.MOST + 1, one));

        var answer = node.post(PATH, "{\"blocks\":[" + list + "]}", TOKEN);

        assertThat(TestNode.problem(answer)).isEqualTo("400 bad-parameter");
        assertThat(new String(answer.body(), UTF_8)).contains(String.valueOf(WantedBlocks.MOST));
        var huge = node.post(PATH, "{\"blocks\":[" + " ".repeat(1 << 20) + "]}", TOKEN);
        assertThat(TestNode.problem(huge)).isEqualTo("413 payload-too-large");
    }

    private HttpResponse<byte[]> want(TestNode node, int... blocks) throws Exception {
        var answer = node.post(PATH, body(blocks), TOKEN);
        assertThat(answer.statusCode()).isEqualTo(200);
        return answer;
    }

    private static int taken(HttpResponse<byte[]> answer) throws Exception {
        return Json.read(answer.body(), WantedBlocks.Answer.class).taken();
    }

    private String body(int... blocks) {
        assertThat(IntStream.of(blocks).max().orElse(0))
                .isLessThan(shard.index().blockCount());
        return Json.text(new WantedBlocks(Arrays.stream(blocks)
                .mapToObj(block -> new WantedBlocks.Wanted(
                        shard.id(block).hex(), shard.ref().path(), block))
                .toList()));
    }
}
