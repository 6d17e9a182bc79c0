package io.tarpon.shard;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.tarpon.store.Sources;
import io.tarpon.wire.Digests;
import io.tarpon.wire.plan.PlannedMember;
import io.tarpon.wire.plan.PlannedSample;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// An S3 server that does not give what was planned, or not at once, over a real socket: every shard is exactly its
/// plan, or there is none.
class LyingOriginTest {
    private static final String BAD = "s07.bin";

    @TempDir
    Path temp;

    private final Map<String, byte[]> objects = new HashMap<>();
    private BuildFixture at;
    private HttpServer server;
    private Sources sources;
    private volatile Answer answer = LyingOriginTest::whole;

    /// How the bad object is answered.
    private interface Answer {
        void give(HttpExchange exchange, byte[] object) throws IOException;
    }

    /// Answers that never are the object.
    enum Lie {
        REFUSED,
        BROKEN_OFF,
        SHORTER,
        LONGER,
        ERROR_DOCUMENT;

        void give(HttpExchange exchange, byte[] object) throws IOException {
            switch (this) {
                case REFUSED -> exchange.sendResponseHeaders(503, -1);
                case BROKEN_OFF -> {
                    exchange.sendResponseHeaders(200, object.length);
                    exchange.getResponseBody().flush();
                }
                case SHORTER -> give(exchange, 200, Arrays.copyOf(object, object.length - 1));
                case LONGER -> give(exchange, 200, Arrays.copyOf(object, object.length + 1));
                case ERROR_DOCUMENT -> {
                    exchange.getResponseHeaders().remove("ETag");
                    exchange.getResponseHeaders().set("Content-Type", "application/xml");
                    give(exchange, 200, "<Error><Code>SlowDown</Code></Error>".getBytes(UTF_8));
                }
            }
        }

        private static void give(HttpExchange exchange, int status, byte[] body) throws IOException {
            exchange.sendResponseHeaders(status, body.length);
            exchange.getResponseBody().write(body);
        }
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
        assertThat(at.tars()).isEmpty();
    }

    @Test
    void objectOverwrittenAfterThePlanIsNamed() throws Exception {
        var planned = at.planned("raw", samples());
        answer = (exchange, _) -> exchange.sendResponseHeaders(412, -1);

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
        answer = (exchange, object) -> {
            exchange.getResponseHeaders().set("ETag", "\"00000000000000000000000000000000\"");
            whole(exchange, object);
        };

        assertThat(at.build.build(planned))
                .isInstanceOfSatisfying(
                        Outcome.Dead.class, dead -> assertThat(dead.reason()).isEqualTo(DeadReason.SOURCE_CHANGED));
    }

    @Test
    void aStormOfErrorsCostsTimeAndNoByte() throws Exception {
        var calm = builtInCalm();
        var asked = new AtomicInteger();
        answer = (exchange, object) -> {
            int request = asked.incrementAndGet();
            if (request <= 6) {
                exchange.sendResponseHeaders(request % 2 == 0 ? 503 : 500, -1);
            } else {
                whole(exchange, object);
            }
        };

        assertThat(at.build.build(at.planned("raw", samples()))).isInstanceOf(Outcome.Sealed.class);

        assertThat(asked).hasValue(7);
        assertThat(sealed()).isEqualTo(calm);
    }

    @Test
    void bodiesThatBreakOffAreTakenUpWhereTheyBroke() throws Exception {
        var calm = builtInCalm();
        var asked = new AtomicInteger();
        answer = (exchange, object) -> {
            asked.incrementAndGet();
            piece(exchange, object, 7_000);
        };

        assertThat(at.build.build(at.planned("raw", samples()))).isInstanceOf(Outcome.Sealed.class);

        assertThat(asked).hasValue(3);
        assertThat(sealed()).isEqualTo(calm);
    }

    @ParameterizedTest
    @EnumSource(Lie.class)
    void whatIsNeverTheObjectIsWaitedForAndNeverBecomesAShard(Lie lie) throws Exception {
        var calm = builtInCalm();
        at.store.deleteAll(at.tars());
        var planned = at.planned("raw", samples());
        var honest = answer;
        answer = lie::give;

        var outcome = at.waiting(planned, 5);

        assertThat(at.waits.now())
                .singleElement()
                .satisfies(wait -> assertThat(wait.reason()).contains(BAD));
        assertThat(at.metadata.failReasons).isEmpty();
        assertThat(at.metadata.isSealed(Folders.ref(0))).isFalse();
        assertThat(at.tars()).isEmpty();

        answer = honest;
        assertThat(outcome.get(30, TimeUnit.SECONDS)).isInstanceOf(Outcome.Sealed.class);
        assertThat(sealed()).isEqualTo(calm);
    }

    @Test
    void whoMayNotReadAnObjectIsToldItsName() throws Exception {
        var planned = at.planned("raw", samples());
        answer = (exchange, _) -> exchange.sendResponseHeaders(403, -1);

        assertThat(at.build.build(planned)).isInstanceOfSatisfying(Outcome.Dead.class, dead -> {
            assertThat(dead.reason()).isEqualTo(DeadReason.SOURCE_UNREADABLE);
            assertThat(dead.detail()).contains(BAD);
        });

        assertThat(at.metadata.failReasons).singleElement().asString().contains(BAD);
    }

    /// The digest of the shard as an honest server gives it; afterwards the shard is to be built anew.
    private String builtInCalm() throws Exception {
        assertThat(at.build.build(at.planned("raw", samples()))).isInstanceOf(Outcome.Sealed.class);
        return sealed();
    }

    /// What is sealed is what lies in the store.
    private String sealed() throws IOException {
        var sha256 = at.metadata.sealOf(Folders.ref(0)).sha256();
        assertThat(Digests.sha256Hex(at.tar())).isEqualTo(sha256);
        return sha256;
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
                answer.give(exchange, bytes);
            } else {
                whole(exchange, bytes);
            }
        }
    }

    private static void whole(HttpExchange exchange, byte[] object) throws IOException {
        piece(exchange, object, object.length);
    }

    /// What was asked for, or its first `most` bytes and the end of the connection.
    private static void piece(HttpExchange exchange, byte[] object, int most) throws IOException {
        var range = exchange.getRequestHeaders().getFirst("Range");
        int from = range == null ? 0 : Integer.parseInt(range.substring("bytes=".length(), range.indexOf('-')));
        if (from > 0) {
            exchange.getResponseHeaders()
                    .set("Content-Range", "bytes " + from + "-" + (object.length - 1) + "/" + object.length);
        }
        exchange.sendResponseHeaders(from > 0 ? 206 : 200, object.length - from);
        exchange.getResponseBody().write(object, from, Math.min(most, object.length - from));
        exchange.getResponseBody().flush();
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
