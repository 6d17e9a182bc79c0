package io.tarpon.metadata.replica;

import static org.assertj.core.api.Assertions.assertThat;

import io.tarpon.metadata.entry.Change;
import io.tarpon.metadata.entry.Entry;
import io.tarpon.metadata.entry.EntryFormat;
import io.tarpon.metadata.image.BeginVersion;
import io.tarpon.metadata.image.Command;
import io.tarpon.metadata.image.CommittedEvent;
import io.tarpon.metadata.image.Decision;
import io.tarpon.metadata.image.HeapStore;
import io.tarpon.metadata.image.Image;
import io.tarpon.metadata.image.VersionName;
import io.tarpon.wire.DatasetName;
import io.tarpon.wire.ShardRef;
import io.tarpon.wire.http.ProblemType;
import io.tarpon.wire.metadata.DatasetRecord;
import io.tarpon.wire.metadata.SealShard;
import io.tarpon.wire.metadata.ShardRecord;
import io.tarpon.wire.metadata.VersionRecord;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Replays everything that is in a simulated log, and holds what it sees, and what proposers were answered,
/// against the promises.
final class Judge {
    private final boolean blind;
    private final Image image = new Image(new HeapStore());
    private final List<CommittedEvent> events = new ArrayList<>();
    private final Set<String> singleEffects = new HashSet<>();
    private final Map<String, Integer> retries = new HashMap<>();
    private final VersionPromises versions = new VersionPromises();
    private final ShardPromises shards = new ShardPromises();
    private final Map<String, String> versionOfRequest = new HashMap<>();
    private final Map<String, String> beganBy = new HashMap<>();
    private final Set<String> forgotten = new HashSet<>();
    private int forgottenNodes;
    private int refusals;
    private int pages;
    private int pagedPlans;
    private int begunLogs;
    private @Nullable String logId;
    private List<DatasetRecord> datasets = List.of();
    private long datasetsRevision;
    private String digest = "";
    private long digestRevision = -1;
    private final Map<ShardRef, Set<SealShard>> acknowledgedSeals = new HashMap<>();

    Judge() {
        this(false);
    }

    private Judge(boolean blind) {
        this.blind = blind;
    }

    /// One that replays what is in the log and finds nothing wrong with it.
    static Judge blind() {
        return new Judge(true);
    }

    Image image() {
        return image;
    }

    int sealedVersions() {
        return versions.sealed().size();
    }

    /// How often a retry, a kept shard and a collection were met.
    Map<String, Integer> met() {
        return Map.ofEntries(
                Map.entry("refusals", refusals),
                Map.entry(
                        "retries",
                        retries.values().stream().mapToInt(Integer::intValue).sum()),
                Map.entry("kept", shards.kept()),
                Map.entry("carried", shards.carried()),
                Map.entry("collected", shards.collected()),
                Map.entry("forgotten versions", forgotten.size()),
                Map.entry("forgotten nodes", forgottenNodes),
                Map.entry("pages", pages),
                Map.entry("logs begun", begunLogs),
                Map.entry("plans of several pages", pagedPlans),
                Map.entry("same as one in work", versions.sameAsOneInWork()));
    }

    /// Replays what is new, and checks every promise.
    void look(List<byte[]> entries) throws IOException {
        while (image.revision() < entries.size()) {
            var bytes = entries.get((int) image.revision());
            var entry = EntryFormat.decode("simulated " + (image.revision() + 1), bytes);
            if (blind) {
                var _ = image.replay(entry);
                continue;
            }
            assertThat(EntryFormat.encode(entry)).as("an entry has one form").isEqualTo(bytes);
            var before = VersionPromises.states(datasets());
            var isPage = entry.records().stream().allMatch(Change.PlanPaged.class::isInstance);
            var shown = isPage ? shown() : "";
            var replayed = image.replay(entry);
            assertThat(isPage ? shown() : "").as("nothing is seen of a page").isEqualTo(shown);
            if (replayed.applied()) {
                checkLog(entry);
                entry.records().forEach(this::checkSingleEffect);
                entry.records().forEach(change -> shards.look(image, change));
            }
            VersionPromises.checkEvents(before, VersionPromises.states(datasets()), entry, replayed);
            events.addAll(replayed.events());
            versions.check(image, datasets());
            shards.check(image, datasets());
        }
        if (!blind) {
            checkAnswers();
            assertThat(events.stream().map(CommittedEvent::id)).doesNotHaveDuplicates();
        }
    }

    /// From its beginning on the log has one id, which every entry names; entries that do not are not applied.
    private void checkLog(Entry entry) {
        if (entry.records().getFirst() instanceof Change.LogBegun begun) {
            logId = begun.id();
            begunLogs++;
        } else {
            assertThat(entry.log()).as("log of %s", entry.idempotenceKey()).isEqualTo(logId);
        }
        assertThat(image.logId()).isEqualTo(Optional.ofNullable(logId));
    }

    private Object shown() {
        return image.reads().datasets(null, Integer.MAX_VALUE);
    }

    /// Holds a replica against the log, from where it was when that was done last.
    ///
    /// @return what it is held against up to now
    long check(Replica replica, EventTail tail, long before) {
        var now = replica.revision();
        if (blind || now == before || !isAsTheLogSays(replica)) {
            return before;
        }
        checkTail(tail.after(before, Integer.MAX_VALUE).orElseThrow().events(), before, now);
        return now;
    }

    /// A replica that has replayed all that is in the log shows what the log says. One that is behind will.
    private boolean isAsTheLogSays(Replica replica) {
        if (replica.revision() != image.revision()) {
            return false;
        }
        assertThat(replica.read(Image::digest).value())
                .as("digest at %d", image.revision())
                .isEqualTo(digest());
        return true;
    }

    /// Replicas that saw the same entries told the same events.
    private void checkTail(List<CommittedEvent> told, long after, long upTo) {
        assertThat(told)
                .isEqualTo(events.stream()
                        .filter(event -> event.revision() > after && event.revision() <= upTo)
                        .toList());
    }

    /// Replicas that saw everything know the same.
    void checkEnd(List<String> found) {
        if (!blind) {
            assertThat(found).containsOnly(digest());
        }
    }

    /// What a command was answered.
    ///
    /// Looks first: what a request had begun before may have been forgotten in this very step.
    void answered(List<byte[]> entries, Command<?> command, Object answer) {
        if (blind) {
            return;
        }
        see(entries);
        if (command instanceof BeginVersion begin && answer instanceof VersionRecord record) {
            answered(begin.requestId(), record);
        }
        if (command instanceof io.tarpon.metadata.image.SealShard seal && answer instanceof ShardRecord record) {
            acknowledgedSeals.computeIfAbsent(seal.ref(), _ -> new HashSet<>()).add(record.sealed());
        }
    }

    private void answered(String requestId, VersionRecord record) {
        var version = record.dataset() + "/" + record.version();
        // It may have been forgotten between its entry and its answer.
        if (!forgotten.contains(version)) {
            assertThat(versionOfRequest.computeIfAbsent(requestId, _ -> version))
                    .isEqualTo(version);
        }
    }

    /// Whether this version was begun by this request, as far as anybody knows.
    boolean isBegunBy(VersionName version, String requestId) {
        return requestId.equals(versions.requestOf(version.toString()));
    }

    /// A refusal is one by all that is in the log, however far behind the replica was that was asked.
    void refused(List<byte[]> entries, Command<?> command, ProblemType why) {
        if (blind) {
            return;
        }
        assertThat(now(entries, command))
                .as("refusal of %s", command)
                .isInstanceOfSatisfying(
                        Decision.Refused.class,
                        refused -> assertThat(refused.problem().type()).isEqualTo(why));
        refusals++;
    }

    /// What was said to be so already is so by all that is in the log.
    void repeated(List<byte[]> entries, Command<?> command) {
        if (!blind) {
            assertThat(now(entries, command))
                    .as("repetition of %s", command)
                    .isInstanceOf(Decision.AlreadyApplied.class);
        }
    }

    private Decision now(List<byte[]> entries, Command<?> command) {
        see(entries);
        return image.decide(command);
    }

    private void see(List<byte[]> entries) {
        try {
            look(entries);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// A version is begun once, and planned and its shards sealed once between two retries.
    private void checkSingleEffect(Change change) {
        switch (change) {
            case Change.VersionBegun begun -> {
                single("request " + begun.requestId());
                beganBy.put(begun.requestId(), begun.dataset() + "/" + begun.version());
            }
            case Change.InputsCounted counted -> single("plan", counted.dataset() + "/" + counted.version());
            case Change.ShardSealed sealed -> single("seal " + sealed.ref(), sealed.dataset() + "/" + sealed.version());
            case Change.VersionCollected collected ->
                single("collect " + collected.dataset() + "/" + collected.version());
            case Change.VersionRetried retried ->
                retries.merge(retried.dataset() + "/" + retried.version(), 1, Integer::sum);
            case Change.PlanPaged _ -> pages++;
            case Change.VersionPlanned planned -> {
                if (planned.pages() != null) {
                    pagedPlans++;
                }
            }
            case Change.LogBegun _ -> single("log");
            case Change.LevelRaised raised -> single("level " + raised.level());
            case Change.DatasetRegistered _,
                    Change.VersionFailed _,
                    Change.VersionRemoved _,
                    Change.DatasetRemoved _,
                    Change.NodeJoined _,
                    Change.NodeLeft _ -> {}
            case Change.VersionForgotten gone -> forget(gone.dataset() + "/" + gone.version());
            case Change.NodeForgotten _ -> forgottenNodes++;
        }
    }

    /// The request that began it may begin another one.
    private void forget(String version) {
        forgotten.add(version);
        versionOfRequest.values().removeIf(version::equals);
        beganBy.entrySet().removeIf(begun -> {
            if (begun.getValue().equals(version)) {
                singleEffects.remove("request " + begun.getKey());
                return true;
            }
            return false;
        });
    }

    private void single(String effect, String version) {
        single(effect + " of " + version + ", try " + retries.getOrDefault(version, 0));
    }

    private void single(String effect) {
        assertThat(singleEffects.add(effect)).as("%s is applied once", effect).isTrue();
    }

    private void checkAnswers() {
        versionOfRequest.forEach((request, version) -> {
            var record = image.reads().versionOfRequest(request);
            assertThat(record.dataset() + "/" + record.version()).isEqualTo(version);
        });
        acknowledgedSeals.forEach((ref, seals) ->
                assertThat(shards.everSealed(ref)).as("acknowledged %s", ref).containsAll(seals));
    }

    /// For the workload: the versions of a dataset, none where it is unknown.
    List<VersionRecord> versions(DatasetName dataset) {
        return datasets().stream()
                .filter(record -> record.dataset().equals(dataset))
                .flatMap(record -> record.versions().stream())
                .toList();
    }

    /// Everything, as it is now: read once for all that look at it.
    private List<DatasetRecord> datasets() {
        if (datasetsRevision != image.revision()) {
            datasets = image.reads().datasets(null, Integer.MAX_VALUE).datasets();
            datasetsRevision = image.revision();
        }
        return datasets;
    }

    private String digest() {
        if (digestRevision != image.revision()) {
            digest = image.digest();
            digestRevision = image.revision();
        }
        return digest;
    }
}
