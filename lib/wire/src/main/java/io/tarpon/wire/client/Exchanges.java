package io.tarpon.wire.client;

import io.tarpon.wire.http.LateTls;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/// Sends requests and reads their answers whole. An exchange ends in time and within a size, whatever the other side
/// does: `HttpRequest.timeout` ends with the head of the answer, so a peer that loses power after it would keep the
/// caller for ever.
final class Exchanges implements AutoCloseable {
    private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(2);

    private final HttpClient http;
    private final int maxAnswerBytes;

    /// @param maxAnswerBytes of one answer; a longer one is an [IOException]
    Exchanges(int maxAnswerBytes) {
        this.maxAnswerBytes = maxAnswerBytes;
        this.http = HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .sslContext(LateTls.context())
                .connectTimeout(CONNECT_TIMEOUT)
                .followRedirects(HttpClient.Redirect.NEVER)
                .build();
    }

    /// The whole answer, whatever its status.
    ///
    /// @param timeout from connecting to the last byte of the body. The connection is closed where it runs out
    /// @throws InterruptedIOException interrupted, and the thread's flag is set: whoever tries again must heed it
    /// @throws IOException it is not known what became of the request
    HttpResponse<byte[]> send(HttpRequest request, Duration timeout) throws IOException {
        var answer = http.sendAsync(request, BodyHandlers.limiting(BodyHandlers.ofByteArray(), maxAnswerBytes));
        try {
            return answer.get(timeout.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            answer.cancel(true);
            Thread.currentThread().interrupt();
            var interrupted = new InterruptedIOException("interrupted while waiting for an answer");
            interrupted.initCause(e);
            throw interrupted;
        } catch (TimeoutException e) {
            answer.cancel(true);
            throw new IOException("no whole answer within " + timeout.toMillis() + " ms", e);
        } catch (ExecutionException e) {
            throw new IOException(e.getCause() == null ? e : e.getCause());
        }
    }

    @Override
    public void close() {
        http.shutdownNow();
    }
}
