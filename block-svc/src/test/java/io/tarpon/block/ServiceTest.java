package io.tarpon.block;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.common.http.TestHTTPResource;
import io.quarkus.test.junit.QuarkusTest;
import io.tarpon.testkit.Deadline;
import io.tarpon.testkit.RawClient;
import java.io.IOException;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.Socket;
import java.net.SocketException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import org.junit.jupiter.api.Test;

/// The service as it is packaged: its settings, its health, its metrics, its listener.
@QuarkusTest
@QuarkusTestResource(ClusterAround.class)
class ServiceTest {
    @TestHTTPResource
    URI url;

    private final TestShard shard = ClusterAround.shard();
    private final HttpClient client = HttpClient.newHttpClient();

    @Test
    void blocksAreFilledServedAndCounted() throws Exception {
        assertThat(get(shard.url(0)).body()).isEqualTo(shard.block(0));
        Deadline.until("stored", () -> text("/v1/node").contains("\"blocks\":1,"));
        assertThat(get(shard.url(0)).headers().firstValue("Tarpon-Block")).hasValue("hit");

        assertThat(text("/q/metrics"))
                .contains("tarpon_block_reads_total{result=\"hit\"} 1.0")
                .contains("tarpon_block_reads_total{result=\"miss\"} 1.0")
                .contains("tarpon_block_fill_bytes_total{from=\"store\"} " + (double) shard.block(0).length)
                .contains("tarpon_block_stored_bytes");
    }

    @Test
    void serviceIsReadyOnceItJoined() throws Exception {
        Deadline.until("ready", () -> get("/q/health/ready").statusCode() == 200);
        assertThat(get("/q/health/live").statusCode()).isEqualTo(200);
        assertThat(text("/v1/node")).contains("\"registered\":true").contains("\"id\":\"node-1\"");
    }

    @Test
    void unknownPathIsAProblemLikeEveryOtherError() throws Exception {
        var answer = get("/nothing/here");

        assertThat(TestNode.problem(answer)).isEqualTo("404 not-found");
        assertThat(answer.headers().firstValue("Content-Type")).hasValue("application/problem+json");
        assertThat(answer.headers().firstValue("Cache-Control")).hasValue("no-store");
    }

    @Test
    void requestOfTwoLengthsIsRefusedAndItsConnectionClosed() throws Exception {
        try (var raw = new RawClient(url.getPort())) {
            raw.write("GET /v1/node HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\nGET /v1/node HTTP/1.1\r\nHost: a\r\n\r\n");
            var head = raw.readHead();
            raw.readBody(head.contentLength());

            assertThat(head.status()).isEqualTo(400);
            assertThat(raw.isAtEnd()).isTrue();
        }
    }

    @Test
    void onlyLoopbackIsListenedTo() throws Exception {
        for (var card : NetworkInterface.networkInterfaces().toList()) {
            for (var address : card.inetAddresses().toList()) {
                assertThat(answers(address)).as("%s", address).isEqualTo(isOurs(address));
            }
        }
    }

    private boolean answers(InetAddress address) throws IOException {
        try (var socket = new Socket(address, url.getPort())) {
            return socket.isConnected();
        } catch (SocketException e) {
            return false;
        }
    }

    private static boolean isOurs(InetAddress address) {
        return address.getHostAddress().equals("127.0.0.1");
    }

    private String text(String path) throws Exception {
        return new String(get(path).body(), UTF_8);
    }

    private HttpResponse<byte[]> get(String path) throws Exception {
        return client.send(HttpRequest.newBuilder(url.resolve(path)).build(), BodyHandlers.ofByteArray());
    }
}
