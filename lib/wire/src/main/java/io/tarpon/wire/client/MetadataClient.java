package io.tarpon.wire.client;

import io.tarpon.wire.DatasetName;
import io.tarpon.wire.ShardName;
import io.tarpon.wire.ShardRef;
import io.tarpon.wire.SplitName;
import io.tarpon.wire.VersionId;
import io.tarpon.wire.http.ProblemType;
import io.tarpon.wire.http.TarponException;
import io.tarpon.wire.http.TokenSource;
import io.tarpon.wire.json.Json;
import io.tarpon.wire.metadata.BeginVersion;
import io.tarpon.wire.metadata.DatasetList;
import io.tarpon.wire.metadata.DatasetRecord;
import io.tarpon.wire.metadata.DatasetSpec;
import io.tarpon.wire.metadata.FailVersion;
import io.tarpon.wire.metadata.GarbageReport;
import io.tarpon.wire.metadata.Heartbeat;
import io.tarpon.wire.metadata.NodeChanges;
import io.tarpon.wire.metadata.NodeList;
import io.tarpon.wire.metadata.NodeRecord;
import io.tarpon.wire.metadata.NodeRegistration;
import io.tarpon.wire.metadata.PlanVersion;
import io.tarpon.wire.metadata.ReaderReport;
import io.tarpon.wire.metadata.ReplicaDigest;
import io.tarpon.wire.metadata.SealShard;
import io.tarpon.wire.metadata.ShardPage;
import io.tarpon.wire.metadata.ShardRecord;
import io.tarpon.wire.metadata.SnapshotReport;
import io.tarpon.wire.metadata.VersionRecord;
import io.tarpon.wire.metadata.VersionState;
import io.tarpon.wire.metadata.VersionsInWork;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// metadata-svc over HTTP, blocking: call it from a virtual thread or a worker, never from an event loop.
///
/// Every command is idempotent, so each may be sent again after an [IOException], which says that it may or may
/// not have taken effect. What metadata-svc refuses comes as [TarponException] with its problem type. Every call ends:
/// within 10 s and what it is to wait, what goes through all versions within 10 min, and an answer of more than 64 MiB
/// is an [IOException]. A
/// thread that is interrupted gets an [java.io.InterruptedIOException] and keeps its flag. Where the token is refused,
/// and its source has another one by now, the request goes out once more.
///
/// Of several replicas the next is asked where one is silent or answers 5xx, each once a call, and the one that failed
/// is asked last from then on. No answer is older than one that this client had before. Questions, heartbeats and
/// reports have their 10 s at all replicas together, commands at each.
public final class MetadataClient implements AutoCloseable {
    private static final Duration REQUEST_TIMEOUT = Duration.ofSeconds(10);
    private static final Duration LONG_REQUEST_TIMEOUT = Duration.ofMinutes(10);

    /// A page has 1 MiB, which one record alone may exceed.
    private static final int MAX_ANSWER_BYTES = 64 << 20;

    private final Exchanges exchanges;
    private final Calls calls;
    private final Duration timeout;
    private final boolean ownsExchanges;

    /// A client that may read and write.
    public MetadataClient(URI base, TokenSource token) {
        this(List.of(base), token);
    }

    /// The same with several replicas, of which the first is asked while it answers.
    public MetadataClient(List<URI> replicas, TokenSource token) {
        this(replicas, token, REQUEST_TIMEOUT, MAX_ANSWER_BYTES);
    }

    /// @param token null for a client that only reads
    /// @param timeout of a call
    MetadataClient(List<URI> replicas, @Nullable TokenSource token, Duration timeout, int maxAnswerBytes) {
        var known = new Replicas(replicas);
        this.exchanges = new Exchanges(maxAnswerBytes);
        this.calls = new Calls(known, exchanges, token);
        this.timeout = timeout;
        this.ownsExchanges = true;
    }

    /// A client that only reads; a command through it is refused by the service.
    public static MetadataClient readOnly(URI base) {
        return readOnly(List.of(base));
    }

    /// The same with several replicas, of which the first is asked while it answers.
    public static MetadataClient readOnly(List<URI> replicas) {
        return new MetadataClient(replicas, null, REQUEST_TIMEOUT, MAX_ANSWER_BYTES);
    }

    private MetadataClient(MetadataClient of, Calls calls) {
        this.exchanges = of.exchanges;
        this.calls = calls;
        this.timeout = of.timeout;
        this.ownsExchanges = false;
    }

    /// The same client for one trace: its requests carry `traceparent` (W3C Trace Context), and what they change, and
    /// the events of that, carry it on. Lives as long as this one, and closing it closes nothing.
    public MetadataClient with(String traceparent) {
        return new MetadataClient(this, calls.with(traceparent));
    }

    /// The same client for questions whose answer somebody acts on for good: each is answered from all that was
    /// in the log when it was asked, whichever replica answers, and `not-ready` where the log is away. Lives as
    /// long as this one, and closing it closes nothing.
    public MetadataClient upToDate() {
        return new MetadataClient(this, calls.upToDate());
    }

    public DatasetRecord register(DatasetName dataset, DatasetSpec spec) throws IOException {
        return send("PUT", "/v1/datasets/" + dataset, spec, DatasetRecord.class);
    }

    /// Hands on every dataset with its versions, page by page. One with many versions comes in several parts, one after
    /// the other, each with the versions that follow.
    public void datasets(Consumer<DatasetRecord> parts) throws IOException {
        var after = Optional.<String>empty();
        do {
            var page = get(
                    "/v1/datasets" + after.map(name -> "?after=" + encode(name)).orElse(""), DatasetList.class);
            page.datasets().forEach(parts);
            after = Optional.ofNullable(page.next());
        } while (after.isPresent());
    }

    /// Every dataset with all its versions, by name.
    public List<DatasetRecord> datasets() throws IOException {
        var whole = new ArrayList<DatasetRecord>();
        datasets(part -> {
            if (!whole.isEmpty() && whole.getLast().dataset().equals(part.dataset())) {
                whole.add(joined(whole.removeLast(), part));
            } else {
                whole.add(part);
            }
        });
        return whole;
    }

    /// A dataset with all its versions.
    public DatasetRecord dataset(DatasetName dataset) throws IOException {
        var path = "/v1/datasets/" + dataset;
        var whole = get(path, DatasetRecord.class);
        while (whole.next() != null) {
            whole = joined(whole, get(path + "?after=" + whole.next(), DatasetRecord.class));
        }
        return whole;
    }

    /// What is said of the dataset itself is that of the later part.
    private static DatasetRecord joined(DatasetRecord one, DatasetRecord next) {
        var versions = new ArrayList<>(one.versions());
        versions.addAll(next.versions());
        return new DatasetRecord(next.dataset(), next.latest(), next.spec(), versions, next.next());
    }

    public VersionRecord begin(DatasetName dataset, BeginVersion command) throws IOException {
        return send("POST", "/v1/datasets/" + dataset + "/versions", command, VersionRecord.class);
    }

    /// The version that was begun for a request; empty until it was.
    public Optional<VersionRecord> versionOfRequest(String requestId) throws IOException {
        try {
            return Optional.of(get("/v1/requests/" + encode(requestId), VersionRecord.class));
        } catch (TarponException e) {
            if (e.type() == ProblemType.UNKNOWN_VERSION) {
                return Optional.empty();
            }
            throw e;
        }
    }

    public VersionRecord version(DatasetName dataset, VersionId version) throws IOException {
        return get(path(dataset, version), VersionRecord.class);
    }

    /// The highest sealed version; `unknown-version` where there is none.
    public VersionRecord latest(DatasetName dataset) throws IOException {
        return get("/v1/datasets/" + dataset + "/versions/latest", VersionRecord.class);
    }

    /// Versions in `planning` or `building`, whatever their dataset, and when each came on last: those after `after`,
    /// the `next` of the page before, at most `limit` (1 to 10,000): a page may have fewer.
    public VersionsInWork versionsInWork(VersionState state, Optional<String> after, int limit) throws IOException {
        var query = "?state=" + state.wireName() + "&limit=" + limit
                + after.map(name -> "&after=" + encode(name)).orElse("");
        return get("/v1/versions" + query, VersionsInWork.class);
    }

    public VersionRecord plan(DatasetName dataset, VersionId version, PlanVersion command) throws IOException {
        return send("PUT", path(dataset, version) + "/plan", command, VersionRecord.class);
    }

    public VersionRecord fail(DatasetName dataset, VersionId version, FailVersion command) throws IOException {
        return send("POST", path(dataset, version) + "/fail", command, VersionRecord.class);
    }

    /// A failed version goes back to planning; shards that come out of the new plan as they were sealed stay sealed.
    public VersionRecord retry(DatasetName dataset, VersionId version) throws IOException {
        return post(path(dataset, version) + "/retry", VersionRecord.class);
    }

    /// Takes a version that has ended from its readers; `conflict` while it is in work.
    public VersionRecord remove(DatasetName dataset, VersionId version) throws IOException {
        return delete(path(dataset, version), VersionRecord.class);
    }

    /// Removes every version of a dataset and its specification; its numbers stay used up. The answer may have only the
    /// first of its versions.
    public DatasetRecord remove(DatasetName dataset) throws IOException {
        return delete("/v1/datasets/" + dataset, DatasetRecord.class);
    }

    /// Deletes what only removed versions used. May take minutes; safe to ask again.
    public GarbageReport collectGarbage(boolean dryRun) throws IOException {
        return post("/v1/gc?dry-run=" + dryRun, GarbageReport.class);
    }

    /// Writes all that the log has come to into the object store, at the replica that has that duty: those that have
    /// not say `not-ready`. May take minutes; safe to ask again.
    public SnapshotReport takeSnapshot() throws IOException {
        return post("/v1/snapshots", SnapshotReport.class);
    }

    /// Says which versions a gateway has open reads on.
    public void reading(String reader, ReaderReport report) throws IOException {
        var _ = calls.make(call("PUT", "/v1/readers/" + encode(reader), report).shared());
    }

    public ShardRecord seal(ShardRef ref, SealShard command) throws IOException {
        return send(
                "POST",
                shards(ref.dataset(), ref.version(), ref.split()) + "/" + ref.shard() + "/seal",
                command,
                ShardRecord.class);
    }

    public ShardRecord shard(ShardRef ref) throws IOException {
        return get(shards(ref.dataset(), ref.version(), ref.split()) + "/" + ref.shard(), ShardRecord.class);
    }

    /// Shards after `after`, at most `limit` (1 to 10,000): a page may have fewer, and says where the next one begins.
    public ShardPage shards(
            DatasetName dataset, VersionId version, SplitName split, Optional<ShardName> after, int limit)
            throws IOException {
        var query = "?limit=" + limit + after.map(name -> "&after=" + name).orElse("");
        return get(shards(dataset, version, split) + query, ShardPage.class);
    }

    /// A node that does not tell which process it is.
    public NodeRecord join(String id, NodeRegistration registration) throws IOException {
        return send("PUT", "/v1/nodes/" + encode(id), registration, NodeRecord.class);
    }

    /// Whoever joined last under an id is the node; heartbeats and leaves of others are then conflicts.
    ///
    /// @param incarnation of at most 64 characters, which no other start of any block service says
    public NodeRecord join(String id, NodeRegistration registration, String incarnation) throws IOException {
        return send("PUT", node(id, "", incarnation), registration, NodeRecord.class);
    }

    /// `not-found` means: join again.
    public NodeRecord heartbeat(String id, Heartbeat heartbeat) throws IOException {
        return beat("/v1/nodes/" + encode(id) + "/heartbeat", heartbeat);
    }

    /// `not-found` means: join again. `conflict`: another process has joined under this id since, and is the node now;
    /// joining again would take it from that one.
    public NodeRecord heartbeat(String id, Heartbeat heartbeat, String incarnation) throws IOException {
        return beat(node(id, "/heartbeat", incarnation), heartbeat);
    }

    private NodeRecord beat(String path, Heartbeat heartbeat) throws IOException {
        return Json.read(calls.make(call("POST", path, heartbeat).shared()), NodeRecord.class);
    }

    /// Takes a node out of the cluster, whichever process it is.
    public void leave(String id) throws IOException {
        var _ = calls.make(call("DELETE", "/v1/nodes/" + encode(id), null));
    }

    /// Takes the process out of the cluster that joined so; `conflict` where another one has joined under its id since.
    public void leave(String id, String incarnation) throws IOException {
        var _ = calls.make(call("DELETE", node(id, "", incarnation), null));
    }

    private static String node(String id, String what, String incarnation) {
        return "/v1/nodes/" + encode(id) + what + "?incarnation=" + encode(incarnation);
    }

    public NodeList nodes() throws IOException {
        return get("/v1/nodes", NodeList.class);
    }

    /// How the nodes differ from those of the tag, once they do or `wait` is over, whichever comes first; all of
    /// them at once where the replica does not know the tag. It may always answer sooner.
    ///
    /// @param since the tag of the answer before; anything else where there is none
    /// @param wait beside the time that every call has
    public NodeChanges nodeChanges(String since, Duration wait) throws IOException {
        var path = "/v1/node-changes?since=" + encode(since) + "&wait-millis=" + wait.toMillis();
        return Json.read(calls.make(new Call("GET", path, null, timeout, true, wait)), NodeChanges.class);
    }

    /// Of the replica that answers. It goes through all that it knows, and its log waits meanwhile.
    public ReplicaDigest digest() throws IOException {
        return Json.read(calls.make(Call.get("/v1/digest", LONG_REQUEST_TIMEOUT)), ReplicaDigest.class);
    }

    @Override
    public void close() {
        if (ownsExchanges) {
            exchanges.close();
        }
    }

    private static String path(DatasetName dataset, VersionId version) {
        return "/v1/datasets/" + dataset + "/versions/" + version;
    }

    private static String shards(DatasetName dataset, VersionId version, SplitName split) {
        return path(dataset, version) + "/splits/" + split + "/shards";
    }

    private static String encode(String segment) {
        return URLEncoder.encode(segment, StandardCharsets.UTF_8).replace("+", "%20");
    }

    private <T> T get(String path, Class<T> type) throws IOException {
        return Json.read(calls.make(Call.get(path, timeout)), type);
    }

    private <T> T post(String path, Class<T> type) throws IOException {
        return Json.read(calls.make(new Call("POST", path, null, LONG_REQUEST_TIMEOUT, false)), type);
    }

    private <T> T delete(String path, Class<T> type) throws IOException {
        return Json.read(calls.make(call("DELETE", path, null)), type);
    }

    private <T> T send(String method, String path, Object body, Class<T> type) throws IOException {
        return Json.read(calls.make(call(method, path, body)), type);
    }

    private Call call(String method, String path, @Nullable Object body) {
        return new Call(method, path, body == null ? null : Json.bytes(body), timeout, false);
    }
}
