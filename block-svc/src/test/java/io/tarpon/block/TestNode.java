package io.tarpon.block;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.smallrye.config.PropertiesConfigSource;
import io.smallrye.config.SmallRyeConfigBuilder;
import io.tarpon.block.api.BlockRoutes;
import io.tarpon.block.api.NodeRoutes;
import io.tarpon.blocks.disk.BlockFolder;
import io.tarpon.store.ObjectStore;
import io.tarpon.wire.block.BlockId;
import io.tarpon.wire.block.BlockPath;
import io.tarpon.wire.json.Json;
import io.tarpon.wire.trace.Traces;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.http.HttpServer;
import io.vertx.ext.web.Router;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/// A whole node on a free port of loopback, wired as in production, over the store and the metadata-svc of a test.
final class TestNode implements AutoCloseable {
    private static final Vertx VERTX = Vertx.vertx(new VertxOptions().setPreferNativeTransport(true));
    private static final HttpClient CLIENT =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    final Wiring wiring;
    final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    final Path folder;
    private final HttpServer server;

    /// @param settings keys below `tarpon.`, with their values
    TestNode(Path folder, ObjectStore store, MetadataServer metadata, Map<String, String> settings) throws Exception {
        this(folder, store, metadata.url(), settings);
    }

    TestNode(Path folder, ObjectStore store, URI metadata, Map<String, String> settings) throws Exception {
        this.folder = folder;
        Files.createDirectories(folder);
        var token = Files.writeString(folder.resolve("token"), MetadataServer.TOKEN);
        var values = new HashMap<>(Map.of(
                "tarpon.token-file", token.toString(),
                "tarpon.metadata.url", metadata.toString(),
                "tarpon.node.id", folder.getFileName().toString(),
                "tarpon.block.dir", folder.resolve("state").toString(),
                "tarpon.block.heartbeat", "PT0.1S"));
        settings.forEach((key, value) -> values.put("tarpon." + key, value));
        var config = new SmallRyeConfigBuilder()
                .addDiscoveredConverters()
                .withMapping(BlockConfig.class)
                .withSources(new PropertiesConfigSource(values, "test", 100))
                .build()
                .getConfigMapping(BlockConfig.class);
        wiring = new Wiring(config, registry, store);
        var router = Router.router(VERTX);
        new BlockRoutes(wiring.reads(), wiring.openReads(), wiring.slowReaders(), Traces.off()).register(router);
        new NodeRoutes(wiring, wiring.reads(), wiring.drops(), wiring.wanted(), wiring.writeAccess()).register(router);
        server = VERTX.createHttpServer()
                .requestHandler(router)
                .listen(0, "127.0.0.1")
                .toCompletionStage()
                .toCompletableFuture()
                .get(10, TimeUnit.SECONDS);
        wiring.join(port());
    }

    int port() {
        return server.actualPort();
    }

    URI url() {
        return URI.create("http://127.0.0.1:" + port());
    }

    /// @param headers name, value, name, value
    HttpResponse<byte[]> get(String pathAndQuery, String... headers) throws IOException, InterruptedException {
        return send(HttpRequest.newBuilder(url().resolve(pathAndQuery)).GET(), headers);
    }

    HttpResponse<byte[]> head(String pathAndQuery) throws IOException, InterruptedException {
        return send(HttpRequest.newBuilder(url().resolve(pathAndQuery)).HEAD());
    }

    HttpResponse<byte[]> post(String path, String body, String... headers) throws IOException, InterruptedException {
        return send(
                HttpRequest.newBuilder(url().resolve(path)).POST(HttpRequest.BodyPublishers.ofString(body)), headers);
    }

    double count(String meter, String tag, String value) {
        var counter = registry.find(meter).tag(tag, value).counter();
        return counter == null ? -1 : counter.count();
    }

    Path data() {
        return folder.resolve("state").resolve("data");
    }

    /// Where the index of a data folder lies, which gets a name here if it has none.
    static Path index(Path state, Path dataFolder) throws IOException {
        return state.resolve("indexes")
                .resolve(BlockFolder.named(Files.createDirectories(dataFolder)).id());
    }

    Path file(BlockId id) {
        return data().resolve(BlockPath.relative(id));
    }

    /// Names of everything below a part of the data folder.
    List<String> names(String part) throws IOException {
        var at = data().resolve(part);
        if (!Files.exists(at)) {
            return List.of();
        }
        try (var files = Files.list(at)) {
            return files.map(path -> path.getFileName().toString()).toList();
        }
    }

    @Override
    public void close() throws Exception {
        server.close().toCompletionStage().toCompletableFuture().get(10, TimeUnit.SECONDS);
        wiring.close();
    }

    static String problem(HttpResponse<byte[]> answer) throws IOException {
        var type = Json.MAPPER.readTree(answer.body()).get("type").asText();
        return answer.statusCode() + " " + type.substring(type.lastIndexOf(':') + 1);
    }

    private static HttpResponse<byte[]> send(HttpRequest.Builder request, String... headers)
            throws IOException, InterruptedException {
        for (var i = 0; i < headers.length; i += 2) {
            request.header(headers[i], headers[i + 1]);
        }
        return CLIENT.send(request.build(), BodyHandlers.ofByteArray());
    }
}
