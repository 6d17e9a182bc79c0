package io.tarpon.wire.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLHandshakeException;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Against a server with a certificate of its own, which the JDK trusts only where it is told to.
class LateTlsTest {
    private static final char[] PASSWORD = "secret".toCharArray();

    @TempDir
    Path scratch = Path.of("");

    private final SSLContext before = SSLContext.getDefault();
    private SSLContext own = before;
    private HttpsServer server = HttpsServer.create();

    LateTlsTest() throws Exception {}

    @BeforeEach
    void serve() throws Exception {
        own = contextOf(keyStore(scratch.resolve("keys.p12")));
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

    private static KeyStore keyStore(Path file) throws Exception {
        var keytool = Path.of(System.getProperty("java.home"), "bin", "keytool");
        var made = new ProcessBuilder(
                        keytool.toString(),
                        "-genkeypair",
                        "-keyalg",
                        "EC",
                        "-dname",
                        "CN=localhost",
                        "-ext",
                        "san=dns:localhost",
                        "-keystore",
                        file.toString(),
                        "-storetype",
                        "PKCS12",
                        "-storepass",
                        new String(PASSWORD))
                .inheritIO()
                .start();
        assertThat(made.waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThat(made.exitValue()).isZero();
        var keys = KeyStore.getInstance("PKCS12");
        try (var in = Files.newInputStream(file)) {
            keys.load(in, PASSWORD);
        }
        return keys;
    }

    private static SSLContext contextOf(KeyStore keys) throws Exception {
        var keyManagers = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        keyManagers.init(keys, PASSWORD);
        var certificates = KeyStore.getInstance("PKCS12");
        certificates.load(null, null);
        certificates.setCertificateEntry("own", keys.getCertificate("mykey"));
        var trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trust.init(certificates);
        var context = SSLContext.getInstance("TLS");
        context.init(keyManagers.getKeyManagers(), trust.getTrustManagers(), null);
        return context;
    }
}
