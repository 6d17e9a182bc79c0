package io.tarpon.chaos.client;

import io.tarpon.wire.http.LateTls;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/// Single tries to read bytes, each ending in one of four ways within its time. Nothing is asked twice here: whoever
/// reads decides that, and counts.
public final class RangeReads implements AutoCloseable {
    private static final Duration CONNECT_PATIENCE = Duration.ofSeconds(2);
    private static final int CHUNK_BYTES = 1 << 16;

    private final HttpClient client = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .sslContext(LateTls.context())
            .connectTimeout(CONNECT_PATIENCE)
            .build();
    private final ScheduledExecutorService watch = Executors.newSingleThreadScheduledExecutor(
            task -> Thread.ofPlatform().daemon().name("stalled-reads").unstarted(task));

    /// How a try ended.
    public sealed interface Answer {
        /// All bytes came.
        record Whole(byte[] bytes) implements Answer {}

        /// The connection broke, or nothing more came in time, after these bytes.
        record Cut(byte[] bytes, boolean stalled) implements Answer {}

        /// An answer without the bytes, in words where it has any.
        record Refused(int status, String words) implements Answer {}

        /// No answer.
        record Away() implements Answer {}
    }

    /// Bytes `from` (inclusive) to `to` (exclusive) of an object of `length` bytes.
    public Answer read(String url, long from, long to, long length, Duration patience) {
        var request = HttpRequest.newBuilder(URI.create(url)).timeout(patience);
        var whole = from == 0 && to == length;
        if (!whole) {
            request.header("Range", "bytes=" + from + "-" + (to - 1));
        }
        HttpResponse<InputStream> response;
        try {
            response = client.send(request.build(), HttpResponse.BodyHandlers.ofInputStream());
        } catch (IOException e) {
            return new Answer.Away();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return new Answer.Away();
        }
        var promised = response.headers().firstValueAsLong("Content-Length").orElse(-1);
        if (response.statusCode() != (whole ? 200 : 206)) {
            return refused(response);
        }
        if (promised != to - from) {
            return new Answer.Refused(
                    response.statusCode(), "promises " + promised + " bytes where there are " + (to - from));
        }
        return body(response.body(), (int) (to - from), patience);
    }

    private Answer body(InputStream body, int length, Duration patience) {
        var got = new ByteArrayOutputStream(length);
        var stalled = watch.schedule(() -> close(body), patience.toMillis(), TimeUnit.MILLISECONDS);
        try (body) {
            var chunk = new byte[CHUNK_BYTES];
            for (int read = body.read(chunk); read >= 0; read = body.read(chunk)) {
                got.write(chunk, 0, read);
            }
        } catch (IOException e) {
            return ended(got, length, stalled.isDone());
        } finally {
            stalled.cancel(false);
        }
        return ended(got, length, stalled.isDone());
    }

    private static Answer ended(ByteArrayOutputStream got, int length, boolean stalled) {
        return got.size() == length ? new Answer.Whole(got.toByteArray()) : new Answer.Cut(got.toByteArray(), stalled);
    }

    private static void close(InputStream body) {
        try {
            body.close();
        } catch (IOException e) {
            throw new UncheckedIOException("a stalled answer was not closed", e);
        }
    }

    private static Answer refused(HttpResponse<InputStream> response) {
        try (var body = response.body()) {
            return new Answer.Refused(
                    response.statusCode(),
                    new String(body.readNBytes(1 << 10), java.nio.charset.StandardCharsets.UTF_8));
        } catch (IOException e) {
            return new Answer.Refused(response.statusCode(), "");
        }
    }

    @Override
    public void close() {
        watch.shutdownNow();
        client.shutdownNow();
    }
}
