package io.tarpon.wire.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import io.tarpon.testkit.Certificate;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLHandshakeException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Against a server with a certificate of its own, which the JDK trusts only where it is told to.
class LateTlsTest {
    @TempDir
    Path scratch = Path.of("");

    private final SSLContext before = SSLContext.getDefault();
    private SSLContext own = before;
    private HttpsServer server = HttpsServer.create();

    LateTlsTest() throws Exception {}

    @BeforeEach
    void serve() throws Exception {
        own = Certificate.in(scratch, "dns:localhost").context();
        server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setHttpsConfigurator(new HttpsConfigurator(own));
        server.createContext("/", exchange -> {
            exchange.sendResponseHeaders(204, -1);
            exchange.close();
        });
        server.start();
    }

    @AfterEach
    void stop() {
        server.stop(0);
        SSLContext.setDefault(before);
    }

    @Test
    void tlsIsTheDefaultOfTheFirstConnectionThatNeedsIt() throws Exception {
        try (var client = client()) {
            SSLContext.setDefault(own);
            assertThat(get(client, "localhost")).isEqualTo(204);
        }
    }

    @Test
    void certificateThatNobodyTrustsIsRefused() {
        try (var client = client()) {
            assertThatThrownBy(() -> get(client, "localhost")).isInstanceOf(SSLHandshakeException.class);
        }
    }

    @Test
    void certificateOfAnotherHostIsRefused() {
        SSLContext.setDefault(own);
        try (var client = client()) {
            assertThatThrownBy(() -> get(client, "127.0.0.1")).isInstanceOf(SSLHandshakeException.class);
        }
    }

    private static HttpClient client() {
        return HttpClient.newBuilder().sslContext(LateTls.context()).build();
    }

    private int get(HttpClient client, String host) throws Exception {
        var url = URI.create("https://" + host + ":" + server.getAddress().getPort() + "/");
        return client.send(HttpRequest.newBuilder(url).build(), BodyHandlers.discarding())
                .statusCode();
    }
}
