package io.tarpon.service.api;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import io.quarkus.vertx.http.runtime.filters.Filters;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
import io.vertx.ext.web.Router;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FramingFilterTest {
    private static final long MOST = 100;
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    private final AtomicInteger passed = new AtomicInteger();
    private Vertx vertx;
    private HttpServer server;

    @BeforeEach
    void listen() throws Exception {
        vertx = Vertx.vertx();
        var filters = new Filters();
        new FramingFilter(MOST).register(filters);
        var router = Router.router(vertx);
        filters.getFilters().forEach(filter -> router.route().handler(filter.getHandler()));
        router.route().handler(context -> {
            passed.incrementAndGet();
            context.request().end().onSuccess(_ -> context.response().end("passed"));
        });
        server = vertx.createHttpServer()
                .requestHandler(router)
                .listen(0, "127.0.0.1")
                .toCompletionStage()
                .toCompletableFuture()
                .get(PATIENCE.toSeconds(), SECONDS);
    }

    @AfterEach
    void close() throws Exception {
        vertx.close().toCompletionStage().toCompletableFuture().get(PATIENCE.toSeconds(), SECONDS);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        Content-Length: 101                           | 413 | payload-too-large
        Content-Length: 999999999999999999            | 413 | payload-too-large
        Content-Length: 9223372036854775807           | 413 | payload-too-large
        Transfer-Encoding: gzip                       | 400 | bad-parameter
        Transfer-Encoding: gzip, chunked              | 400 | bad-parameter
        Host: b                                       | 400 | bad-parameter
        """)
    void whatIsRefusedEndsTheConnectionAndIsSeenByNobodyElse(String header, int status, String type) throws Exception {
        var answer =
                exchange("POST / HTTP/1.1\r\nHost: a\r\n" + header + "\r\n\r\nGET /second HTTP/1.1\r\nHost: a\r\n\r\n");
        assertThat(answer)
                .startsWith("HTTP/1.1 " + status + " ")
                .containsIgnoringCase("\r\nconnection: close\r\n")
                .containsIgnoringCase("\r\ncontent-type: application/problem+json\r\n")
                .contains("urn:tarpon:problem:" + type)
                .containsOnlyOnce("HTTP/1.1 ");
        assertThat(passed).hasValue(0);
    }

    /// It was read together with the refused one, and would change what it changes although nobody gets its answer.
    @RepeatedTest(20)
    void aWholeRequestBehindARefusedOneIsNotHandled() throws Exception {
        var second = "POST /second HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\n\r\n";
        var answer = exchange("GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n" + second + second);
        assertThat(answer).startsWith("HTTP/1.1 400 ").containsOnlyOnce("HTTP/1.1 ");
        assertThat(passed).hasValue(0);
    }

    /// Twenty digits are no number for us, whoever finds that first.
    @Test
    void aLengthThatFitsNoLongIsRefused() throws Exception {
        assertThat(exchange("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 99999999999999999999\r\n\r\n"))
                .startsWith("HTTP/1.1 400 ");
        assertThat(passed).hasValue(0);
    }

    @Test
    void aHeadIsRefusedWithoutABody() throws Exception {
        var answer = exchange("HEAD / HTTP/1.1\r\nHost: a\r\nContent-Length: 101\r\n\r\n");
        assertThat(answer).startsWith("HTTP/1.1 413 ").endsWith("\r\n\r\n").doesNotContain("urn:tarpon");
    }

    @Test
    void aBodyOfTheMostBytesPasses() throws Exception {
        var answer = exchange("POST / HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Length: " + MOST + "\r\n\r\n"
                + "x".repeat((int) MOST));
        assertThat(answer).startsWith("HTTP/1.1 200 ").endsWith("passed");
    }

    private String exchange(String request) throws IOException {
        try (var socket = new Socket(InetAddress.getLoopbackAddress(), server.actualPort())) {
            socket.setSoTimeout((int) PATIENCE.toMillis());
            socket.getOutputStream().write(request.getBytes(ISO_8859_1));
            return new String(socket.getInputStream().readAllBytes(), ISO_8859_1);
        }
    }
}
