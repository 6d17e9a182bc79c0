package io.tarpon.metadata.client;

import io.tarpon.wire.block.DropBlocks;
import io.tarpon.wire.http.LateTls;
import io.tarpon.wire.http.TokenSource;
import io.tarpon.wire.json.Json;
import io.tarpon.wire.metadata.NodeRegistration;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;

/// The blocks on block services, by their HTTP. Blocking: for virtual threads. Only URLs that nodes registered with
/// the write token are dialled.
public final class NodeBlocks implements AutoCloseable {
    private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(2);
    private static final int MAX_ANSWER_BYTES = 1 << 16;

    private final TokenSource token;
    private final Duration timeout;
    private final HttpClient http;

    /// @param timeout how long a node may take to answer
    public NodeBlocks(TokenSource token, Duration timeout) {
        this.token = token;
        this.timeout = timeout;
        this.http = HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .sslContext(LateTls.context())
                .connectTimeout(CONNECT_TIMEOUT)
                .followRedirects(HttpClient.Redirect.NEVER)
                .build();
    }

    /// Throws where it is not known that all are dropped: some may be. Safe to ask again.
    public DropBlocks.Answer drop(NodeRegistration node, DropBlocks command) throws IOException {
        var request = HttpRequest.newBuilder(URI.create(node.url()).resolve("/v1/blocks/drop"))
                .timeout(timeout)
                .header("Content-Type", "application/json")
                .header("Authorization", token.current().headerValue())
                .POST(BodyPublishers.ofByteArray(Json.bytes(command)))
                .build();
        try {
            var response = http.send(request, BodyHandlers.limiting(BodyHandlers.ofByteArray(), MAX_ANSWER_BYTES));
            return Json.read(bodyOf(node, response), DropBlocks.Answer.class);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while " + node.url() + " was dropping blocks", e);
        }
    }

    private static byte[] bodyOf(NodeRegistration node, HttpResponse<byte[]> response) throws IOException {
        if (response.statusCode() != 200) {
            throw new IOException(node.url() + " answered " + response.statusCode() + " to dropping blocks");
        }
        return response.body();
    }

    @Override
    public void close() {
        http.shutdownNow();
    }
}
