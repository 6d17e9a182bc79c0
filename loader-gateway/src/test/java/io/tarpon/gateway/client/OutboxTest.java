package io.tarpon.gateway.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.tarpon.gateway.fixture.NodeDouble;
import io.tarpon.gateway.fixture.World;
import io.tarpon.testkit.Deadline;
import io.tarpon.wire.block.BlockId;
import io.tarpon.wire.block.WantedBlocks;
import io.tarpon.wire.http.WriteToken;
import io.tarpon.wire.metadata.NodeRecord;
import io.tarpon.wire.metadata.NodeRegistration;
import io.tarpon.wire.metadata.NodeState;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Addressees that hang, refuse or are away, beside one that takes everything.
@NullUnmarked // The test framework fills the fields.
class OutboxTest {
    /// Well below the five seconds for which a hanging node is waited for.
    private static final Duration PROMPTLY = Duration.ofSeconds(3);

    private static final BlockId BLOCK = new BlockId(7, 8);

    @TempDir
    Path folder;

    private Outbox outbox;
    private NodeDouble good;
    private final List<ServerSocket> hanging = new ArrayList<>();

    @BeforeEach
    void open() throws IOException {
        outbox = new Outbox(new WriteToken(World.TOKEN));
        good = new NodeDouble("good", "host", folder);
    }

    @AfterEach
    void close() throws IOException {
        outbox.close();
        good.close();
        for (var socket : hanging) {
            socket.close();
        }
    }

    @Test
    void nodesThatHangDoNotDelayTheNoticesOfOthers() throws IOException {
        var notices = new NodeNotices(outbox);
        for (int i = 0; i < 5; i++) {
            notices.used(hangingNode(), BLOCK);
        }
        notices.used(good.record(), BLOCK);
        notices.damaged(good.record(), BLOCK);
        notices.start();
        Deadline.until(
                PROMPTLY,
                "the good node is told of both",
                () -> good.used().contains(BLOCK.hex()) && good.damaged().contains(BLOCK.hex()));
    }

    @Test
    void nodesThatHangDoNotDelayWhatOthersAreToFetch() throws IOException {
        var notices = new WantedNotices(outbox);
        var wanted = new WantedBlocks.Wanted(BLOCK.hex(), "demo/v1/train/shard-000000", 0);
        for (int i = 0; i < 5; i++) {
            notices.add(hangingNode(), wanted);
        }
        notices.add(good.record(), wanted);
        notices.send();
        Deadline.until(PROMPTLY, "the good node is told", () -> good.wanted().contains(wanted));
    }

    @Test
    void lettersToOneAddresseeGoOneAfterTheOther() throws InterruptedException {
        var most = new AtomicInteger();
        var now = new AtomicInteger();
        var left = new AtomicInteger(50);
        var done = new CountDownLatch(1);
        var mail = new Outbox.Mail() {
            @Override
            public boolean deliverOne(Outbox by) {
                most.accumulateAndGet(now.incrementAndGet(), Math::max);
                now.decrementAndGet();
                if (left.decrementAndGet() == 0) {
                    done.countDown();
                    return false;
                }
                return true;
            }

            @Override
            public void drop(Exception why) {
                throw new AssertionError(why);
            }
        };
        while (!done.await(1, TimeUnit.MILLISECONDS)) {
            outbox.deliver(mail);
        }
        assertThat(most).hasValue(1);
        assertThat(left).hasNonPositiveValue();
    }

    @Test
    void anAddresseeThatIsAwayLosesWhatWaitsAndIsToldAnewLater() throws IOException {
        var notices = new WantedNotices(outbox);
        var gone = hangingNode();
        hanging.removeLast().close();
        notices.add(gone, new WantedBlocks.Wanted(BLOCK.hex(), "demo/v1/train/shard-000000", 0));
        notices.send();
        var wanted = new WantedBlocks.Wanted(new BlockId(1, 2).hex(), "demo/v1/train/shard-000000", 1);
        notices.add(good.record(), wanted);
        notices.send();
        Deadline.until(PROMPTLY, "others are told", () -> good.wanted().contains(wanted));
    }

    @Test
    void whatThrowsStopsNeitherTheClockNorWhatIsDeliveredLater() {
        var rounds = new AtomicInteger();
        var letters = new AtomicInteger();
        var mail = new Outbox.Mail() {
            @Override
            public boolean deliverOne(Outbox by) {
                letters.incrementAndGet();
                throw new AssertionError("made to fail");
            }

            @Override
            public void drop(Exception why) {
                throw new AssertionError(why);
            }
        };
        outbox.repeat(Duration.ofMillis(5), () -> {
            outbox.deliver(mail);
            if (rounds.incrementAndGet() % 2 == 0) {
                throw new IllegalStateException("made to fail");
            }
            throw new AssertionError("made to fail");
        });
        Deadline.until(PROMPTLY, "it goes on", () -> rounds.get() > 3 && letters.get() > 3);
    }

    /// As where it loses power in between.
    @Test
    void anAddresseeThatFallsSilentAfterTheHeadOfItsAnswerIsGivenUp() throws Exception {
        var socket = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        hanging.add(socket);
        var failures = new LinkedBlockingQueue<Exception>();
        var mail = new Outbox.Mail() {
            @Override
            public boolean deliverOne(Outbox by) throws IOException, InterruptedException {
                return by.post("http://127.0.0.1:" + socket.getLocalPort(), "/", new byte[0]);
            }

            @Override
            public void drop(Exception why) {
                failures.add(why);
            }
        };
        try (var impatient = new Outbox(new WriteToken(World.TOKEN), Duration.ofMillis(500))) {
            impatient.deliver(mail);
            try (var connection = socket.accept()) {
                connection
                        .getOutputStream()
                        .write("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
                assertThat(failures.poll(PROMPTLY.toMillis(), TimeUnit.MILLISECONDS))
                        .hasMessageContaining("no whole answer");
                Deadline.until("it may be told anew", () -> !impatient.isDelivering(mail));
            }
        }
    }

    /// Takes connections and never answers.
    private NodeRecord hangingNode() throws IOException {
        var socket = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        hanging.add(socket);
        var of = good.record().registration();
        var url = "http://127.0.0.1:" + socket.getLocalPort();
        var registration =
                new NodeRegistration(url, of.host(), of.zone(), of.weight(), of.capacityBytes(), of.dataDirs());
        return new NodeRecord("hanging-" + hanging.size(), registration, NodeState.UP, 0, 0);
    }
}
