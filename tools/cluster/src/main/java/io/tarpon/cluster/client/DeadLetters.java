package io.tarpon.cluster.client;

import io.tarpon.cluster.CommandFailure;
import io.tarpon.wire.http.WriteToken;
import io.tarpon.wire.json.Json;
import io.tarpon.wire.letter.DeadLetter;
import io.tarpon.wire.letter.DeadLetterList;
import io.tarpon.wire.letter.LettersPutBack;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpRequest;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.regex.Pattern;

/// The messages that a function gave up on, as ingest-fn serves them.
public final class DeadLetters {
    /// Longer than ingest-fn takes for one request (`tarpon.ingest.letter-timeout`).
    private static final Duration PATIENCE = Duration.ofSeconds(90);

    /// A thousand ids have a tenth of that.
    private static final int MAX_ANSWER_BYTES = 1 << 20;

    private static final Pattern TOPIC = Pattern.compile("[A-Za-z0-9._-]{1,249}");
    private static final Pattern ID = Pattern.compile(TOPIC + "/[0-9]{1,10}/[0-9]{1,19}");

    private final Http http;
    private final String url;
    private final WriteToken token;

    public DeadLetters(Http http, String url, WriteToken token) {
        this.http = http;
        this.url = url + "/v1/dead-letters";
        this.token = token;
    }

    /// The newest first, of every topic.
    public DeadLetterList list(int limit) {
        return http.get(url + "?limit=" + limit, DeadLetterList.class);
    }

    /// The newest first, of one dead-letter topic.
    public DeadLetterList list(int limit, String topic) {
        if (!TOPIC.matcher(topic).matches()) {
            throw CommandFailure.usage(
                    "'" + topic + "' is no name of a topic", "try: --topic tarpon.uploads.dlq, or leave it away");
        }
        return http.get(url + "?limit=" + limit + "&topic=" + topic, DeadLetterList.class);
    }

    /// One letter with its bytes.
    public DeadLetter letter(String id) {
        return http.get(url + "/" + checked(id), DeadLetter.class);
    }

    /// Puts the original message back into its topic, once more at each call.
    public void retry(String id) {
        post(url + "/" + checked(id) + "/retry", "look at: ./tarpon dlq show " + id);
    }

    /// Puts back letters that never were, the oldest first, as many as ingest-fn takes at a time.
    ///
    /// @param from [LettersPutBack#next] of the call before; empty to begin
    public LettersPutBack retryAll(String from) {
        var query = from.isEmpty() ? "" : "?from=" + URLEncoder.encode(from, StandardCharsets.UTF_8);
        var answer = post(url + "/retry" + query, "ask again: letters that are known to be back stay there");
        try {
            return Json.read(answer, LettersPutBack.class);
        } catch (IOException e) {
            throw CommandFailure.failed("ingest-fn's answer cannot be read: " + e.getMessage(), "see: ./tarpon logs");
        }
    }

    private byte[] post(String uri, String nextStep) {
        var request = HttpRequest.newBuilder(URI.create(uri))
                .timeout(PATIENCE)
                .header("Authorization", token.headerValue())
                .POST(HttpRequest.BodyPublishers.noBody())
                .build();
        try (var answer = http.exchange(request)) {
            return answer.readNBytes(MAX_ANSWER_BYTES);
        } catch (IOException e) {
            throw CommandFailure.failed(
                    "the answer of ingest-fn broke off (" + e.getMessage() + "): letters may have been put back",
                    nextStep);
        }
    }

    private static String checked(String id) {
        if (!ID.matcher(id).matches()) {
            throw CommandFailure.usage(
                    "'" + id + "' is no id of a dead letter", "ids are as ./tarpon dlq ls shows them: topic/0/17");
        }
        return id;
    }
}
