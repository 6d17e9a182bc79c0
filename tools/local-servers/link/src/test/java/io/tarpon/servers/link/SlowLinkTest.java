package io.tarpon.servers.link;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.tarpon.servers.Listening;
import io.tarpon.servers.ServerProcess;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class SlowLinkTest {
    private static final int HEAP_MIB = 64;
    private static final int TIMEOUT_MS = 60_000;
    private static final int MANY_BYTES = 400_000;

    private AnsweringServer target;
    private ServerProcess link;

    @BeforeEach
    void start() throws Exception {
        target = new AnsweringServer();
        link = ServerProcess.start(SlowLink.class, HEAP_MIB, "--to", "127.0.0.1:" + target.port());
    }

    @AfterEach
    void stop() throws Exception {
        link.close();
        target.close();
    }

    @Test
    void bytesPassWholeBothWaysAndTheEndToo() throws Exception {
        try (Socket socket = connect()) {
            byte[] answer = ask(socket, MANY_BYTES);
            for (int i = 0; i < MANY_BYTES; i++) {
                if (answer[i] != AnsweringServer.byteAt(i)) {
                    throw new AssertionError("byte " + i + " differs");
                }
            }
            socket.shutdownOutput();
            assertThat(socket.getInputStream().read()).isEqualTo(-1);
        }
    }

    @Test
    void carriedBytesAreCountedEachWay() throws Exception {
        assertThat(link.tell("carried")).isEqualTo("done carried to-target=0 to-client=0");
        try (Socket socket = connect()) {
            ask(socket, MANY_BYTES);
            String counted = link.tell("carried");
            assertThat(counted).matches("done carried to-target=[1-9][0-9]* to-client=" + MANY_BYTES);
        }
    }

    @Test
    void latencyDelaysRequestAndAnswer() throws Exception {
        try (Socket socket = connect()) {
            ask(socket, 1);
            long plain = nanosToAsk(socket, 1);
            assertThat(link.tell("request-latency-ms 150")).isEqualTo("done request-latency-ms 150");
            long slowRequest = nanosToAsk(socket, 1);
            link.tell("answer-latency-ms 300");
            long slowBoth = nanosToAsk(socket, 1);
            assertThat(slowRequest).isGreaterThanOrEqualTo(150_000_000).isGreaterThan(plain);
            assertThat(slowBoth).isGreaterThanOrEqualTo(450_000_000).isGreaterThan(slowRequest);
        }
    }

    @Test
    void latencyDoesNotNarrowTheLink() throws Exception {
        link.tell("answer-latency-ms 300");
        try (Socket socket = connect()) {
            // Chunk after chunk would need 300 ms for each 64 KiB: 19 s.
            assertThat(nanosToAsk(socket, 4 << 20)).isLessThan(8_000_000_000L);
        }
    }

    @Test
    void bandwidthIsKept() throws Exception {
        try (Socket socket = connect()) {
            ask(socket, MANY_BYTES);
            long plain = nanosToAsk(socket, MANY_BYTES);
            link.tell("bytes-per-second 400000");
            long narrow = nanosToAsk(socket, MANY_BYTES);
            assertThat(narrow).isGreaterThan(800_000_000).isGreaterThan(2 * plain);
        }
    }

    @Test
    void wideLinkCarriesWhatItIsWide() throws Exception {
        int bytes = 30_000_000;
        try (Socket socket = connect()) {
            ask(socket, bytes);
            link.tell("bytes-per-second 30000000");
            long nanos = nanosToAsk(socket, bytes);
            assertThat(nanos).isBetween(990_000_000L, 3_000_000_000L);
        }
    }

    @Test
    void latencyCostsOncePerRequestWhateverItsSize() throws Exception {
        link.tell("request-latency-ms 1000");
        try (Socket socket = connect()) {
            ask(socket, MANY_BYTES);
            assertThat(nanosToAsk(socket, 1)).isBetween(1_000_000_000L, 1_900_000_000L);
            assertThat(nanosToAsk(socket, MANY_BYTES)).isBetween(1_000_000_000L, 1_900_000_000L);
        }
    }

    @Test
    void connectionBreaksAfterTheBytesItMayCarry() throws Exception {
        link.tell("reset-after-bytes 100000");
        try (Socket socket = connect()) {
            int read = 0;
            new DataOutputStream(socket.getOutputStream()).writeInt(MANY_BYTES);
            try {
                while (socket.getInputStream().read() >= 0) {
                    read++;
                }
                throw new AssertionError("ended without a reset after " + read);
            } catch (SocketException e) {
                assertThat(read).isLessThanOrEqualTo(100_000);
            }
        }
        link.tell("reset-after-bytes 0");
        try (Socket socket = connect()) {
            assertThat(ask(socket, MANY_BYTES)).hasSize(MANY_BYTES);
        }
    }

    @Test
    void commandBreaksOpenConnectionsAndNewOnesAreServed() throws Exception {
        try (Socket open = connect()) {
            ask(open, 1);
            assertThat(link.tell("reset")).isEqualTo("done reset connections=1");
            assertThatExceptionOfType(SocketException.class).isThrownBy(() -> ask(open, 1));
        }
        try (Socket next = connect()) {
            assertThat(ask(next, 10)).hasSize(10);
        }
    }

    @Test
    void deadTargetIsAResetNotASilence() throws Exception {
        target.close();
        try (Socket socket = connect()) {
            assertThatExceptionOfType(IOException.class).isThrownBy(() -> ask(socket, 1));
        }
    }

    @Test
    void unknownCommandChangesNothing() throws Exception {
        assertThat(link.tell("faster 10")).isEqualTo("refused unknown setting \"faster\"");
        assertThat(link.tell("bytes-per-second")).startsWith("refused bytes-per-second must be a number");
    }

    @Test
    void everySocketIsOnLoopback() throws Exception {
        assumeTrue(Listening.known(), "needs /proc/net/tcp");
        assertThat(Listening.addresses(link.pid())).hasSize(1).isSubsetOf(Listening.LOOPBACK);
    }

    @Test
    void takenPortIsRefusedInOneLine() throws Exception {
        ServerProcess.Ended ended =
                ServerProcess.refused(SlowLink.class, "--to", "127.0.0.1:1", "--port", Integer.toString(link.port()));
        assertThat(ended.status()).isEqualTo(1);
        assertThat(ended.err())
                .startsWith("slow-link: cannot listen on 127.0.0.1:" + link.port())
                .hasLineCount(1);
    }

    @Test
    void badTargetIsRefusedInOneLine() throws Exception {
        ServerProcess.Ended ended = ServerProcess.refused(SlowLink.class, "--to", "7070");
        assertThat(ended.status()).isEqualTo(2);
        assertThat(ended.err()).isEqualTo("slow-link: --to must be host:port, not \"7070\"");
    }

    private Socket connect() throws IOException {
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), link.port());
        socket.setSoTimeout(TIMEOUT_MS);
        return socket;
    }

    private static byte[] ask(Socket socket, int bytes) throws IOException {
        new DataOutputStream(socket.getOutputStream()).writeInt(bytes);
        byte[] answer = new byte[bytes];
        new DataInputStream(socket.getInputStream()).readFully(answer);
        return answer;
    }

    private static long nanosToAsk(Socket socket, int bytes) throws IOException {
        long start = System.nanoTime();
        ask(socket, bytes);
        return System.nanoTime() - start;
    }
}
