package io.tarpon.metadata.image;

import io.tarpon.metadata.entry.Entity;
import io.tarpon.metadata.entry.Entry;
import io.tarpon.metadata.entry.EntryFormat;
import io.tarpon.wire.DatasetName;
import io.tarpon.wire.VersionId;
import io.tarpon.wire.http.ProblemType;
import io.tarpon.wire.http.TarponException;
import java.time.Instant;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// Everything metadata-svc knows, as the entries of the log make it. Same entries, same image, same [#digest()].
///
/// Shards, which are most of it, are in its store only, and so are the events that it told; the rest is in memory
/// too. After [#save()] the store alone is this image: one made from it later goes on with the next entry.
///
/// Not safe for use by several threads: its owner holds a lock. Only [#replay(Entry)] changes it.
public final class Image {
    /// What replay changes there is summed.
    final ImageStore store;
    final Outbox outbox;
    final SortedMap<String, Dataset> datasets = new TreeMap<>();
    final SortedMap<String, Node> nodes = new TreeMap<>();
    /// Those in planning and building: few of all.
    final NavigableMap<VersionName, Version> inWork = new TreeMap<>();
    final Map<String, Version> versionsByRequest = new HashMap<>();
    /// Of versions whose plan comes in pages, until the last entry of it, or the end of their planning.
    final SortedMap<VersionName, HeldPages> pages = new TreeMap<>();
    final long maxShards;
    final long maxVersions;
    long nodesRevision;
    /// Of the entry by which a node, or a version with its request, was forgotten last. A decision that rests on one
    /// not being there rests on this: what was forgotten since may have been there meanwhile.
    long nodesFloor;

    long requestsFloor;
    /// Planned shards of all versions, those on pages that are held included.
    long shards;
    /// None until an entry names the log.
    @Nullable
    String logId;
    /// The newest format of entries that may be written.
    int level = EntryFormat.FIRST_LEVEL;
    /// Of the entry that changed one of both last.
    long logRevision;
    /// Of the last entry that was applied; never goes back, whatever clocks the entries were stamped by.
    Instant time = Instant.EPOCH;

    private final ImageStore saved;
    private final Windows windows;
    private long revision;
    private long rejected;
    private @Nullable String lastEntry;
    private final Set<Dataset> changedDatasets = new LinkedHashSet<>();
    private final Set<Version> changedVersions = new LinkedHashSet<>();
    private final Map<String, Node> changedNodes = new LinkedHashMap<>();
    private Set<Lookup> outdated = new LinkedHashSet<>();

    /// The image of the store that decides plans of any size.
    public Image(ImageStore store) {
        this(store, Long.MAX_VALUE, Long.MAX_VALUE);
    }

    /// The image of the store, of [StoredImage#FORMAT] or empty. Decisions heed the limits, replay does not.
    ///
    /// @param maxShards how many shards may be planned, all versions together
    /// @param maxVersions how many versions may be known, all datasets together
    public Image(ImageStore store, long maxShards, long maxVersions) {
        this(store, maxShards, maxVersions, Windows.ENTRIES);
    }

    /// @param windowEntries after how many entries there is a [WindowDigest]
    Image(ImageStore store, long maxShards, long maxVersions, int windowEntries) {
        this.windows = new Windows(windowEntries);
        this.saved = store;
        this.store = new SummedStore(store, windows);
        this.outbox = new Outbox(this.store);
        this.maxShards = maxShards;
        this.maxVersions = maxVersions;
        StoredImage.load(this);
        windows.begin(revision);
    }

    /// This image from its store, where something else was put there. As it is, nothing of it is saved any more.
    void reload() {
        datasets.clear();
        nodes.clear();
        inWork.clear();
        versionsByRequest.clear();
        pages.clear();
        changedDatasets.clear();
        changedVersions.clear();
        changedNodes.clear();
        restore(new StoredImage.Counters(
                StoredImage.FORMAT, 0, 0, 0, 0, 0, 0, null, EntryFormat.FIRST_LEVEL, 0, Instant.EPOCH, null));
        StoredImage.load(this);
        windows.begin(revision);
    }

    void restore(StoredImage.Counters counters) {
        revision = counters.revision();
        rejected = counters.rejected();
        nodesRevision = counters.nodesRevision();
        nodesFloor = counters.nodesFloor();
        requestsFloor = counters.requestsFloor();
        shards = counters.shards();
        logId = counters.logId();
        level = counters.level();
        logRevision = counters.logRevision();
        lastEntry = counters.lastEntry();
        if (level > EntryFormat.FORMAT) {
            throw new IllegalStateException("the image that was kept is of a log of format " + level
                    + ", and this build reads up to " + EntryFormat.FORMAT + ": start a newer one");
        }
        time = counters.time();
    }

    /// What was replayed lasts from here on, through the death of this process.
    ///
    /// @throws ImageStoreException it does not; this may be called again
    public void save() {
        changedDatasets.forEach(dataset -> StoredImage.put(saved, dataset));
        changedVersions.forEach(version -> StoredImage.put(saved, version, pages.get(version.name())));
        changedNodes.forEach((id, node) -> StoredImage.put(saved, id, node));
        changedDatasets.clear();
        changedVersions.clear();
        changedNodes.clear();
        StoredImage.put(saved, counters(lastEntry));
        saved.commit();
    }

    StoredImage.Counters counters(@Nullable String lastEntry) {
        return new StoredImage.Counters(
                StoredImage.FORMAT,
                revision,
                rejected,
                nodesRevision,
                nodesFloor,
                requestsFloor,
                shards,
                logId,
                level,
                logRevision,
                time,
                lastEntry);
    }

    /// The image as it was saved last, to be read while this one changes.
    ///
    /// @throws ImageStoreException it cannot be had now
    public SavedImage saved() {
        return SavedImage.of(store);
    }

    /// Everything that is known goes, here and in the store, for another image of the same log to take its place.
    /// Until that is finished nobody may read this one.
    ///
    /// @throws ImageStoreException it cannot be done now; it may be called again, and must be before anything else
    public Refill refill() {
        return Refill.begin(this);
    }

    /// Events of entries up to this one are not kept any more; nobody needs to publish them again. Lasts from
    /// [#save()] on, and is no part of [#digest()].
    public void forgetEvents(long upTo) {
        outbox.forget(upTo);
    }

    /// Look-ups whose answers may be others since this was called last. They are noted where a change is noted for
    /// [#save()], so what is not here is not what it was after the next start either.
    public Set<Lookup> takeOutdated() {
        var taken = outdated;
        outdated = new LinkedHashSet<>();
        return taken;
    }

    /// Number of entries replayed.
    public long revision() {
        return revision;
    }

    /// Number of entries whose guards did not hold.
    public long rejected() {
        return rejected;
    }

    /// What the log was named; empty where it was not yet.
    public Optional<String> logId() {
        return Optional.ofNullable(logId);
    }

    /// The newest format of entries that may be written.
    public int level() {
        return level;
    }

    /// SHA-256 in lower-case hex of the bytes of the entry that made this revision; empty where nobody said.
    public Optional<String> lastEntry() {
        return Optional.ofNullable(lastEntry);
    }

    /// Says it, of the entry that was replayed last, for whoever opens this image next.
    public void lastEntry(String sha256) {
        lastEntry = sha256;
    }

    public Decision decide(Command<?> command) {
        try {
            return command.decide(this);
        } catch (TarponException e) {
            return new Decision.Refused(e);
        }
    }

    /// Applies the next entry of the log, or counts it as rejected where a guard does not hold.
    ///
    /// @throws IllegalStateException the entry says what no decision can come to: the log is not one of ours, or
    ///     this code is wrong. The image must not be used any more.
    public Replayed replay(Entry entry) {
        revision++;
        windows.entry();
        requireOfThisLog(entry);
        if (!Objects.equals(entry.log(), logId) || !guardsHold(entry)) {
            rejected++;
            return new Replayed(revision, false, List.of(), windows.replayed(this, false));
        }
        time = entry.at().isAfter(time) ? entry.at() : time;
        var replay = new Replay(this, revision, entry);
        entry.records().forEach(replay::apply);
        return new Replayed(revision, true, replay.events(), windows.replayed(this, true));
    }

    /// Canonical and comparable between replicas: SHA-256 in lower-case hex over the whole state.
    public String digest() {
        return ImageDigest.of(this);
    }

    /// Every event that it told.
    public Outbox outbox() {
        return outbox;
    }

    /// What there is to read in it.
    public Reads reads() {
        return new Reads(this);
    }

    /// One that names no log was decided before this one was named.
    private void requireOfThisLog(Entry entry) {
        var named = entry.log();
        if (named != null && !named.equals(logId)) {
            throw new IllegalStateException("entry " + revision + " (" + entry.idempotenceKey() + ") is of log " + named
                    + ", and this is " + (logId == null ? "a log without an id" : "log " + logId));
        }
    }

    private boolean guardsHold(Entry entry) {
        return entry.guards().entrySet().stream()
                .allMatch(guard -> revisionOf(Entity.parse(guard.getKey())) == guard.getValue());
    }

    long revisionOf(Entity entity) {
        return switch (entity) {
            case Entity.Log() -> logRevision;
            case Entity.Specification(var name) -> datasets.containsKey(name.value()) ? dataset(name).specRevision : 0;
            case Entity.Numbers(var name) -> datasets.containsKey(name.value()) ? dataset(name).numbersRevision : 0;
            case Entity.SealedVersions(var name) ->
                datasets.containsKey(name.value()) ? dataset(name).sealedRevision : 0;
            case Entity.Request(var id) -> {
                var version = versionsByRequest.get(id);
                yield version == null ? requestsFloor : version.begunRevision;
            }
            case Entity.Life(var name, var id) -> {
                var version = find(name, id);
                yield version == null ? 0 : version.lifeRevision;
            }
            case Entity.Pages(var name, var id) -> {
                var held = pages.get(new VersionName(name, id));
                yield held == null ? 0 : held.droppedRevision();
            }
            case Entity.Shard(var ref) -> {
                var version = find(ref.dataset(), ref.version());
                yield version == null
                        ? 0
                        : version.findShard(ref.split(), ref.shard())
                                .map(version::revisionOf)
                                .orElse(0L);
            }
            case Entity.Node(var id) -> {
                var node = nodes.get(id);
                yield node == null ? nodesFloor : node.revision;
            }
        };
    }

    void changed(Dataset dataset) {
        changedDatasets.add(dataset);
        windows.changed(dataset);
        outdated.add(new Lookup.OfDataset(dataset.name));
    }

    void changed(Version version) {
        changedVersions.add(version);
        windows.changed(version);
        outdate(version);
    }

    void changed(String id, Node node) {
        changedNodes.put(id, node);
        windows.changed(id, node);
    }

    void forgotten(Version version) {
        changedVersions.remove(version);
        windows.forgotten(version);
        outdate(version);
        store.delete(StoreKeys.version(version.begunRevision));
    }

    void forgottenNode(String id) {
        changedNodes.remove(id);
        windows.forgottenNode(id);
        store.delete(StoreKeys.node(id));
    }

    /// One that was never sealed is not the latest, and was not: what is in work leaves that one alone.
    private void outdate(Version version) {
        outdated.add(new Lookup.OfVersion(version.dataset, version.id));
        outdated.add(new Lookup.OfDataset(version.dataset));
        if (version.sealedAt != null) {
            outdated.add(new Lookup.OfLatest(version.dataset));
        }
    }

    Dataset dataset(DatasetName name) {
        var dataset = datasets.get(name.value());
        if (dataset == null) {
            throw new TarponException(ProblemType.UNKNOWN_DATASET, "there is no dataset " + name);
        }
        return dataset;
    }

    Version version(DatasetName name, VersionId id) {
        return dataset(name).version(id);
    }

    private @Nullable Version find(DatasetName name, VersionId id) {
        var dataset = datasets.get(name.value());
        return dataset == null ? null : dataset.find(id).orElse(null);
    }
}
