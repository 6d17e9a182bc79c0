package io.tarpon.shard;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.tarpon.store.Sources;
import io.tarpon.wire.ObjectKeys;
import io.tarpon.wire.plan.PlannedMember;
import io.tarpon.wire.plan.PlannedSample;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// An S3 server that does not give what was planned (F20, F22), over a real socket.
class LyingOriginTest {
    private static final String BAD = "s07.bin";

    @TempDir
    Path temp;

    private final Map<String, byte[]> objects = new HashMap<>();
    private BuildFixture at;
    private HttpServer server;
    private Sources sources;
    private volatile Answer answer = HttpExchange::sendResponseHeaders;

    /// How the bad object's answer begins, once it is known to have so many bytes.
    private interface Answer {
        void begin(HttpExchange exchange, int status, long length) throws IOException;
    }

    @BeforeEach
    void start() throws Exception {
        var random = new Random(11);
        for (int i = 0; i < 12; i++) {
            var bytes = new byte[20_000];
            random.nextBytes(bytes);
            objects.put("s%02d.bin".formatted(i), bytes);
        }
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        server.createContext("/raw/", this::handle);
        server.start();
        sources = S3Sources.at(server.getAddress().getPort());
        at = new BuildFixture(temp, sources::open);
    }

    @AfterEach
    void stop() {
        at.close();
        sources.close();
        server.stop(0);
    }

    @Test
    void bytesThatFitTheirEtagAreBuilt() throws Exception {
        assertThat(at.build.build(at.planned("raw", samples()))).isInstanceOf(Outcome.Sealed.class);
    }

    @Test
    void otherBytesUnderTheSameEtagNeverBecomeAShard() throws Exception {
        var planned = at.planned("raw", samples());
        objects.get(BAD)[5_000] ^= 1;

        assertThat(at.build.build(planned))
                .isInstanceOfSatisfying(
                        Outcome.Dead.class, dead -> assertThat(dead.detail()).contains(BAD));

        assertThat(at.metadata.failReasons).singleElement().asString().contains(BAD);
        assertThat(at.metadata.isSealed(Folders.ref(0))).isFalse();
        assertThat(at.store.size(ObjectKeys.tar(Folders.ref(0)))).isEmpty();
    }

    @Test
    void objectOverwrittenAfterThePlanIsNamed() throws Exception {
        var planned = at.planned("raw", samples());
        answer = (exchange, status, length) -> exchange.sendResponseHeaders(412, -1);

        assertThat(at.build.build(planned)).isInstanceOfSatisfying(Outcome.Dead.class, dead -> {
            assertThat(dead.reason()).isEqualTo(DeadReason.SOURCE_CHANGED);
            assertThat(dead.detail()).contains(BAD);
        });
    }

    @Test
    void objectDeletedAfterThePlanIsNamed() throws Exception {
        var planned = at.planned("raw", samples());
        objects.remove(BAD);

        assertThat(at.build.build(planned)).isInstanceOfSatisfying(Outcome.Dead.class, dead -> {
            assertThat(dead.reason()).isEqualTo(DeadReason.SOURCE_CHANGED);
            assertThat(dead.detail()).contains(BAD);
        });
    }

    @Test
    void serverThatIgnoresTheConditionIsCaughtByItsOwnEtag() throws Exception {
        var planned = at.planned("raw", samples());
        answer = (exchange, status, length) -> {
            exchange.getResponseHeaders().set("ETag", "\"00000000000000000000000000000000\"");
            exchange.sendResponseHeaders(status, length);
        };

        assertThat(at.build.build(planned))
                .isInstanceOfSatisfying(
                        Outcome.Dead.class, dead -> assertThat(dead.reason()).isEqualTo(DeadReason.SOURCE_CHANGED));
    }

    private void handle(HttpExchange exchange) throws IOException {
        try (exchange) {
            var key = exchange.getRequestURI().getPath().substring("/raw/".length());
            var bytes = objects.get(key);
            if (bytes == null) {
                exchange.sendResponseHeaders(404, -1);
                return;
            }
            exchange.getResponseHeaders()
                    .set("ETag", exchange.getRequestHeaders().getFirst("If-Match"));
            if (key.equals(BAD)) {
                answer.begin(exchange, 200, bytes.length);
            } else {
                exchange.sendResponseHeaders(200, bytes.length);
            }
            if (exchange.getResponseCode() == 200) {
                exchange.getResponseBody().write(bytes);
            }
        }
    }

    private List<PlannedSample> samples() throws Exception {
        var samples = new ArrayList<PlannedSample>();
        for (var key : objects.keySet().stream().sorted().toList()) {
            var bytes = objects.get(key);
            var etag = HexFormat.of().formatHex(MessageDigest.getInstance("MD5").digest(bytes));
            samples.add(new PlannedSample(
                    key.substring(0, key.indexOf('.')), List.of(new PlannedMember("bin", bytes.length, key, etag))));
        }
        return samples;
    }
}
