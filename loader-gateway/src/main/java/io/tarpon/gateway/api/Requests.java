package io.tarpon.gateway.api;

import io.netty.handler.codec.http.TooLongHttpHeaderException;
import io.netty.handler.codec.http.TooLongHttpLineException;
import io.quarkus.vertx.http.runtime.VertxHttpRecorder;
import io.tarpon.gateway.GatewayMeters;
import io.tarpon.gateway.target.EpochPath;
import io.tarpon.gateway.target.Percent;
import io.tarpon.gateway.target.TargetPath;
import io.tarpon.gateway.target.TidyPath;
import io.tarpon.service.api.ProblemAnswer;
import io.tarpon.wire.http.ProblemType;
import io.tarpon.wire.http.RequestFraming;
import io.tarpon.wire.http.TarponException;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpVersion;
import io.vertx.ext.web.Router;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.Optional;
import java.util.function.IntPredicate;

/// Every request, first: refuses what is none, what two programs could read differently and what is too large; gives
/// bytes to [ByteRoutes] and [BatchRoute], past all routers, and the rest to Quarkus.
@ApplicationScoped
public class Requests {
    private static final String NOWHERE = "none";
    private static final int PORT_DIGITS = 5;

    /// A name of 253 characters (RFC 1035), a colon and a port. URLs in answers begin with it.
    private static final int MOST_HOST_CHARACTERS = 259;

    /// Of a request that Quarkus answers, path and query: several times the longest there is. What comes behind here
    /// looks at it with regular expressions, on an event loop.
    private static final int MOST_ROUTED_CHARACTERS = 4096;

    private final ByteRoutes bytes;
    private final BatchRoute batch;
    private final GatewayMeters meters;

    Requests(ByteRoutes bytes, BatchRoute batch, GatewayMeters meters) {
        this.bytes = bytes;
        this.batch = batch;
        this.meters = meters;
    }

    void register(@Observes Router router) {
        router.route().last().handler(routing -> refuse(routing.request(), nowhere(routing.request())));
    }

    void handle(HttpServerRequest request) {
        var flaw = flaw(request);
        if (flaw.isPresent()) {
            refuseAndEnd(request, TarponException.badParameter(flaw.get()));
        } else if (isRead(request) && hasBody(request)) {
            refuseAndEnd(
                    request,
                    new TarponException(ProblemType.PAYLOAD_TOO_LARGE, "a " + request.method() + " has no body here"));
        } else {
            route(request);
        }
    }

    /// What the codec could not read.
    void invalid(HttpServerRequest request) {
        var why = request.decoderResult().cause();
        refuseAndEnd(
                request,
                switch (why) {
                    case TooLongHttpLineException _ ->
                        new TarponException(
                                ProblemType.URI_TOO_LONG,
                                "the request line is too long, over tarpon.gateway.max-request-line");
                    case TooLongHttpHeaderException _ ->
                        TarponException.badParameter("the headers are too long, over tarpon.gateway.max-headers");
                    default ->
                        TarponException.badParameter(
                                "not an HTTP request: " + Percent.printable(why.getMessage() + ""));
                });
    }

    /// What two programs could read differently; the common case, a read with one Host and no body, is seen at
    /// once.
    private static Optional<String> flaw(HttpServerRequest request) {
        var headers = request.headers();
        var hosts = headers.getAll(HttpHeaders.HOST);
        if (hosts.isEmpty() && request.version() == HttpVersion.HTTP_1_1) {
            return Optional.of("the Host header is missing");
        }
        if (request.version() == null || headers.contains("")) {
            return Optional.of("not an HTTP/1.0 or HTTP/1.1 request");
        }
        if (hosts.size() == 1 && !isHost(hosts.getFirst())) {
            return Optional.of("the Host header is not a host and a port");
        }
        if (!isHost(PublicUrl.authority(request))) {
            return Optional.of("the target's host is not a host and a port");
        }
        return RequestFraming.flaw(
                headers.getAll(HttpHeaders.CONTENT_LENGTH), headers.getAll(HttpHeaders.TRANSFER_ENCODING), hosts);
    }

    /// A name or an address with or without a port, or nothing.
    static boolean isHost(String text) {
        var colon = text.startsWith("[") ? text.indexOf("]:") + 1 : text.indexOf(':');
        var end = colon <= 0 ? text.length() : colon;
        if (text.length() > MOST_HOST_CHARACTERS) {
            return false;
        }
        if (end < text.length() && !isPort(text, end + 1)) {
            return false;
        }
        if (text.startsWith("[")) {
            return text.charAt(end - 1) == ']'
                    && all(text, 1, end - 1, c -> Character.digit(c, 16) >= 0 || c == ':' || c == '.');
        }
        return colon != 0
                && all(text, 0, end, c -> c < 128 && Character.isLetterOrDigit(c) || c == '.' || c == '-' || c == '_');
    }

    private static boolean isPort(String text, int from) {
        return from < text.length()
                && text.length() - from <= PORT_DIGITS
                && all(text, from, text.length(), c -> c >= '0' && c <= '9');
    }

    private static boolean all(String text, int from, int to, IntPredicate allowed) {
        for (int i = from; i < to; i++) {
            if (!allowed.test(text.charAt(i))) {
                return false;
            }
        }
        return true;
    }

    private void route(HttpServerRequest request) {
        var path = request.path();
        if (path != null && (path.startsWith(TargetPath.PREFIX) || path.startsWith(EpochPath.PREFIX))) {
            bytes.handle(request, path);
            return;
        }
        if (BatchRoute.PATH.equals(path)) {
            batch.handle(request);
            return;
        }
        try {
            requireRoutable(request, path == null ? "" : path);
        } catch (TarponException e) {
            refuse(request, e);
            return;
        }
        VertxHttpRecorder.getRootHandler().handle(request);
    }

    private static void requireRoutable(HttpServerRequest request, String path) {
        var method = request.method();
        if (HttpMethod.CONNECT.equals(method) || HttpMethod.TRACE.equals(method)) {
            request.response().putHeader("Allow", "GET, HEAD");
            throw new TarponException(ProblemType.METHOD_NOT_ALLOWED, method + " is not served");
        }
        if (request.uri().length() > MOST_ROUTED_CHARACTERS) {
            throw new TarponException(
                    ProblemType.URI_TOO_LONG,
                    "path and query have " + request.uri().length() + " characters; outside /d and /e there are "
                            + MOST_ROUTED_CHARACTERS + " at most");
        }
        try {
            var _ = new URI(request.uri());
        } catch (URISyntaxException e) {
            throw TarponException.badParameter(
                    "'" + Percent.printable(request.uri()) + "' is not a URI: " + e.getReason());
        }
        if (!path.startsWith("/")) {
            throw TarponException.badParameter("'" + Percent.printable(request.uri()) + "' is not a path");
        }
        if (path.indexOf(';') >= 0) {
            throw TarponException.badParameter("there are no parameters in paths, such as those behind the ; in '"
                    + Percent.printable(path) + "'");
        }
        if (!TidyPath.isTidy(path)) {
            throw nowhere(request);
        }
    }

    private static boolean isRead(HttpServerRequest request) {
        return HttpMethod.GET.equals(request.method()) || HttpMethod.HEAD.equals(request.method());
    }

    static boolean hasBody(HttpServerRequest request) {
        var length = request.getHeader(HttpHeaders.CONTENT_LENGTH);
        return length != null && !length.equals("0") || request.headers().contains(HttpHeaders.TRANSFER_ENCODING);
    }

    private void refuse(HttpServerRequest request, TarponException why) {
        meters.answered(NOWHERE, ProblemAnswer.send(request, why));
    }

    /// Where the next request begins is not known.
    private void refuseAndEnd(HttpServerRequest request, TarponException why) {
        meters.answered(NOWHERE, LastAnswer.send(request, why));
    }

    private static TarponException nowhere(HttpServerRequest request) {
        return new TarponException(
                ProblemType.NOT_FOUND,
                "there is no path '" + Percent.printable(request.path() + "")
                        + "' here; datasets are listed at /v1/datasets");
    }
}
