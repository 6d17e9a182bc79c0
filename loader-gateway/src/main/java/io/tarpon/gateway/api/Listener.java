package io.tarpon.gateway.api;

import io.quarkus.runtime.ShutdownEvent;
import io.quarkus.runtime.StartupEvent;
import io.tarpon.gateway.GatewayConfig;
import io.vertx.core.AbstractVerticle;
import io.vertx.core.DeploymentOptions;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.impl.ContextInternal;
import jakarta.annotation.Priority;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.eclipse.microprofile.config.inject.ConfigProperty;
import org.jboss.logging.Logger;

/// The HTTP port. It is the gateway's own rather than Quarkus', for what that one has no place for: a look at a
/// connection before its first request, answers to what is no request, and a stop that first only stops listening.
/// Everything but bytes goes on to Quarkus ([Requests]).
@ApplicationScoped
public class Listener {
    private static final Logger LOG = Logger.getLogger(Listener.class);
    private static final int BACKLOG = 4096;
    private static final Duration STEP = Duration.ofMillis(10);

    /// How long connections that were interrupted may take to end.
    private static final Duration LAST = Duration.ofSeconds(3);

    private final Vertx vertx;
    private final Connections connections;
    private final Requests requests;
    private final GatewayConfig.Clients config;
    private final String host;
    private final int port;
    private volatile int actualPort;

    Listener(
            Vertx vertx,
            Connections connections,
            Requests requests,
            GatewayConfig config,
            @ConfigProperty(name = "quarkus.http.host") String host,
            @ConfigProperty(name = "quarkus.http.port") int port) {
        // Vert.x reads it when its server is loaded, and then leaves requests alone that could become a web socket.
        System.setProperty("vertx.disableWebsockets", "true");
        this.vertx = vertx;
        this.connections = connections;
        this.requests = requests;
        this.config = config.gateway().clients();
        this.host = host;
        this.port = port;
    }

    /// The port listened on, once started.
    public int port() {
        return actualPort;
    }

    /// Connections of clients that are open.
    public int connections() {
        return connections.open();
    }

    void start(@Observes @Priority(Integer.MAX_VALUE) StartupEvent event) {
        var loops = new DeploymentOptions().setInstances(Runtime.getRuntime().availableProcessors());
        vertx.deployVerticle(Loop::new, loops)
                .toCompletionStage()
                .toCompletableFuture()
                .join();
        LOG.infof("gateway listens address=%s:%d", host, actualPort);
    }

    /// Runs before everything else is taken apart.
    void stop(@Observes @Priority(1) ShutdownEvent event) throws InterruptedException {
        drain();
    }

    /// Lets open responses come to their end, up to a deadline; for the rest see [BodyWriter#interrupt]. No new
    /// connection is taken from then on.
    public void drain() throws InterruptedException {
        connections.beginDraining();
        Thread.sleep(config.drainNotice());
        connections.stopAccepting();
        if (await(config.drain(), () -> connections.open() == 0)) {
            return;
        }
        var cut = new AtomicInteger();
        connections.interrupt(new IllegalStateException("the gateway stops"), cut::incrementAndGet);
        await(LAST, () -> connections.open() == 0);
        LOG.warnf("gateway stops before the end of responses cut=%d after=%s", cut.get(), config.drain());
    }

    private static boolean await(Duration longest, BooleanSupplier condition) throws InterruptedException {
        var end = System.nanoTime() + longest.toNanos();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() >= end) {
                return false;
            }
            Thread.sleep(STEP);
        }
        return true;
    }

    private HttpServerOptions options() {
        return new HttpServerOptions()
                .setHost(host)
                // A negative port is a free one that all loops share.
                .setPort(port == 0 ? -1 : port)
                .setAcceptBacklog(BACKLOG)
                .setHttp2ClearTextEnabled(false)
                .setCompressionSupported(false)
                .setMaxInitialLineLength((int) config.maxRequestLine().asLongValue())
                .setMaxHeaderSize((int) config.maxHeaders().asLongValue());
    }

    /// The port on one event loop.
    private final class Loop extends AbstractVerticle {
        @Override
        public void start(Promise<Void> started) {
            var home = connections.loop(((ContextInternal) context).nettyEventLoop());
            var server = vertx.createHttpServer(options())
                    .connectionHandler(connection -> connections.take(connection, home))
                    .invalidRequestHandler(requests::invalid)
                    .requestHandler(requests::handle);
            server.listen().onSuccess(this::listens).<Void>mapEmpty().onComplete(started);
        }

        private void listens(HttpServer server) {
            actualPort = server.actualPort();
        }
    }
}
