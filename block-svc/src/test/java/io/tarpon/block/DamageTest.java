package io.tarpon.block;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.tarpon.testkit.Deadline;
import io.tarpon.wire.block.BlockFileHeader;
import java.io.RandomAccessFile;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Arrays;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Block files that changed behind the node's back.
class DamageTest {
    private static final String[] TOKEN = {"Authorization", "Bearer " + MetadataServer.TOKEN};

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
        node.get(shard.url(0));
        Deadline.until("stored", () -> node.wiring.facts().blocks() == 1);
    }

    @AfterEach
    void stop() throws Exception {
        workshop.close();
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 100, BlockFileHeader.BYTES, BlockFileHeader.BYTES + 400_000})
    void flippedBitIsMendedBeforeTheReaderSeesAByte(int at) throws Exception {
        restart(() -> flip(node.file(shard.id(0)), at));

        var answer = node.get(shard.url(0));

        assertThat(answer.body()).isEqualTo(shard.block(0));
        assertThat(node.names("bad")).containsExactly(shard.id(0) + ".bad");
        assertThat(node.count("tarpon.block.reads", "result", "bad")).isEqualTo(1);
        assertThat(workshop.store.opens()).isEqualTo(2);
        Deadline.until("stored", () -> node.wiring.facts().blocks() == 1);
        assertThat(node.get(shard.url(0)).headers().firstValue("Tarpon-Block")).hasValue("hit");
    }

    @Test
    void onlyWhatIsReadIsVerified() throws Exception {
        restart(() -> flip(node.file(shard.id(0)), BlockFileHeader.BYTES + 400_000));

        var answer = node.get(shard.url(0), "Range", "bytes=0-99999");

        assertThat(answer.body()).isEqualTo(Arrays.copyOf(shard.block(0), 100_000));
        assertThat(workshop.store.opens()).isEqualTo(1);
    }

    @Test
    void fileCutWhileNobodyHasItOpenIsFilledAnew() throws Exception {
        restart(() -> cut(node.file(shard.id(0))));

        assertThat(node.get(shard.url(0)).body()).isEqualTo(shard.block(0));
    }

    @Test
    void fileCutWhileItIsOpenIsFilledAnew() throws Exception {
        cut(node.file(shard.id(0)));

        assertThat(node.get(shard.url(0)).body()).isEqualTo(shard.block(0));
        assertThat(node.names("bad")).hasSize(1);
    }

    @Test
    void fileThatIsGoneIsFilledAnew() throws Exception {
        restart(() -> Files.delete(node.file(shard.id(0))));

        assertThat(node.wiring.facts().blocks()).isZero();
        assertThat(node.get(shard.url(0)).body()).isEqualTo(shard.block(0));
    }

    @Test
    void fileOfAnotherBlockIsNotServed() throws Exception {
        node.get(shard.url(1));
        Deadline.until("stored", () -> node.wiring.facts().blocks() == 2);
        restart(() -> Files.copy(node.file(shard.id(1)), node.file(shard.id(0)), StandardCopyOption.REPLACE_EXISTING));

        assertThat(node.get(shard.url(0)).body()).isEqualTo(shard.block(0));
    }

    @Test
    void blockReportedDamagedIsReadAnewAndPutAway() throws Exception {
        flip(node.file(shard.id(0)), BlockFileHeader.BYTES + 10);
        var path = "/v1/blocks/" + shard.id(0) + "/damaged";

        assertThat(TestNode.problem(node.post(path, ""))).isEqualTo("401 unauthorized");
        assertThat(node.file(shard.id(0))).exists();
        assertThat(text(node.post(path, "", TOKEN))).contains("\"found\":\"damaged\"");
        assertThat(node.file(shard.id(0))).doesNotExist();
        assertThat(text(node.post(path, "", TOKEN))).contains("\"found\":\"missing\"");
        assertThat(node.get(shard.url(0)).body()).isEqualTo(shard.block(0));
        Deadline.until("stored", () -> node.wiring.facts().blocks() == 1);
        assertThat(text(node.post(path, "", TOKEN))).contains("\"found\":\"sound\"");
    }

    @Test
    void quarantineKeepsTheNewestFewOnly() throws Exception {
        workshop.stop(node);
        node = workshop.node("node-1", "block.quarantine-files", "2");
        for (var block = 0; block < 4; block++) {
            var id = shard.id(block);
            node.get(shard.url(block));
            Deadline.until(
                    "stored",
                    () -> Files.exists(node.file(id)) && node.wiring.facts().fills() == 0);
            flip(node.file(id), BlockFileHeader.BYTES + 10);
            node.post("/v1/blocks/" + id + "/damaged", "", TOKEN);
        }

        assertThat(node.names("bad")).containsExactlyInAnyOrder(shard.id(2) + ".bad", shard.id(3) + ".bad");
    }

    @Test
    void fileOfANewerFormatStopsNothingAndIsLeftAlone() throws Exception {
        var file = node.file(shard.id(0));
        restart(() -> {
            try (var at = new RandomAccessFile(file.toFile(), "rw")) {
                at.seek(4);
                at.writeShort(7);
            }
        });
        var before = Files.readAllBytes(file);

        var answer = node.get(shard.url(0));

        assertThat(TestNode.problem(answer)).isEqualTo("503 storage-unavailable");
        assertThat(text(answer)).contains("format 7").contains("format 1");
        assertThat(Files.readAllBytes(file)).isEqualTo(before);
    }

    private void restart(Change change) throws Exception {
        workshop.stop(node);
        change.apply();
        node = workshop.node("node-1");
    }

    private static String text(HttpResponse<byte[]> answer) {
        return new String(answer.body(), UTF_8);
    }

    private static void flip(Path file, long at) throws Exception {
        try (var bytes = new RandomAccessFile(file.toFile(), "rw")) {
            bytes.seek(at);
            var old = bytes.read();
            bytes.seek(at);
            bytes.write(old ^ 1);
        }
    }

    private static void cut(Path file) throws Exception {
        try (var bytes = new RandomAccessFile(file.toFile(), "rw")) {
            bytes.setLength(bytes.length() - 1000);
        }
    }

    /// What happens while the node is down.
    private interface Change {
        void apply() throws Exception;
    }
}
