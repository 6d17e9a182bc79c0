package io.tarpon.gateway.api;

import io.tarpon.gateway.BodyStreams;
import io.tarpon.gateway.BodyStreams.Purpose;
import io.tarpon.gateway.body.Body;
import io.tarpon.gateway.body.Reply;
import io.tarpon.gateway.body.Segment;
import io.tarpon.service.api.ProblemAnswer;
import io.tarpon.wire.http.Preconditions;
import io.tarpon.wire.http.ProblemType;
import io.tarpon.wire.http.TarponException;
import io.vertx.core.Context;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.net.impl.ConnectionBase;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Iterator;
import java.util.Locale;
import java.util.Objects;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/// Answers one GET or HEAD with a body: conditions, range, headers, bytes. On the event loop of the connection.
final class BodyAnswer {
    private static final DateTimeFormatter HTTP_DATE = DateTimeFormatter.ofPattern(
                    "EEE, dd MMM yyyy HH:mm:ss 'GMT'", Locale.ENGLISH)
            .withZone(ZoneOffset.UTC);
    private static final String IMMUTABLE = "max-age=31536000, immutable, no-transform";
    private static final String NO_CACHE = "no-cache";

    private final BodyStreams streams;

    /// The last one asked for: the bodies of one version all have the same.
    private volatile Dated lastModified = new Dated(Instant.EPOCH, HTTP_DATE.format(Instant.EPOCH));

    private record Dated(Instant instant, String header) {}

    BodyAnswer(BodyStreams streams) {
        this.streams = streams;
    }

    /// @param purpose what the bytes are read for
    /// @param onStatus is told the status
    void send(HttpServerRequest request, Body body, Purpose purpose, IntConsumer onStatus) {
        var response = request.response();
        var isHead = HttpMethod.HEAD.equals(request.method());
        validators(response, body);
        switch (Reply.of(body, conditions(request), isHead ? null : header(request, "Range"))) {
            case Reply.NotModified() -> empty(response.setStatusCode(304), onStatus);
            case Reply.Failed() ->
                refuse(request, onStatus, ProblemType.PRECONDITION_FAILED, "the entity tag is " + body.etag());
            case Reply.Unsatisfiable() -> {
                response.putHeader("Content-Range", "bytes */" + body.content().length());
                refuse(
                        request,
                        onStatus,
                        ProblemType.RANGE_NOT_SATISFIABLE,
                        "there are " + body.content().length() + " bytes");
            }
            case Reply.Whole() -> {
                describe(response, body, body.content().length());
                if (isHead) {
                    empty(response, onStatus);
                } else {
                    part(request, purpose, body, 0, body.content().length(), onStatus);
                }
            }
            case Reply.Part(var from, var to) -> {
                describe(response.setStatusCode(206), body, to - from);
                var range =
                        "bytes " + from + "-" + (to - 1) + "/" + body.content().length();
                response.putHeader("Content-Range", range);
                part(request, purpose, body, from, to, onStatus);
            }
        }
    }

    /// Sends bytes of a body, once it is known where they lie.
    private void part(HttpServerRequest request, Purpose purpose, Body body, long from, long to, IntConsumer onStatus) {
        var opened = body.content().open(from, to);
        if (opened.isDone()) {
            bytes(request, purpose, opened.join(), to - from, onStatus);
            return;
        }
        Context context = Objects.requireNonNull(Vertx.currentContext());
        var _ = opened.whenComplete((_, _) -> context.runOnContext(_ -> {
            if (request.response().closed()) {
                return;
            }
            try {
                bytes(request, purpose, opened.join(), to - from, onStatus);
            } catch (Throwable e) {
                refuse(request, e, onStatus);
            }
        }));
    }

    /// Answers with a problem instead of the body.
    static void refuse(HttpServerRequest request, Throwable why, IntConsumer onStatus) {
        request.response().headers().clear();
        onStatus.accept(ProblemAnswer.send(request, why));
    }

    /// Sends an answer whose status and headers are set.
    ///
    /// @param length of the segments in sum
    void bytes(
            HttpServerRequest request, Purpose purpose, Iterator<Segment> segments, long length, IntConsumer onStatus) {
        var connection = (ConnectionBase) request.connection();
        var loop = connection.channel().eventLoop();
        var outlet = new VertxOutlet(request, connection, onStatus);
        var writer = streams.send(loop, outlet, purpose, segments, length);
        try {
            ClientConnection.of(connection.channel()).sends(writer);
            request.response().closeHandler(_ -> writer.cancel());
        } catch (RuntimeException | Error e) {
            // Nobody would tell it that the client left: its place would be taken for ever.
            writer.cancel();
            throw e;
        }
        writer.start();
    }

    private void validators(HttpServerResponse response, Body body) {
        response.putHeader("ETag", body.etag());
        response.putHeader("Last-Modified", dated(body.lastModified()));
        response.putHeader("Cache-Control", body.immutable() ? IMMUTABLE : NO_CACHE);
        response.putHeader("Accept-Ranges", "bytes");
    }

    private String dated(Instant instant) {
        var known = lastModified;
        if (!known.instant.equals(instant)) {
            known = new Dated(instant, HTTP_DATE.format(instant));
            lastModified = known;
        }
        return known.header;
    }

    private static void describe(HttpServerResponse response, Body body, long length) {
        body.headers().forEach(response::putHeader);
        response.putHeader("Content-Type", body.contentType());
        response.putHeader("Content-Length", Long.toString(length));
        response.putHeader("X-Content-Type-Options", "nosniff");
    }

    private static void empty(HttpServerResponse response, IntConsumer onStatus) {
        onStatus.accept(response.getStatusCode());
        var _ = response.end();
    }

    private static void refuse(HttpServerRequest request, IntConsumer onStatus, ProblemType type, String detail) {
        request.response().headers().remove("Last-Modified");
        onStatus.accept(ProblemAnswer.send(request, new TarponException(type, detail)));
    }

    private static Preconditions conditions(HttpServerRequest request) {
        return new Preconditions(
                header(request, "If-Match"),
                header(request, "If-Unmodified-Since"),
                header(request, "If-None-Match"),
                header(request, "If-Modified-Since"),
                header(request, "If-Range"));
    }

    /// Several headers of one name count as one list.
    private static @Nullable String header(HttpServerRequest request, String name) {
        var values = request.headers().getAll(name);
        return values.isEmpty() ? null : String.join(", ", values);
    }
}
