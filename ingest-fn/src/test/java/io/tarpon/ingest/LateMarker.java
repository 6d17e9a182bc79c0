package io.tarpon.ingest;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.quarkus.test.common.QuarkusTestResourceLifecycleManager;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/// As much of an S3 server as a search for a marker and one listing use: bucket `raw`, whose markers are there once
/// the test says so.
public final class LateMarker implements QuarkusTestResourceLifecycleManager {
    private static final String LISTING = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>"
            + "<ListBucketResult xmlns=\"http://s3.amazonaws.com/doc/2006-03-01/\"><Name>raw</Name>"
            + "<Prefix>late/</Prefix><KeyCount>1</KeyCount><MaxKeys>1000</MaxKeys><IsTruncated>false</IsTruncated>"
            + "<Contents><Key>late/a.jpg</Key><LastModified>2026-05-01T10:00:00.000Z</LastModified>"
            + "<ETag>&quot;e&quot;</ETag><Size>4</Size><StorageClass>STANDARD</StorageClass></Contents>"
            + "</ListBucketResult>";

    private final AtomicInteger looks = new AtomicInteger();
    private volatile boolean there;
    private @Nullable HttpServer server;

    @Override
    public Map<String, String> start() {
        try {
            server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        server.createContext("/", this::answer);
        server.start();
        return Map.of(
                "tarpon.sources.raw.kind", "s3",
                "tarpon.sources.raw.endpoint",
                        "http://127.0.0.1:" + server.getAddress().getPort(),
                "tarpon.sources.raw.bucket", "raw",
                "tarpon.sources.raw.access-key-id", "any",
                "tarpon.sources.raw.secret-access-key", "any");
    }

    @Override
    public void inject(TestInjector injector) {
        injector.injectIntoFields(this, new TestInjector.MatchesType(LateMarker.class));
    }

    /// How often a marker was looked for.
    int looks() {
        return looks.get();
    }

    void show() {
        there = true;
    }

    @Override
    public void stop() {
        if (server != null) {
            server.stop(0);
        }
    }

    private void answer(HttpExchange exchange) throws IOException {
        try (exchange) {
            var path = exchange.getRequestURI().getPath();
            if (exchange.getRequestMethod().equals("HEAD") && !path.contains("late")) {
                // Whether the bucket is there.
                exchange.sendResponseHeaders(200, -1);
                return;
            }
            if (exchange.getRequestMethod().equals("HEAD")) {
                looks.incrementAndGet();
                var headers = exchange.getResponseHeaders();
                headers.add("ETag", "\"d41d8cd98f00b204e9800998ecf8427e\"");
                headers.add("Last-Modified", "Fri, 01 May 2026 10:00:00 GMT");
                headers.add("Content-Length", "0");
                exchange.sendResponseHeaders(there ? 200 : 404, -1);
                return;
            }
            var body = LISTING.getBytes(UTF_8);
            exchange.getResponseHeaders().add("Content-Type", "application/xml");
            exchange.sendResponseHeaders(200, body.length);
            exchange.getResponseBody().write(body);
        }
    }
}
