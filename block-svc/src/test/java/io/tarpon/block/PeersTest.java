package io.tarpon.block;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import io.tarpon.storekit.FailingStore;
import io.tarpon.testkit.Deadline;
import io.tarpon.wire.metadata.NodeRecord;
import io.tarpon.wire.metadata.NodeRegistration;
import io.tarpon.wire.metadata.NodeState;
import io.tarpon.wire.placement.Placement;
import io.tarpon.wire.placement.PlacementNode;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Blocks that come from the node that owns them first.
class PeersTest {
    /// So heavy that it is the first owner of every block of the shard.
    private static final double HEAVY = 1e9;

    @TempDir
    Path folder;

    private Workshop workshop;
    private TestShard shard;
    private FailingStore ownerStore;
    private FailingStore otherStore;

    @BeforeEach
    void start() throws Exception {
        workshop = new Workshop(folder);
        shard = workshop.shard;
        ownerStore = workshop.view();
        otherStore = workshop.view();
    }

    @AfterEach
    void stop() throws Exception {
        workshop.close();
        ownerStore.close();
        otherStore.close();
    }

    @Test
    void otherOwnersCopyFromTheFirstSoTheStoreIsReadOnce() throws Exception {
        var owner = workshop.node("owner", ownerStore, Map.of("block.weight", "1000000000"));
        var other = workshop.node("other", otherStore, Map.of("block.weight", "1"));
        seesNodes(other, 2);

        assertThat(other.get(shard.url(0)).body()).isEqualTo(shard.block(0));

        var length = shard.block(0).length;
        assertThat(ownerStore.opens()).isEqualTo(1);
        assertThat(otherStore.opens()).isEqualTo(0);
        assertThat(other.count("tarpon.block.fill.bytes", "from", "peer")).isEqualTo(length);
        assertThat(owner.count("tarpon.block.fill.bytes", "from", "store")).isEqualTo(length);
        Deadline.until(
                "stored on both",
                () -> owner.wiring.facts().blocks() == 1 && other.wiring.facts().blocks() == 1);
    }

    @Test
    void fillFromTheStoreAsksNoPeer() throws Exception {
        var owner = workshop.node("owner", ownerStore, Map.of("block.weight", "1000000000"));
        var other = workshop.node("other", otherStore, Map.of("block.weight", "1"));
        seesNodes(other, 2);

        assertThat(other.get(shard.url(0) + "&fill=store").body()).isEqualTo(shard.block(0));
        assertThat(ownerStore.opens()).isEqualTo(0);
        assertThat(otherStore.opens()).isEqualTo(1);
        assertThat(owner.wiring.facts().blocks()).isZero();
    }

    @Test
    void firstOwnerThatIsGoneIsPassedOver() throws Exception {
        var port = freePort();
        announce("dead", "http://127.0.0.1:" + port);
        var other = workshop.node("other", otherStore, Map.of("block.weight", "1"));
        seesNodes(other, 2);

        assertThat(other.get(shard.url(0)).body()).isEqualTo(shard.block(0));
        assertThat(otherStore.opens()).isEqualTo(1);
    }

    @Test
    void firstOwnerWhoseUrlIsNoneIsPassedOver() throws Exception {
        announce("odd", "not a url");
        var other = workshop.node("other", otherStore, Map.of("block.weight", "1"));
        seesNodes(other, 2);

        assertThat(other.get(shard.url(0)).body()).isEqualTo(shard.block(0));
        assertThat(otherStore.opens()).isEqualTo(1);
    }

    @Test
    void storeGoesOnWhereAPeerBrokeOff() throws Exception {
        var sent = 4 * TestShard.SUB_BLOCK_BYTES + 1000;
        try (var peer = new Peer(Arrays.copyOf(shard.block(0), sent), shard.block(0).length)) {
            announce("broken", peer.url());
            var other = workshop.node("other", otherStore, Map.of("block.weight", "1"));
            seesNodes(other, 2);

            assertThat(other.get(shard.url(0)).body()).isEqualTo(shard.block(0));

            var fromPeer = other.count("tarpon.block.fill.bytes", "from", "peer");
            assertThat(fromPeer).isEqualTo(4 * TestShard.SUB_BLOCK_BYTES);
            assertThat(other.count("tarpon.block.fill.bytes", "from", "store"))
                    .isEqualTo(shard.block(0).length - fromPeer);
        }
    }

    @Test
    void damagedBytesFromAPeerAreReplacedFromTheStore() throws Exception {
        var lie = shard.block(0);
        lie[TestShard.SUB_BLOCK_BYTES + 5] ^= 1;
        try (var peer = new Peer(lie, lie.length)) {
            announce("liar", peer.url());
            var other = workshop.node("other", otherStore, Map.of("block.weight", "1"));
            seesNodes(other, 2);

            assertThat(other.get(shard.url(0)).body()).isEqualTo(shard.block(0));
            assertThat(other.count("tarpon.block.fill.bytes", "from", "peer")).isEqualTo(TestShard.SUB_BLOCK_BYTES);
        }
    }

    @Test
    void silentPeerIsGivenUp() throws Exception {
        try (var peer = new Peer(new byte[0], shard.block(0).length)) {
            announce("silent", peer.url());
            var other = workshop.node(
                    "other", otherStore, Map.of("block.weight", "1", "block.peer-read-timeout", "PT0.2S"));
            seesNodes(other, 2);

            assertThat(other.get(shard.url(0)).body()).isEqualTo(shard.block(0));
        }
    }

    private void announce(String id, String url) {
        workshop.metadata.nodes.put(
                id,
                new NodeRecord(
                        id,
                        new NodeRegistration(url, "elsewhere", "elsewhere", HEAVY, 1 << 30, List.of("/elsewhere")),
                        NodeState.UP,
                        0,
                        0));
        var owner = Placement.owners(
                        shard.id(0),
                        List.of(new PlacementNode(id, "elsewhere", HEAVY), new PlacementNode("other", "localhost", 1)),
                        1)
                .getFirst();
        assertThat(owner.id()).isEqualTo(id);
    }

    /// Until the node's view has so many, it would ask the store.
    private void seesNodes(TestNode node, int count) throws Exception {
        seesNodes(workshop, node, count);
    }

    static void seesNodes(Workshop workshop, TestNode node, int count) throws Exception {
        Deadline.until("all joined", () -> workshop.metadata.nodes.size() == count);
        Deadline.until("every node knows", () -> workshop.metadata.upToDate() >= workshop.running());
        assertThat(node.wiring.facts().registered()).isTrue();
    }

    private static int freePort() throws Exception {
        try (var socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    /// A block service that announces a whole block, sends some bytes and then nothing.
    private static final class Peer implements AutoCloseable {
        private final HttpServer server;

        Peer(byte[] sent, int announced) throws Exception {
            server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 4);
            server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
            server.createContext("/v1/blocks/", exchange -> {
                exchange.sendResponseHeaders(206, announced);
                exchange.getResponseBody().write(sent);
                exchange.getResponseBody().flush();
                if (sent.length > 0) {
                    exchange.close();
                }
            });
            server.start();
        }

        String url() {
            return "http://127.0.0.1:" + server.getAddress().getPort();
        }

        @Override
        public void close() {
            server.stop(0);
        }
    }
}
