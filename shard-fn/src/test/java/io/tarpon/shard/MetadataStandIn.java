package io.tarpon.shard;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.tarpon.wire.ShardRef;
import io.tarpon.wire.client.MetadataClient;
import io.tarpon.wire.event.TarponEvent.ShardPlanned;
import io.tarpon.wire.http.ProblemType;
import io.tarpon.wire.http.TarponException;
import io.tarpon.wire.http.WriteToken;
import io.tarpon.wire.json.Json;
import io.tarpon.wire.metadata.DatasetSpec;
import io.tarpon.wire.metadata.FailVersion;
import io.tarpon.wire.metadata.Inputs;
import io.tarpon.wire.metadata.SealShard;
import io.tarpon.wire.metadata.ShardRecord;
import io.tarpon.wire.metadata.VersionRecord;
import io.tarpon.wire.metadata.VersionState;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/// The few answers of metadata-svc that building a shard needs, over a real socket, with faults on request. Version
/// `demo/v1` of planned shards.
public final class MetadataStandIn implements AutoCloseable {
    public static final String TOKEN = "a-token-of-the-tests";

    public static final int SILENT = -1;

    private static final String VERSION = "/v1/datasets/demo/versions/v1";

    public final Map<String, ShardRecord> shards = new ConcurrentHashMap<>();
    public final List<String> failReasons = new CopyOnWriteArrayList<>();

    /// The `traceparent` of every command, `none` where it had none.
    public final List<String> traces = new CopyOnWriteArrayList<>();

    /// So many of the next requests whose path ends with `faultyPath` are answered 503.
    public final AtomicInteger unavailable = new AtomicInteger();

    /// Requests so far.
    public final AtomicInteger asked = new AtomicInteger();

    /// Where it is a status, every request is answered with it and no body; where it is [#SILENT], with nothing.
    public final AtomicInteger trouble = new AtomicInteger();

    /// So many of the next seals are committed and their answers lost.
    public final AtomicInteger lostAnswers = new AtomicInteger();

    /// Seals wait for a permit of it.
    public final Semaphore seals = new Semaphore(Integer.MAX_VALUE);

    /// What commands need.
    public volatile String token = TOKEN;

    /// Understands no seal.
    public volatile boolean unacceptable;

    public volatile String faultyPath = "";
    public volatile VersionState state = VersionState.BUILDING;
    /// What who does not ask for the log's end is told of the version's state; null for the truth.
    public volatile @Nullable VersionState stateBefore;

    /// Runs before a version fails.
    public volatile Runnable beforeFail = () -> {};

    public volatile String planDigest = "ab".repeat(32);
    private final HttpServer server;

    public MetadataStandIn() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        server.createContext("/", this::handle);
        server.start();
    }

    public URI url() {
        return URI.create("http://127.0.0.1:" + server.getAddress().getPort());
    }

    public MetadataClient client() {
        return new MetadataClient(url(), new WriteToken(TOKEN));
    }

    public void planned(ShardPlanned planned) {
        var record = new ShardRecord(
                planned.shard(),
                planned.samples(),
                planned.bytes(),
                planned.plan().sha256(),
                null);
        shards.put(planned.ref().path(), record);
    }

    public SealShard sealOf(ShardRef ref) {
        return shards.get(ref.path()).sealed();
    }

    public ShardRecord record(ShardRef ref) {
        return shards.get(ref.path());
    }

    public boolean isSealed(ShardRef ref) {
        return shards.get(ref.path()).seal() != null;
    }

    @Override
    public void close() {
        server.stop(0);
    }

    private void handle(HttpExchange exchange) throws IOException {
        try (exchange) {
            var body = exchange.getRequestBody().readAllBytes();
            var path = exchange.getRequestURI().getPath();
            asked.incrementAndGet();
            int status = trouble.get();
            if (status == SILENT) {
                return;
            }
            if (status != 0) {
                exchange.sendResponseHeaders(status, -1);
                return;
            }
            try {
                if (path.endsWith(faultyPath) && unavailable.getAndUpdate(n -> Math.max(0, n - 1)) > 0) {
                    throw new TarponException(ProblemType.NOT_READY, "not now");
                }
                var answer = answer(exchange, path, body);
                if (path.endsWith("/seal") && lostAnswers.getAndUpdate(n -> Math.max(0, n - 1)) > 0) {
                    return;
                }
                send(exchange, 200, Json.bytes(answer));
            } catch (TarponException e) {
                send(exchange, e.type().status(), Json.bytes(e.problem()));
            }
        }
    }

    private Object answer(HttpExchange exchange, String path, byte[] body) throws IOException {
        if (!exchange.getRequestMethod().equals("GET")) {
            traces.add(Objects.requireNonNullElse(exchange.getRequestHeaders().getFirst("traceparent"), "none"));
            new WriteToken(token).check(exchange.getRequestHeaders().getFirst("Authorization"));
        }
        if (!path.startsWith(VERSION)) {
            throw new TarponException(ProblemType.UNKNOWN_VERSION, path + " was never begun");
        }
        if (path.equals(VERSION)) {
            var before = "read=latest".equals(exchange.getRequestURI().getQuery()) ? null : stateBefore;
            return version(before == null ? state : before);
        }
        if (path.equals(VERSION + "/fail")) {
            beforeFail.run();
            var fail = Json.read(body, FailVersion.class);
            if (fail.planDigest() != null && !fail.planDigest().equals(planDigest)) {
                throw new TarponException(ProblemType.CONFLICT, "the version was planned again");
            }
            failReasons.add(fail.reason());
            state = VersionState.FAILED;
            return version(state);
        }
        var shard =
                path.substring(VERSION.length()).replaceFirst("^/splits/(.*)/shards/(.*?)(/seal)?$", "demo/v1/$1/$2");
        if (!shards.containsKey(shard)) {
            throw new TarponException(ProblemType.UNKNOWN_SHARD, "no shard " + shard + " is planned");
        }
        if (path.endsWith("/seal")) {
            seals.acquireUninterruptibly();
            if (unacceptable) {
                throw TarponException.badParameter("this is not a seal");
            }
            return seal(shard, Json.read(body, SealShard.class));
        }
        return shards.get(shard);
    }

    private ShardRecord seal(String shard, SealShard seal) {
        return shards.compute(shard, (path, old) -> {
            if (state != VersionState.BUILDING && old.seal() == null) {
                throw new TarponException(ProblemType.CONFLICT, "the version is " + state.wireName());
            }
            if (old.seal() != null && !old.seal().hasBytesOf(seal)) {
                throw new TarponException(ProblemType.CONFLICT, shard + " is sealed with other content");
            }
            if (old.seal() != null) {
                return old;
            }
            return new ShardRecord(old.name(), seal.samples(), seal.bytes(), old.planSha256(), seal);
        });
    }

    private VersionRecord version(VersionState state) {
        var ref = Folders.ref(0);
        return new VersionRecord(
                ref.dataset(),
                ref.version(),
                state,
                1,
                "request",
                null,
                null,
                null,
                planDigest,
                null,
                null,
                DatasetSpec.of("test"),
                Inputs.NONE,
                List.of(),
                Instant.EPOCH,
                null);
    }

    private static void send(HttpExchange exchange, int status, byte[] body) throws IOException {
        exchange.sendResponseHeaders(status, body.length);
        exchange.getResponseBody().write(body);
    }
}
