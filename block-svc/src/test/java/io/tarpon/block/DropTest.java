package io.tarpon.block;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.tarpon.storekit.FailingStore.StreamFault;
import io.tarpon.testkit.Deadline;
import io.tarpon.testkit.RawClient;
import io.tarpon.wire.block.DropBlocks;
import io.tarpon.wire.json.Json;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Blocks that no version has any more.
class DropTest {
    private static final String PATH = "/v1/blocks/drop";
    private static final String[] TOKEN = {"Authorization", "Bearer " + MetadataServer.TOKEN};
    private static final int BLOCK_BYTES = 8 << 20;

    @TempDir
    Path folder;

    private Workshop workshop;
    private TestShard shard;
    private TestNode node;

    @BeforeEach
    void start() throws Exception {
        workshop = new Workshop(folder);
        shard = TestShard.random("big/v1/train/shard-000000", 3, 3, BLOCK_BYTES - 4096, BLOCK_BYTES)
                .storedIn(workshop.store);
        workshop.metadata.with(shard);
        node = workshop.node("node-1");
        for (var block = 0; block < 2; block++) {
            assertThat(node.get(shard.url(block)).statusCode()).isEqualTo(200);
        }
        Deadline.until("stored", () -> node.wiring.facts().blocks() == 2);
    }

    @AfterEach
    void stop() throws Exception {
        workshop.close();
    }

    @Test
    void droppedBlocksAreGoneAndOthersStay() throws Exception {
        var bytes = node.wiring.facts().bytes();
        var fileBytes = Files.size(node.file(shard.id(0)));
        var absent = "f".repeat(32);

        assertThat(drop(false, shard.id(0).hex(), absent)).isEqualTo(new DropBlocks.Answer(1, fileBytes));

        assertThat(node.file(shard.id(0))).doesNotExist();
        assertThat(node.wiring.facts().blocks()).isEqualTo(1);
        assertThat(node.wiring.facts().bytes()).isEqualTo(bytes - fileBytes);
        assertThat(TestNode.problem(node.get(shard.url(0) + "&fill=none"))).isEqualTo("404 not-found");
        assertThat(node.get(shard.url(1) + "&fill=none").body()).isEqualTo(shard.block(1));
        assertThat(drop(false, shard.id(0).hex())).isEqualTo(new DropBlocks.Answer(0, 0));
    }

    @Test
    void dryRunCountsAndChangesNothing() throws Exception {
        var answer =
                drop(true, shard.id(0).hex(), shard.id(1).hex(), shard.id(2).hex());

        assertThat(answer)
                .isEqualTo(new DropBlocks.Answer(2, node.wiring.facts().bytes()));
        assertThat(node.file(shard.id(0))).exists();
        assertThat(node.wiring.facts().blocks()).isEqualTo(2);
    }

    @Test
    void openReaderGetsEveryByteOfADroppedBlock() throws Exception {
        try (var reader = new RawClient(node.port())) {
            reader.write("GET " + shard.url(0) + " HTTP/1.1\r\nHost: node\r\n\r\n");
            var length = reader.readHead().contentLength();
            var first = reader.readBody(1000);

            assertThat(drop(false, shard.id(0).hex()).blocks()).isEqualTo(1);
            assertThat(node.file(shard.id(0))).doesNotExist();

            assertThat(reader.readBody(length - first.length))
                    .isEqualTo(Arrays.copyOfRange(shard.block(0), first.length, length));
        }
    }

    @Test
    void blockOnItsWayIsNotHereYetAndStays() throws Exception {
        workshop.store.order(StreamFault.WAIT, 1 << 20, 1);
        try (var reader = new RawClient(node.port())) {
            reader.write("GET " + shard.url(2) + " HTTP/1.1\r\nHost: node\r\n\r\n");
            var length = reader.readHead().contentLength();

            assertThat(drop(false, shard.id(2).hex())).isEqualTo(new DropBlocks.Answer(0, 0));
            workshop.store.openGate();

            assertThat(reader.readBody(length)).isEqualTo(shard.block(2));
        }
        Deadline.until("stored", () -> node.wiring.facts().blocks() == 3);
        assertThat(drop(false, shard.id(2).hex()).blocks()).isEqualTo(1);
    }

    @Test
    void nobodyDropsWithoutTheToken() throws Exception {
        var answer = node.post(PATH, body(false, shard.id(0).hex()));

        assertThat(TestNode.problem(answer)).isEqualTo("401 unauthorized");
        assertThat(node.file(shard.id(0))).exists();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "[]", "{\"ids\":[]}", "{\"ids\":[\"../../etc\"],\"dryRun\":false}", "{\"ids\":null}"})
    void whatIsNoListOfBlocksIsRefused(String body) throws Exception {
        assertThat(TestNode.problem(node.post(PATH, body, TOKEN))).isEqualTo("400 bad-parameter");
    }

    @Test
    void moreThanOneRequestTakesIsRefusedWhole() throws Exception {
        var ids = Json.text(
                Collections.nCopies(DropBlocks.MAX_IDS + 1, shard.id(0).hex()));

        var answer = node.post(PATH, "{\"ids\":" + ids + ",\"dryRun\":false}", TOKEN);

        assertThat(TestNode.problem(answer)).isEqualTo("400 bad-parameter");
        assertThat(new String(answer.body(), UTF_8)).contains(String.valueOf(DropBlocks.MAX_IDS));
        assertThat(node.file(shard.id(0))).exists();
    }

    private DropBlocks.Answer drop(boolean dryRun, String... ids) throws Exception {
        var answer = node.post(PATH, body(dryRun, ids), TOKEN);
        assertThat(answer.statusCode()).isEqualTo(200);
        return Json.read(answer.body(), DropBlocks.Answer.class);
    }

    private static String body(boolean dryRun, String... ids) {
        return Json.text(new DropBlocks(List.of(ids), dryRun));
    }
}
