package io.tarpon.block;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tarpon.storekit.FailingStore.StreamFault;
import io.tarpon.testkit.Deadline;
import io.tarpon.testkit.RawClient;
import io.tarpon.wire.ObjectKeys;
import io.tarpon.wire.index.ShardIndexFormat;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FillsTest {
    private static final int MIDDLE = 300_000;

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
    void readersAreServedWhileTheBlockIsStillWritten() throws Exception {
        workshop.store.order(StreamFault.WAIT, MIDDLE, 1);
        try (var client = new RawClient(node.port())) {
            client.write("GET " + shard.url(0) + " HTTP/1.1\r\nHost: node\r\n\r\n");
            var length = client.readHead().contentLength();
            var early = client.readBody(262_144);
            assertThat(node.wiring.facts().blocks()).isZero();
            workshop.store.openGate();
            var late = client.readBody(length - early.length);

            assertThat(early).isEqualTo(Arrays.copyOf(shard.block(0), early.length));
            assertThat(late).isEqualTo(Arrays.copyOfRange(shard.block(0), early.length, length));
        }
    }

    @Test
    void blockOfAKnownShardIsFilledWhileMetadataKeepsOthersWaiting() throws Exception {
        assertThat(node.get(shard.url(0)).body()).isEqualTo(shard.block(0));
        var others = TestShard.random("slow/v1/train/shard-000000", 9, 40, 100_000, Workshop.BLOCK_TARGET)
                .storedIn(workshop.store);
        workshop.metadata.with(others);
        var asked = workshop.metadata.shardsAsked.get();
        workshop.metadata.holdShards();
        try (var readers = Executors.newVirtualThreadPerTaskExecutor()) {
            var waiting = IntStream.range(0, others.index().blockCount())
                    .mapToObj(block -> readers.submit(() -> node.get(others.url(block))))
                    .toList();
            Deadline.until("both look-ups wait", () -> workshop.metadata.shardsAsked.get() == asked + 2);

            assertThat(node.get(shard.url(1)).body()).isEqualTo(shard.block(1));

            assertThat(waiting).noneMatch(Future::isDone);
            workshop.metadata.answerShards();
            for (var reader : waiting) {
                assertThat(reader.get().statusCode()).isEqualTo(200);
            }
        }
    }

    @Test
    void storeThatBreaksOnceGoesOnAtTheLastCheckedByte() throws Exception {
        workshop.store.order(StreamFault.BREAK, MIDDLE, 1);

        assertThat(node.get(shard.url(0)).body()).isEqualTo(shard.block(0));
        assertThat(workshop.store.opens()).isEqualTo(2);
        assertThat(node.count("tarpon.block.fill.bytes", "from", "store")).isEqualTo(shard.block(0).length);
    }

    @Test
    void storeThatEndsEarlyNeverMakesAShortBlock() throws Exception {
        workshop.store.order(StreamFault.END, MIDDLE, 1);

        assertThat(node.get(shard.url(0)).body()).isEqualTo(shard.block(0));
    }

    @Test
    void readerWithoutAByteIsToldThatTheStoreFails() throws Exception {
        workshop.store.order(StreamFault.BREAK, 1000, 2);

        assertThat(TestNode.problem(node.get(shard.url(0)))).isEqualTo("503 storage-unavailable");
        assertNothingIsStored();
        assertThat(node.get(shard.url(0)).body()).isEqualTo(shard.block(0));
    }

    @Test
    void readerWithBytesSeesItsConnectionBrokenNotAShortEnd() throws Exception {
        workshop.store.order(StreamFault.LIE, MIDDLE, 1);

        assertThatThrownBy(() -> node.get(shard.url(0))).isInstanceOf(IOException.class);
        assertNothingIsStored();
    }

    @Test
    void damagedBytesFromTheStoreArePassedToNobody() throws Exception {
        workshop.store.order(StreamFault.LIE, 1000, 1);

        var answer = node.get(shard.url(0));

        assertThat(TestNode.problem(answer)).isEqualTo("503 storage-unavailable");
        assertThat(new String(answer.body(), UTF_8)).contains("sub-block 0");
        assertNothingIsStored();
    }

    @Test
    void indexThatIsNotTheSealedOneIsRefused() throws Exception {
        var other = TestShard.random(shard.ref().path(), 2, 3, 1000, 512 << 10);
        workshop.store.write(ObjectKeys.index(shard.ref(), TestShard.ATTEMPT), ShardIndexFormat.encode(other.index()));

        assertThat(TestNode.problem(node.get(shard.url(0)))).isEqualTo("503 storage-unavailable");
        assertThat(workshop.store.opens()).isEqualTo(0);
    }

    @Test
    void indexOfAShardIsReadOnceForAllItsBlocks() throws Exception {
        for (var block = 0; block < shard.index().blockCount(); block++) {
            assertThat(node.get(shard.url(block)).statusCode()).isEqualTo(200);
        }

        assertThat(workshop.store.reads()).isEqualTo(1);
    }

    @Test
    void moreFillsThanTheQueueTakesAreRefused() throws Exception {
        var narrow = workshop.node("node-2", "block.fill-concurrency", "1", "block.fill-queue", "1");
        workshop.store.order(StreamFault.WAIT, 0, 1);
        try (var clients = Executors.newVirtualThreadPerTaskExecutor()) {
            var first = clients.submit(() -> narrow.get(shard.url(0)).body());
            Deadline.until("a fill at work", () -> narrow.wiring.facts().fills() == 1);
            var second = clients.submit(() -> narrow.get(shard.url(1)).body());
            Deadline.until("a fill in the queue", () -> narrow.wiring.facts().fills() == 2);

            assertThat(TestNode.problem(narrow.get(shard.url(2)))).isEqualTo("503 overloaded");
            workshop.store.openGate();
            assertThat(first.get()).isEqualTo(shard.block(0));
            assertThat(second.get()).isEqualTo(shard.block(1));
        }
    }

    private void assertNothingIsStored() throws Exception {
        Deadline.until("the fill is over", () -> node.wiring.facts().fills() == 0);
        assertThat(node.wiring.facts().blocks()).isZero();
        assertThat(node.names("tmp")).isEmpty();
        assertThat(node.file(shard.id(0))).doesNotExist();
    }
}
