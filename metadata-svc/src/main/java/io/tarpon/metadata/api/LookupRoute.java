package io.tarpon.metadata.api;

import io.netty.buffer.Unpooled;
import io.tarpon.metadata.Lookups;
import io.tarpon.metadata.replica.Versioned;
import io.vertx.core.buffer.impl.BufferImpl;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import java.util.Optional;
import java.util.Set;

/// Answers plain look-ups whose answers are ready, on the event loop, byte for byte as [VersionResource] and
/// [DatasetResource] do. Whatever is not plain, and what is not ready, goes on to them: they know how to refuse and how
/// to wait.
@Singleton
final class LookupRoute {
    private static final String DATASETS = "/v1/datasets/";
    private static final CharSequence REVISION = HttpHeaders.createOptimized(Answers.REVISION);
    /// In the letters of Quarkus REST.
    private static final CharSequence CONTENT_TYPE = HttpHeaders.createOptimized("Content-Type");

    private static final CharSequence JSON = HttpHeaders.createOptimized("application/json;charset=UTF-8");

    /// That allow JSON for certain, and are all that our clients and `curl` say; others are parsed elsewhere.
    private static final Set<String> ALLOWING = Set.of("*/*", "application/json");

    /// What Quarkus names a request's metrics by, and where it looks for that in the request's context.
    private static final String TEMPLATE = "UrlPathTemplate";

    private static final String DATASET = "/v1/datasets/{dataset}";
    private static final String VERSION = "/v1/datasets/{dataset}/versions/{version}";

    private static final String REVISION_IS = "revision=";

    /// Digits of a long that fits for certain.
    private static final int MAX_DIGITS = 18;

    private final Lookups lookups;

    LookupRoute(Lookups lookups) {
        this.lookups = lookups;
    }

    /// After the filters, and before what Quarkus REST answers.
    void register(@Observes Router router) {
        router.route(HttpMethod.GET, DATASETS + "*").handler(this::answer);
    }

    private void answer(RoutingContext context) {
        var request = context.request();
        var found = isPlain(request) ? ready(request.uri()) : Optional.<Versioned<byte[]>>empty();
        // Who leaves his answers lying is for the resources: of lists they have few at a time, and cut him off.
        if (found.isEmpty() || request.response().writeQueueFull()) {
            context.next();
        } else {
            context.vertx().getOrCreateContext().putLocal(TEMPLATE, template(request.uri()));
            send(request, found.get());
        }
    }

    /// Without anything but its path and its query that the answer depends on.
    private static boolean isPlain(HttpServerRequest request) {
        var headers = request.headers();
        var accept = headers.get(HttpHeaders.ACCEPT);
        return (accept == null || ALLOWING.contains(accept))
                && !headers.contains(HttpHeaders.CONTENT_TYPE)
                && !headers.contains(HttpHeaders.CONTENT_LENGTH)
                && !headers.contains(HttpHeaders.TRANSFER_ENCODING);
    }

    /// Empty where the target is not written as we write it: whatever it means, no answer has that name.
    private Optional<Versioned<byte[]>> ready(String uri) {
        if (!uri.startsWith(DATASETS)) {
            return Optional.empty();
        }
        var query = uri.indexOf('?');
        if (query < 0) {
            return lookups.ready(uri.substring(DATASETS.length()), 0);
        }
        var revision = revision(uri.substring(query + 1));
        return revision < 0 ? Optional.empty() : lookups.ready(uri.substring(DATASETS.length(), query), revision);
    }

    /// The number in `revision=7`; below 0 where the query is anything else.
    private static long revision(String query) {
        var digits = query.startsWith(REVISION_IS) ? query.substring(REVISION_IS.length()) : "";
        var isDecimal = !digits.isEmpty()
                && digits.length() <= MAX_DIGITS
                && digits.chars().allMatch(c -> c >= '0' && c <= '9')
                && (digits.charAt(0) != '0' || digits.length() == 1);
        return isDecimal ? Long.parseLong(digits) : -1;
    }

    private static String template(String uri) {
        return uri.indexOf('/', DATASETS.length()) < 0 ? DATASET : VERSION;
    }

    private static void send(HttpServerRequest request, Versioned<byte[]> answer) {
        var body = answer.value();
        var _ = request.response()
                .putHeader(HttpHeaders.CONTENT_LENGTH, Integer.toString(body.length))
                .putHeader(CONTENT_TYPE, JSON)
                .putHeader(REVISION, Long.toString(answer.revision()))
                // Wrapped: every answer has the same bytes.
                .end(BufferImpl.buffer(Unpooled.wrappedBuffer(body)));
    }
}
