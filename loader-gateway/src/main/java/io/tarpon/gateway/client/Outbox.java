package io.tarpon.gateway.client;

import io.tarpon.wire.http.LateTls;
import io.tarpon.wire.http.TarponException;
import io.tarpon.wire.http.TokenSource;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jboss.logging.Logger;

/// What the gateway tells others that nobody waits for: hints to nodes, reports to metadata-svc. What waits for one
/// addressee is delivered one letter after the other, and all addressees at once, so that one that hangs is late for
/// itself alone. How much may wait is each [Mail]'s own limit.
///
/// Threads: any. Each mail in delivery has a virtual thread; there are no more of them than mails. A letter is taken
/// out of a mail by the thread that delivers it, so it is delivered once or lost. Race: what is added while the last
/// letter was found to be the last waits for the next [#deliver], which comes again and again.
public final class Outbox implements AutoCloseable {
    private static final Logger LOG = Logger.getLogger(Outbox.class);
    private static final int UNAUTHORIZED = 401;
    private static final Duration TIMEOUT = Duration.ofSeconds(5);

    private final TokenSource token;
    private final Set<Mail> inDelivery = ConcurrentHashMap.newKeySet();
    private final CountDownLatch stop = new CountDownLatch(1);
    private final Duration timeout;
    private final HttpClient http;

    public Outbox(TokenSource token) {
        this(token, TIMEOUT);
    }

    /// @param timeout of one letter, from connecting to the end of its answer
    Outbox(TokenSource token, Duration timeout) {
        this.token = token;
        this.timeout = timeout;
        this.http = HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .sslContext(LateTls.context())
                .connectTimeout(timeout)
                .build();
    }

    /// What waits for one addressee. The same object for the same addressee.
    public interface Mail {
        /// Takes a letter out and delivers it; waits for the addressee.
        ///
        /// @return whether there was one, so that there may be another
        /// @throws IOException where the addressee did not answer
        boolean deliverOne(Outbox by) throws IOException, InterruptedException;

        /// The addressee is away: what waits for it is of no use later, or is told anew.
        void drop(Exception why);
    }

    /// Delivers what waits, unless that is being done. Waits for nobody.
    public void deliver(Mail mail) {
        if (stop.getCount() > 0 && inDelivery.add(mail)) {
            var isStarted = false;
            try {
                var _ = Thread.ofVirtual().name("outbox").start(() -> run(mail));
                isStarted = true;
            } finally {
                if (!isStarted) {
                    inDelivery.remove(mail);
                }
            }
        }
    }

    /// Whether a letter of it may be on its way.
    boolean isDelivering(Mail mail) {
        return inDelivery.contains(mail);
    }

    /// Does so again and again, until this is closed; the first time after one interval. Goes on whatever it throws.
    public void repeat(Duration every, Runnable deliver) {
        var _ = Thread.ofVirtual().name("outbox-clock").start(() -> {
            try {
                while (!stop.await(every.toMillis(), TimeUnit.MILLISECONDS)) {
                    runLogged(deliver);
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
    }

    /// A clock that stopped would be missed by nobody here, and by metadata-svc as a reader that left.
    private static void runLogged(Runnable deliver) {
        try {
            deliver.run();
        } catch (RuntimeException | Error e) {
            LOG.error("outbox not emptied, the next time comes", e);
        }
    }

    /// Posts JSON to a service and waits for its answer.
    ///
    /// @param url of the service
    /// @return whether it was taken
    boolean post(String url, String path, byte[] json) throws IOException, InterruptedException {
        HttpRequest request;
        try {
            request = HttpRequest.newBuilder(URI.create(url).resolve(path))
                    .header("Content-Type", "application/json")
                    .header("Authorization", token.current().headerValue())
                    .POST(HttpRequest.BodyPublishers.ofByteArray(json))
                    .build();
        } catch (IllegalArgumentException e) {
            throw new IOException("the addressee has the url '" + url + "'", e);
        }
        var status = status(request);
        if (status == UNAUTHORIZED) {
            // It may have been replaced; what is told next has the new one.
            var _ = token.reread();
        }
        if (status / 100 != 2) {
            LOG.debugf("notice refused url=%s status=%d", request.uri(), status);
        }
        return status / 100 == 2;
    }

    /// `HttpRequest.timeout` ends with the head of an answer: an addressee that loses power after it would keep its
    /// mail in delivery for ever.
    private int status(HttpRequest request) throws IOException, InterruptedException {
        var answer = http.sendAsync(request, HttpResponse.BodyHandlers.discarding());
        try {
            return answer.get(timeout.toMillis(), TimeUnit.MILLISECONDS).statusCode();
        } catch (TimeoutException e) {
            throw new IOException("no whole answer within " + timeout.toMillis() + " ms", e);
        } catch (ExecutionException e) {
            throw new IOException(e.getCause() == null ? e : e.getCause());
        } finally {
            // Ends what is on its way, and nothing that is done.
            answer.cancel(true);
        }
    }

    @Override
    public void close() {
        stop.countDown();
        http.shutdownNow();
    }

    private void run(Mail mail) {
        try {
            deliverAll(mail);
        } catch (RuntimeException | Error e) {
            LOG.error("letter lost, what waits behind it is delivered the next time", e);
        } finally {
            inDelivery.remove(mail);
        }
    }

    private void deliverAll(Mail mail) {
        try {
            while (stop.getCount() > 0 && mail.deliverOne(this)) {
                // The next letter.
            }
        } catch (IOException | TarponException e) {
            if (stop.getCount() > 0) {
                mail.drop(e);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
