package io.tarpon.ingest;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.tarpon.wire.DatasetName;
import io.tarpon.wire.ShardName;
import io.tarpon.wire.ShardRef;
import io.tarpon.wire.VersionId;
import io.tarpon.wire.http.Problem;
import io.tarpon.wire.http.ProblemType;
import io.tarpon.wire.http.TarponException;
import io.tarpon.wire.http.WriteToken;
import io.tarpon.wire.json.Json;
import io.tarpon.wire.metadata.BeginVersion;
import io.tarpon.wire.metadata.DatasetRecord;
import io.tarpon.wire.metadata.DatasetSpec;
import io.tarpon.wire.metadata.FailVersion;
import io.tarpon.wire.metadata.Inputs;
import io.tarpon.wire.metadata.PlanVersion;
import io.tarpon.wire.metadata.PlannedShard;
import io.tarpon.wire.metadata.SealShard;
import io.tarpon.wire.metadata.ShardPage;
import io.tarpon.wire.metadata.ShardRecord;
import io.tarpon.wire.metadata.SplitRecord;
import io.tarpon.wire.metadata.VersionProgress;
import io.tarpon.wire.metadata.VersionRecord;
import io.tarpon.wire.metadata.VersionState;
import io.tarpon.wire.metadata.VersionsInWork;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// As much of metadata-svc's REST as planning uses, with faults on demand: an answer of 503, or an answer that gets
/// lost after the command was applied. One dataset's versions count from 1. A version that grows has the latest sealed
/// one as parent; a shard that it keeps is sealed with its plan and lies where the parent's lies.
final class SmallMetadata implements AutoCloseable {
    static final WriteToken TOKEN = new WriteToken("a-token-for-tests-only");

    private final HttpServer server;
    private final Map<String, VersionRecord> versions = new LinkedHashMap<>();
    private final Map<String, PlanVersion> plans = new TreeMap<>();
    private final Set<String> sealedShards = new HashSet<>();
    private final Map<String, ShardRef> homes = new HashMap<>();
    /// Of kept shards, as the records of those that they were kept from have them.
    private final Map<String, String> planNames = new HashMap<>();
    private int pageLimit = Integer.MAX_VALUE;
    private @Nullable DatasetSpec registered;
    private @Nullable Before before;
    private final Map<String, Instant> stillSince = new HashMap<>();
    private Instant now = Instant.EPOCH;
    private int unavailable;
    private boolean noSecondPage;
    private @Nullable String fullFor;
    private @Nullable String awayFor;
    private int requestsUntilLoss = -1;
    private Predicate<URI> moment = request -> false;
    private Runnable event = () -> {};
    private final AtomicInteger held = new AtomicInteger();
    private volatile CountDownLatch plansMayGo = new CountDownLatch(0);

    SmallMetadata() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", this::handle);
        server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        server.start();
    }

    URI url() {
        return URI.create("http://127.0.0.1:" + server.getAddress().getPort());
    }

    synchronized void register(DatasetSpec spec) {
        registered = spec;
    }

    /// From now on who does not ask for the log's end is told of datasets and versions what was so until now.
    synchronized void fallBehind() {
        before = new Before(registered, Map.copyOf(versions));
    }

    private record Before(@Nullable DatasetSpec registered, Map<String, VersionRecord> versions) {}

    synchronized void failNext(int requests) {
        unavailable = requests;
    }

    /// Whether all that is in work is on a first page, and asking for the second fails.
    synchronized void failSecondPage(boolean fails) {
        noSecondPage = fails;
    }

    /// From now on nobody hears anything of that dataset; of all again where it is null.
    synchronized void beAwayFor(@Nullable String dataset) {
        awayFor = dataset;
    }

    /// No room for commands to this: `versions` or `plan`.
    synchronized void fillFor(String command) {
        fullFor = command;
    }

    /// The command after so many others is applied and its answer lost.
    synchronized void loseAnswerAfter(int requests) {
        requestsUntilLoss = requests;
    }

    /// Something happens, once, before the first such request is heard.
    synchronized void happenBefore(Predicate<URI> request, Runnable what) {
        moment = request;
        event = what;
    }

    /// From now on commands with a plan are not heard until [#letPlansGo].
    void holdPlans() {
        held.set(0);
        plansMayGo = new CountDownLatch(1);
    }

    /// Commands that have come since they are not heard, those that nobody waits for any more among them.
    int heldPlans() {
        return held.get();
    }

    void letPlansGo() {
        plansMayGo.countDown();
    }

    private void hold(URI uri) {
        if (uri.getPath().endsWith("/plan") && plansMayGo.getCount() > 0) {
            held.incrementAndGet();
            try {
                plansMayGo.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    synchronized VersionRecord version(String id) {
        return Optional.ofNullable(versions.get("demo/" + id)).orElseThrow();
    }

    synchronized int count() {
        return versions.size();
    }

    synchronized void seal(String version, String split, String shard) {
        sealedShards.add("demo/" + version + "/" + split + "/" + shard);
    }

    /// Seals every shard of a planned version, and so the version.
    synchronized void sealAll(String version) {
        sealedShards.addAll(paths("demo/" + version));
        end(version, VersionState.SEALED);
    }

    /// A version in work comes on all the time, but for one that stands still since then.
    synchronized void standStill(VersionId version, Instant since) {
        stillSince.put("demo/" + version, since);
    }

    synchronized void itIs(Instant time) {
        now = time;
    }

    /// Pages of shards have no more than these, whatever is asked for.
    synchronized void limitPages(int shards) {
        pageLimit = shards;
    }

    /// A failed version is planned again.
    synchronized void retry(String version) {
        plans.remove("demo/" + version);
        versions.computeIfPresent("demo/" + version, (_, held) -> with(held, VersionState.PLANNING, null, null));
    }

    synchronized void end(String version, VersionState state) {
        versions.computeIfPresent("demo/" + version, (_, held) -> with(held, state, "ended by the test", null));
    }

    @Override
    public void close() {
        server.stop(0);
    }

    private void handle(HttpExchange exchange) throws IOException {
        try (exchange) {
            byte[] body;
            int status = 200;
            hold(exchange.getRequestURI());
            try {
                body = Json.bytes(answer(
                        exchange.getRequestMethod(),
                        exchange.getRequestURI(),
                        exchange.getRequestBody().readAllBytes()));
            } catch (TarponException e) {
                status = e.type().status();
                body = Json.bytes(e.problem());
                exchange.getResponseHeaders().add("Content-Type", Problem.CONTENT_TYPE);
            }
            if (isAnswerLost()) {
                return;
            }
            exchange.sendResponseHeaders(status, body.length);
            exchange.getResponseBody().write(body);
        }
    }

    private synchronized boolean isAnswerLost() {
        return requestsUntilLoss >= 0 && requestsUntilLoss-- == 0;
    }

    private synchronized Object answer(String method, URI uri, byte[] body) throws IOException {
        if (moment.test(uri)) {
            moment = request -> false;
            event.run();
        }
        if (unavailable > 0) {
            unavailable--;
            throw new TarponException(ProblemType.NOT_READY, "not now");
        }
        var parts = uri.getPath().split("/", -1);
        if (parts[parts.length - 1].equals(fullFor)) {
            throw new TarponException(ProblemType.INSUFFICIENT_STORAGE, "make shards larger");
        }
        if (parts[2].equals("requests")) {
            return ofRequest(parts[3]).orElseThrow(() -> new TarponException(ProblemType.UNKNOWN_VERSION, parts[3]));
        }
        if (parts[2].equals("versions")) {
            return inWork(uri.getQuery());
        }
        var dataset = new DatasetName(parts[3]);
        if (dataset.value().equals(awayFor)) {
            throw new TarponException(ProblemType.NOT_READY, "not for " + dataset);
        }
        var isLatest = "read=latest".equals(uri.getQuery());
        if (parts.length == 4) {
            return dataset(dataset, before == null || isLatest ? registered : before.registered());
        }
        if (parts.length == 5) {
            return begin(dataset, Json.read(body, BeginVersion.class));
        }
        var name = dataset + "/" + parts[5];
        var held = versions.get(name);
        if (held == null) {
            throw new TarponException(ProblemType.UNKNOWN_VERSION, name);
        }
        return switch (parts.length == 6 ? method : parts[6]) {
            case "GET" -> before == null || isLatest ? held : before.versions().getOrDefault(name, held);
            case "plan" -> plan(name, held, Json.read(body, PlanVersion.class));
            case "fail" ->
                keep(with(
                        held,
                        VersionState.FAILED,
                        Json.read(body, FailVersion.class).reason(),
                        null));
            default -> shards(held, parts[7], uri.getQuery());
        };
    }

    private VersionsInWork inWork(String query) {
        if (query.contains("after=")) {
            throw new TarponException(ProblemType.NOT_READY, "not the second page");
        }
        var progress = new ArrayList<VersionProgress>();
        versions.forEach((name, held) -> {
            if (held.state() == VersionState.BUILDING) {
                int sealed = (int)
                        paths(name).stream().filter(sealedShards::contains).count();
                progress.add(new VersionProgress(
                        held.dataset(),
                        held.version(),
                        held.state(),
                        stillSince.getOrDefault(name, now),
                        paths(name).size(),
                        sealed));
            }
        });
        return new VersionsInWork(now, progress, noSecondPage ? "demo/v1" : null);
    }

    private Optional<VersionRecord> ofRequest(String requestId) {
        return versions.values().stream()
                .filter(held -> held.requestId().equals(requestId))
                .findFirst();
    }

    private DatasetRecord dataset(DatasetName dataset, @Nullable DatasetSpec registered) {
        if (registered == null && versions.isEmpty()) {
            throw new TarponException(ProblemType.UNKNOWN_DATASET, dataset + "");
        }
        return new DatasetRecord(dataset, null, registered, List.of());
    }

    private VersionRecord begin(DatasetName dataset, BeginVersion command) {
        var begun = ofRequest(command.requestId());
        if (begun.isPresent()) {
            if (!begun.get().dataset().equals(dataset)) {
                throw new TarponException(ProblemType.CONFLICT, "that request has begun another dataset's version");
            }
            return begun.get();
        }
        return keep(new VersionRecord(
                dataset,
                new VersionId(versions.size() + 1),
                VersionState.PLANNING,
                versions.size(),
                command.requestId(),
                null,
                null,
                command.spec().grow() ? latestSealed() : null,
                null,
                null,
                null,
                command.spec(),
                Inputs.NONE,
                List.of(),
                Instant.EPOCH,
                null));
    }

    private VersionRecord plan(String name, VersionRecord held, PlanVersion plan) {
        if (plan.planDigest().equals(held.planDigest())) {
            return held;
        }
        if (held.state() != VersionState.PLANNING) {
            throw new TarponException(
                    ProblemType.CONFLICT, name + " is " + held.state().wireName());
        }
        plans.put(name, plan);
        if (plan.splits().isEmpty()) {
            return keep(with(held, VersionState.FAILED, "no-samples", null));
        }
        for (var earlier : versions.values()) {
            if (!plan.force()
                    && earlier.state() == VersionState.SEALED
                    && plan.planDigest().equals(earlier.planDigest())) {
                return keep(with(held, VersionState.REMOVED, "same plan", earlier.version()));
            }
        }
        keepShards(held, plan);
        boolean whole = sealedShards.containsAll(paths(name));
        return keep(with(held, whole ? VersionState.SEALED : VersionState.BUILDING, null, null));
    }

    private @Nullable VersionId latestSealed() {
        return versions.values().stream()
                .filter(held -> held.state() == VersionState.SEALED)
                .map(VersionRecord::version)
                .max(Comparator.comparingInt(VersionId::number))
                .orElse(null);
    }

    /// Throws where a shard is not the one of the parent that it is said to be.
    private void keepShards(VersionRecord held, PlanVersion plan) {
        for (var split : plan.splits()) {
            for (var shard : split.shards()) {
                var kept = shard.kept();
                if (kept != null) {
                    var parent = Optional.ofNullable(held.parent()).orElseThrow();
                    var of = new ShardRef(held.dataset(), parent, split.name(), kept);
                    var was = planned(of);
                    if (!was.planSha256().equals(shard.planSha256())
                            || was.samples() != shard.samples()
                            || was.bytes() != shard.bytes()) {
                        throw new TarponException(ProblemType.CONFLICT, shard + " is not " + was);
                    }
                    var self = new ShardRef(held.dataset(), held.version(), split.name(), shard.name());
                    homes.put(self.path(), homes.getOrDefault(of.path(), of));
                    planNames.put(
                            self.path(),
                            was.kept() == null
                                    ? Optional.ofNullable(was.planName()).orElseThrow()
                                    : Optional.ofNullable(planNames.get(of.path()))
                                            .orElseThrow());
                    sealedShards.add(self.path());
                }
            }
        }
    }

    private PlannedShard planned(ShardRef ref) {
        return Optional.ofNullable(plans.get(ref.dataset() + "/" + ref.version())).orElseThrow().splits().stream()
                .filter(split -> split.name().equals(ref.split()))
                .flatMap(split -> split.shards().stream())
                .filter(shard -> shard.name().equals(ref.shard()))
                .findFirst()
                .orElseThrow();
    }

    private Set<String> paths(String version) {
        return Optional.ofNullable(plans.get(version)).orElseThrow().splits().stream()
                .flatMap(split ->
                        split.shards().stream().map(shard -> version + "/" + split.name() + "/" + shard.name()))
                .collect(Collectors.toSet());
    }

    private ShardPage shards(VersionRecord version, String split, String query) {
        if (version.state() == VersionState.REMOVED) {
            throw new TarponException(ProblemType.VERSION_REMOVED, version.version() + " was removed");
        }
        var asked = Arrays.stream(query.split("&"))
                .map(parameter -> parameter.split("=", 2))
                .collect(Collectors.toMap(parameter -> parameter[0], parameter -> parameter[1]));
        int limit = Math.min(pageLimit, Integer.parseInt(asked.get("limit")));
        int first =
                asked.containsKey("after") ? ShardName.parse(asked.get("after")).index() + 1 : 0;
        var name = version.dataset() + "/" + version.version();
        var records = new ArrayList<ShardRecord>();
        for (var planned : Optional.ofNullable(plans.get(name)).orElseThrow().splits()) {
            if (planned.name().value().equals(split)) {
                for (var shard : planned.shards()) {
                    var path = name + "/" + split + "/" + shard.name();
                    records.add(new ShardRecord(
                            shard.name(),
                            shard.samples(),
                            shard.bytes(),
                            shard.planSha256(),
                            homes.get(path),
                            sealedShards.contains(path) ? seal(shard) : null,
                            shard.kept() == null ? shard.planName() : planNames.get(path)));
                }
            }
        }
        int end = Math.min(records.size(), first + limit);
        var page = records.subList(Math.min(first, end), end);
        return new ShardPage(page, end < records.size() ? page.getLast().name() : null);
    }

    private static SealShard seal(PlannedShard shard) {
        return new SealShard(
                shard.planSha256(),
                shard.samples(),
                shard.bytes(),
                shard.planSha256(),
                "00000000",
                1,
                shard.planSha256(),
                Collections.emptySortedMap(),
                List.of(0));
    }

    private VersionRecord with(
            VersionRecord held, VersionState state, @Nullable String reason, @Nullable VersionId same) {
        var plan = plans.get(held.dataset() + "/" + held.version());
        return new VersionRecord(
                held.dataset(),
                held.version(),
                state,
                held.revision() + 1,
                held.requestId(),
                reason,
                same,
                held.parent(),
                plan == null ? null : plan.planDigest(),
                null,
                null,
                held.spec(),
                plan == null ? held.inputs() : plan.inputs(),
                plan == null
                        ? List.of()
                        : plan.splits().stream().map(SmallMetadata::split).toList(),
                held.begunAt(),
                null);
    }

    private static SplitRecord split(io.tarpon.wire.metadata.PlannedSplit split) {
        long samples = split.shards().stream().mapToLong(PlannedShard::samples).sum();
        long bytes = split.shards().stream().mapToLong(PlannedShard::bytes).sum();
        return new SplitRecord(
                split.name(), null, samples, bytes, split.shards().size(), 0, 0, Collections.emptySortedMap());
    }

    private VersionRecord keep(VersionRecord record) {
        versions.put(record.dataset() + "/" + record.version(), record);
        return record;
    }
}
