package io.tarpon.metadata.api;

import io.tarpon.metadata.Queries;
import io.tarpon.metadata.Readiness;
import io.tarpon.service.WriteAccess;
import io.tarpon.wire.http.TarponException;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.container.ContainerResponseContext;
import java.util.Set;
import org.jboss.resteasy.reactive.server.ServerRequestFilter;
import org.jboss.resteasy.reactive.server.ServerResponseFilter;

/// What holds for every request: the token where it changes state, a replayed log, known query parameters; and the
/// revision on every answer.
public final class RequestChecks {
    private static final Set<String> READS = Set.of("GET", "HEAD", "OPTIONS");
    private static final Set<String> OF_READS = Set.of("revision", "read");
    private static final Set<String> OF_GARBAGE = Set.of("dry-run");
    private static final Set<String> OF_NODES = Set.of("incarnation");
    private static final Set<String> OF_PAGES = Set.of("revision", "read", "after", "limit");
    private static final Set<String> OF_CHANGES = Set.of("revision", "read", "since", "wait-millis");
    private static final Set<String> OF_WORK = Set.of("revision", "read", "state", "after", "limit");

    private final WriteAccess writeAccess;
    private final Readiness readiness;
    private final Queries queries;

    RequestChecks(WriteAccess writeAccess, Readiness readiness, Queries queries) {
        this.writeAccess = writeAccess;
        this.readiness = readiness;
        this.queries = queries;
    }

    /// Before a path is matched and a body is read.
    @ServerRequestFilter(preMatching = true)
    public void check(ContainerRequestContext request) {
        var isRead = READS.contains(request.getMethod());
        if (!isRead) {
            writeAccess.check(request.getHeaderString("Authorization"));
        }
        var uri = request.getUriInfo();
        if (uri.getPath().startsWith("/v1/")) {
            readiness.requireReplayed();
            var known = known(isRead, uri.getPath());
            uri.getQueryParameters().forEach((name, values) -> {
                if (!known.contains(name)) {
                    throw TarponException.badParameter("query parameter '" + Parameters.printable(name)
                            + "' is unknown here" + (known.isEmpty() ? "" : ", known are " + known));
                }
                if (values.size() > 1) {
                    throw TarponException.badParameter("query parameter " + name + " is given more than once");
                }
            });
        }
    }

    private static Set<String> known(boolean isRead, String path) {
        if (isRead) {
            return switch (path) {
                case "/v1/versions" -> OF_WORK;
                case "/v1/node-changes" -> OF_CHANGES;
                default -> isPaged(path) ? OF_PAGES : OF_READS;
            };
        }
        return path.equals("/v1/gc") ? OF_GARBAGE : path.startsWith("/v1/nodes/") ? OF_NODES : Set.of();
    }

    /// Shards, datasets, and one dataset with its versions.
    private static boolean isPaged(String path) {
        return path.endsWith("/shards") || path.matches("/v1/datasets(/[^/]*)?");
    }

    @ServerResponseFilter
    public void revision(ContainerResponseContext response) {
        if (!response.getHeaders().containsKey(Answers.REVISION)) {
            response.getHeaders().putSingle(Answers.REVISION, queries.revision());
        }
    }
}
