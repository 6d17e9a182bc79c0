package io.tarpon.wire.client;

import io.tarpon.wire.http.Problem;
import io.tarpon.wire.http.ProblemType;
import io.tarpon.wire.http.TarponException;
import io.tarpon.wire.http.TokenSource;
import io.tarpon.wire.json.Json;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Makes calls at one replica after the other, each at most once a call, until one gives an answer: what is refused for
/// what was asked is one; that a replica fails, is not ready or is away is none. A call that a replica failed may have
/// taken effect there, and goes out again all the same, since every command is idempotent.
///
/// Where there are several, a question names the highest revision that any answer had, and a replica that does not have
/// it yet waits for it: so nobody reads backwards when he comes to another replica.
final class Calls {
    private static final String AUTHORIZATION = "Authorization";
    private static final String REVISION = "Tarpon-Revision";

    private final Replicas replicas;
    private final Exchanges exchanges;
    private final @Nullable TokenSource token;
    private final @Nullable String traceparent;
    private final boolean areUpToDate;

    /// @param token null where nothing is written
    Calls(Replicas replicas, Exchanges exchanges, @Nullable TokenSource token) {
        this(replicas, exchanges, token, null, false);
    }

    private Calls(
            Replicas replicas,
            Exchanges exchanges,
            @Nullable TokenSource token,
            @Nullable String traceparent,
            boolean areUpToDate) {
        this.replicas = replicas;
        this.exchanges = exchanges;
        this.token = token;
        this.traceparent = traceparent;
        this.areUpToDate = areUpToDate;
    }

    /// The same with this `traceparent`.
    Calls with(String traceparent) {
        return new Calls(replicas, exchanges, token, traceparent, areUpToDate);
    }

    /// The same, whose questions are answered from all that was in the log when they were asked.
    Calls upToDate() {
        return new Calls(replicas, exchanges, token, traceparent, true);
    }

    /// The body of a 2xx answer.
    ///
    /// @throws TarponException what metadata-svc refuses
    /// @throws IOException no replica answered: it is not known what became of the call
    byte[] make(Call call) throws IOException {
        var order = replicas.inOrder();
        var within = call.within(order.size());
        var failures = new ArrayList<Exception>();
        for (var replica : order) {
            try {
                var response = authorized(replica, call, within);
                if (response.statusCode() / 100 == 2) {
                    return response.body();
                }
                var refusal = refusal(call, response);
                if (isAnswer(response)) {
                    throw refusal;
                }
                failures.add(refusal);
            } catch (InterruptedIOException e) {
                throw e;
            } catch (IOException e) {
                failures.add(e);
            }
            replicas.failed(replica);
        }
        throw mostHopeful(failures);
    }

    private HttpResponse<byte[]> authorized(URI replica, Call call, Duration within) throws IOException {
        var request = request(replica, call);
        var response = answer(replica, request, within);
        if (response.statusCode() == ProblemType.UNAUTHORIZED.status() && token != null) {
            var again = token.reread().headerValue();
            if (!again.equals(request.headers().firstValue(AUTHORIZATION).orElse(""))) {
                response = answer(replica, withToken(request, again), within);
            }
        }
        if (isAnswer(response)) {
            replicas.saw(
                    response.headers().firstValue(REVISION).map(Calls::decimal).orElse(0L));
        }
        return response;
    }

    private HttpRequest request(URI replica, Call call) {
        var request = call.to(replica, call.isRead() ? wanted() : "");
        if (token != null) {
            request.header(AUTHORIZATION, token.current().headerValue());
        }
        if (traceparent != null) {
            request.header("traceparent", traceparent);
        }
        return request.build();
    }

    /// A single replica has what it answered before, whether it is told or not; one that was set up anew has less, and
    /// would wait for it in vain.
    private String wanted() {
        var terms = new ArrayList<String>();
        if (replicas.areSeveral() && replicas.seen() > 0) {
            terms.add("revision=" + replicas.seen());
        }
        if (areUpToDate) {
            terms.add("read=latest");
        }
        return String.join("&", terms);
    }

    private static HttpRequest withToken(HttpRequest request, String authorization) {
        return HttpRequest.newBuilder(request, (name, _) -> !name.equalsIgnoreCase(AUTHORIZATION))
                .header(AUTHORIZATION, authorization)
                .build();
    }

    private HttpResponse<byte[]> answer(URI replica, HttpRequest request, Duration within) throws IOException {
        try {
            return exchanges.send(request, within);
        } catch (InterruptedIOException e) {
            throw e;
        } catch (IOException e) {
            throw new IOException("metadata-svc at " + replica + " does not answer: " + e.getMessage(), e);
        }
    }

    /// Whether another replica would answer the same. That there is no room is said of the log as a whole.
    private static boolean isAnswer(HttpResponse<byte[]> response) {
        return response.statusCode() < 500 || response.statusCode() == ProblemType.INSUFFICIENT_STORAGE.status();
    }

    private static TarponException refusal(Call call, HttpResponse<byte[]> response) {
        try {
            var problem = Json.read(response.body(), Problem.class);
            return new TarponException(problem.problemType(), problem.detail());
        } catch (IOException e) {
            return new TarponException(
                    response.statusCode() == 503 ? ProblemType.NOT_READY : ProblemType.INTERNAL,
                    "metadata-svc answered " + response.statusCode() + " to " + call.method() + " "
                            + URI.create(call.path()).getPath());
        }
    }

    /// What a replica says for itself tells more than that another one is silent. That one is broken is only said where
    /// no other may do better later: callers give up on it.
    private static IOException mostHopeful(List<Exception> failures) {
        var told = failures.stream().max(Comparator.comparingInt(Calls::hope)).orElseThrow();
        var _ = failures.remove(told);
        failures.forEach(told::addSuppressed);
        if (told instanceof TarponException refusal) {
            throw refusal;
        }
        return (IOException) told;
    }

    private static int hope(Exception failure) {
        if (failure instanceof TarponException refusal) {
            return refusal.type().retryable() ? 2 : 0;
        }
        return 1;
    }

    private static long decimal(String text) {
        return text.matches("[0-9]{1,18}") ? Long.parseLong(text) : 0;
    }
}
