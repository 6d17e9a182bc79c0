package io.tarpon.cluster.client;

import io.tarpon.cluster.CommandFailure;
import io.tarpon.wire.event.DatasetUploaded;
import io.tarpon.wire.event.Events;
import io.tarpon.wire.http.WriteToken;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpRequest;
import java.time.Duration;

/// Asks ingest-fn for a version.
public final class IngestRequests {
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private final Http http;
    private final String url;
    private final WriteToken token;

    public IngestRequests(Http http, String url, WriteToken token) {
        this.http = http;
        this.url = url;
        this.token = token;
    }

    /// Returns once the request is stored; the event's id is the request's id.
    public void send(Events.Envelope envelope, DatasetUploaded uploaded) {
        var request = HttpRequest.newBuilder(URI.create(url + "/"))
                .timeout(PATIENCE)
                .header("Content-Type", Events.CONTENT_TYPE)
                .header("Authorization", token.headerValue())
                .POST(HttpRequest.BodyPublishers.ofByteArray(Events.encode(envelope, uploaded)))
                .build();
        try (var answer = http.exchange(request)) {
            answer.readAllBytes();
        } catch (IOException e) {
            throw CommandFailure.failed(
                    "the answer of ingest-fn broke off (" + e.getMessage() + "): the request may have been taken",
                    "look at: ./tarpon ls, then try again");
        }
    }
}
