package io.tarpon.block;

import static org.assertj.core.api.Assertions.assertThat;

import io.tarpon.storekit.FailingStore.StreamFault;
import io.tarpon.testkit.Deadline;
import io.tarpon.testkit.RawClient;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Clients that are slow, leave, or ask for much at once. A large block, so that no socket buffer swallows it.
class ClientsTest {
    private static final int BLOCK_BYTES = 8 << 20;

    @TempDir
    Path folder;

    private Workshop workshop;
    private TestShard shard;

    @BeforeEach
    void start() throws Exception {
        workshop = new Workshop(folder);
        shard = TestShard.random("big/v1/train/shard-000000", 3, 3, BLOCK_BYTES - 4096, BLOCK_BYTES)
                .storedIn(workshop.store);
        workshop.metadata.with(shard);
    }

    @AfterEach
    void stop() throws Exception {
        workshop.close();
    }

    @Test
    void slowClientHoldsNobodyUpAndGetsEveryByte() throws Exception {
        var node = workshop.node("node-1");
        try (var slow = new RawClient(node.port())) {
            slow.write("GET " + shard.url(0) + " HTTP/1.1\r\nHost: node\r\n\r\n");
            var length = slow.readHead().contentLength();
            var first = slow.readBody(1000);

            for (var other = 0; other < 20; other++) {
                assertThat(node.get(shard.url(0)).body()).isEqualTo(shard.block(0));
            }
            var rest = slow.readBody(length - first.length);

            assertThat(rest).isEqualTo(Arrays.copyOfRange(shard.block(0), first.length, length));
        }
    }

    @Test
    void clientThatLeavesLetsGoOfTheBlock() throws Exception {
        var node = workshop.node("node-1", "block.capacity", Integer.toString(BLOCK_BYTES + 8192));
        assertThat(node.get(shard.url(0)).statusCode()).isEqualTo(200);
        Deadline.until("stored", () -> node.wiring.facts().blocks() == 1);
        try (var leaving = new RawClient(node.port())) {
            leaving.write("GET " + shard.url(0) + " HTTP/1.1\r\nHost: node\r\n\r\n");
            leaving.readHead();
            leaving.readBody(1000);

            assertThat(TestNode.problem(node.get(shard.url(1)))).isEqualTo("507 insufficient-storage");
        }

        Deadline.until("room again", () -> node.get(shard.url(1)).statusCode() == 200);
    }

    @Test
    void clientThatLeavesWhileItWaitsStopsNoFill() throws Exception {
        var node = workshop.node("node-1");
        workshop.store.order(StreamFault.WAIT, 100_000, 1);
        try (var leaving = new RawClient(node.port())) {
            leaving.write("GET " + shard.url(0) + " HTTP/1.1\r\nHost: node\r\n\r\n");
            Deadline.until("a fill under way", () -> node.wiring.facts().fills() == 1);
        }
        workshop.store.openGate();

        Deadline.until("stored", () -> node.wiring.facts().blocks() == 1);
        assertThat(node.get(shard.url(0) + "&fill=none").body()).isEqualTo(shard.block(0));
    }

    @Test
    void requestsSentAtOnceAreAnsweredInTheirOrder() throws Exception {
        var node = workshop.node("node-1");
        try (var client = new RawClient(node.port())) {
            var ranges = new int[][] {{0, 10}, {500_000, 3_000_000}, {7, 8}, {65_000, 66_000}};
            var requests = new StringBuilder();
            for (var range : ranges) {
                requests.append("GET ").append(shard.url(0)).append(" HTTP/1.1\r\nHost: node\r\nRange: bytes=");
                requests.append(range[0]).append('-').append(range[1] - 1).append("\r\n\r\n");
            }
            client.write(requests.toString());

            for (var range : ranges) {
                var head = client.readHead();
                assertThat(head.status()).isEqualTo(206);
                assertThat(client.readBody(head.contentLength()))
                        .isEqualTo(Arrays.copyOfRange(shard.block(0), range[0], range[1]));
            }
        }
    }
}
