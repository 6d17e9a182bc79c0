package io.tarpon.cluster.client;

import io.tarpon.cluster.CommandFailure;
import io.tarpon.wire.http.LateTls;
import io.tarpon.wire.http.Problem;
import io.tarpon.wire.http.ProblemType;
import io.tarpon.wire.json.Json;
import java.io.IOException;
import java.io.InputStream;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Optional;

/// Requests to services of the cluster. A refusal becomes a [CommandFailure] with the service's own words.
public final class Http {
    private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(2);
    private static final Duration ANSWER_TIMEOUT = Duration.ofSeconds(60);

    private final HttpClient client = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .sslContext(LateTls.context())
            .connectTimeout(CONNECT_TIMEOUT)
            .followRedirects(HttpClient.Redirect.NORMAL)
            .build();

    public <T> T get(String url, Class<T> type) {
        try (var body = stream(url)) {
            return Json.MAPPER.readValue(body, type);
        } catch (IOException e) {
            throw CommandFailure.failed("the answer of " + url + " cannot be read: " + reason(e), "try again");
        }
    }

    /// The body of a successful answer, as a stream that fails where the answer ends early.
    public InputStream stream(String url) {
        return exchange(
                HttpRequest.newBuilder(URI.create(url)).timeout(ANSWER_TIMEOUT).build());
    }

    public InputStream exchange(HttpRequest request) {
        try {
            var response = client.send(request, HttpResponse.BodyHandlers.ofInputStream());
            if (response.statusCode() / 100 == 2) {
                return response.body();
            }
            throw refusal(request, response);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw CommandFailure.failed("interrupted", "");
        } catch (IOException e) {
            throw CommandFailure.failed(
                    request.uri() + " does not answer: " + reason(e), "look at: ./tarpon status, ./tarpon logs");
        }
    }

    /// Why it failed, in words: the JDK's exception for a refused connection has none.
    private static String reason(IOException e) {
        return e instanceof ConnectException && e.getMessage() == null
                ? "nothing listens there"
                : Optional.ofNullable(e.getMessage()).orElse(e.toString());
    }

    private static CommandFailure refusal(HttpRequest request, HttpResponse<InputStream> response) throws IOException {
        try (var body = response.body()) {
            var bytes = body.readNBytes(1 << 16);
            try {
                var problem = Json.read(bytes, Problem.class);
                var wrongUse = problem.problemType() == ProblemType.BAD_PARAMETER;
                return new CommandFailure(
                        wrongUse ? CommandFailure.USAGE : CommandFailure.FAILED, problem.detail(), next(problem));
            } catch (IOException e) {
                return CommandFailure.failed(
                        request.method() + " " + request.uri() + " answered " + response.statusCode(),
                        "look at: ./tarpon logs");
            }
        }
    }

    private static String next(Problem problem) {
        return switch (problem.problemType()) {
            case UNKNOWN_DATASET, UNKNOWN_VERSION, UNKNOWN_SPLIT -> "see what there is: ./tarpon ls";
            case INTERNAL -> "look at: ./tarpon logs";
            default -> problem.retryable() ? "try again; if it stays so, look at: ./tarpon status" : "";
        };
    }

    /// The body of an answer with status 200 that comes soon; empty where none does.
    public Optional<String> text(String url, Duration patience) {
        var request = HttpRequest.newBuilder(URI.create(url)).timeout(patience).build();
        try {
            var response = client.send(request, HttpResponse.BodyHandlers.ofString());
            return response.statusCode() == 200 ? Optional.of(response.body()) : Optional.empty();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Optional.empty();
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    /// Whether a GET is answered with 200, now.
    public boolean answers(String url, Duration patience) {
        var request = HttpRequest.newBuilder(URI.create(url)).timeout(patience).build();
        try {
            return client.send(request, HttpResponse.BodyHandlers.discarding()).statusCode() == 200;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        } catch (IOException e) {
            return false;
        }
    }
}
