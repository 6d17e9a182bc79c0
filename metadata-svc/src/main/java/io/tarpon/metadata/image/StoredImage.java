package io.tarpon.metadata.image;

import io.tarpon.wire.DatasetName;
import io.tarpon.wire.VersionId;
import io.tarpon.wire.json.Json;
import io.tarpon.wire.metadata.DatasetSpec;
import io.tarpon.wire.metadata.NodeRegistration;
import io.tarpon.wire.metadata.SplitRecord;
import io.tarpon.wire.metadata.VersionRecord;
import java.io.IOException;
import java.time.Instant;
import java.util.List;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// The parts of an image as its store has them: shards as [Shard] bytes, events as [Outbox] writes them, and the
/// records of this class as JSON, under [StoreKeys]. `FORMAT` counts for all of them.
public final class StoredImage {
    /// Of everything that an image keeps in its store. A store of another format is not opened; its image is made
    /// anew from a snapshot and the log. Snapshots have this number too, and what they hold is in no log any
    /// more: a build with another number must read those of this one.
    public static final int FORMAT = 1;

    /// Of a store that is being filled from a snapshot.
    static final int UNFINISHED = -1;

    private static final byte[] FIRST = {};
    private static final byte[] LAST = {(byte) 0xff};

    private StoredImage() {}

    /// The format of the image in a store; 0 where the store is empty.
    public static int format(ImageStore store) {
        var bytes = store.get(StoreKeys.COUNTERS);
        return bytes == null ? 0 : read(bytes, Format.class).format();
    }

    /// The revision of the image in a store of this format; 0 where the store is empty.
    public static long revision(ImageStore store) {
        var bytes = store.get(StoreKeys.COUNTERS);
        return bytes == null ? 0 : read(bytes, Counters.class).revision();
    }

    /// What every format has.
    public record Format(int format) {}

    /// @param requestsFloor,nodesFloor see [Image]
    /// @param lastEntry SHA-256 of the last entry's bytes; null where that is not known
    public record Counters(
            int format,
            long revision,
            long rejected,
            long nodesRevision,
            long nodesFloor,
            long requestsFloor,
            long shards,
            @Nullable String logId,
            int level,
            long logRevision,
            Instant time,
            @Nullable String lastEntry) {
        Counters of(String otherLogId) {
            return new Counters(
                    format,
                    revision,
                    rejected,
                    nodesRevision,
                    nodesFloor,
                    requestsFloor,
                    shards,
                    otherLogId,
                    level,
                    logRevision,
                    time,
                    lastEntry);
        }
    }

    /// One dataset without its versions.
    public record OfDataset(
            DatasetName dataset,
            @Nullable DatasetSpec spec,
            long specRevision,
            long numbersRevision,
            long sealedRevision,
            int lastNumber) {}

    /// @param record as it is read, with its splits
    /// @param homes versions under whose keys some of its shards lie
    /// @param plan the number of its plan's table
    /// @param tables how many tables there ever were of it
    /// @param earlier the plan before, where something of it is remembered
    /// @param pages of plans that are half there, while it is planned
    public record OfVersion(
            VersionRecord record,
            long begunRevision,
            long lifeRevision,
            Instant livedAt,
            Instant progressAt,
            boolean collected,
            SortedSet<VersionId> homes,
            int plan,
            int tables,
            @Nullable Earlier earlier,
            @Nullable Pages pages) {}

    /// @param plans by their ids
    public record Pages(SortedMap<String, Growing> plans, long droppedRevision) {}

    /// @param table its number
    /// @param splits as far as they are there
    /// @param pages how many of it are there
    /// @param revision of the entry that brought the last of them
    public record Growing(int table, List<SplitRecord> splits, SortedSet<VersionId> homes, int pages, long revision) {}

    /// @param plan the number of its table
    /// @param positions where each split stands in that plan
    public record Earlier(int plan, List<SplitRecord> splits, List<Integer> positions, SortedSet<VersionId> homes) {}

    public record OfNode(
            String id,
            @Nullable NodeRegistration registration,
            @Nullable String incarnation,
            @Nullable Instant leftAt,
            long revision) {}

    static void load(Image image) {
        var store = image.store;
        var counters = store.get(StoreKeys.COUNTERS);
        if (counters != null && format(store) != UNFINISHED) {
            image.restore(read(counters, Counters.class));
        }
        scan(store, StoreKeys.datasets(), OfDataset.class, stored -> {
            var dataset = new Dataset(stored.dataset());
            dataset.spec = stored.spec();
            dataset.specRevision = stored.specRevision();
            dataset.numbersRevision = stored.numbersRevision();
            dataset.sealedRevision = stored.sealedRevision();
            dataset.lastNumber = stored.lastNumber();
            image.datasets.put(stored.dataset().value(), dataset);
        });
        scan(store, StoreKeys.versions(), OfVersion.class, stored -> {
            var version = version(store, stored);
            image.dataset(version.dataset).versions.put(version.id, version);
            image.versionsByRequest.put(version.requestId, version);
            if (!version.state.isEnd()) {
                image.inWork.put(version.name(), version);
            }
            if (stored.pages() != null) {
                image.pages.put(version.name(), pages(version, stored.pages()));
            }
        });
        scan(store, StoreKeys.nodes(), OfNode.class, stored -> {
            var node = new Node();
            node.registration = stored.registration();
            node.incarnation = stored.incarnation();
            node.leftAt = stored.leftAt();
            node.revision = stored.revision();
            image.nodes.put(stored.id(), node);
        });
    }

    /// Of a store of [#FORMAT]; null where it is empty.
    static @Nullable Counters counters(ImageStore.Frozen store) {
        var bytes = store.get(StoreKeys.COUNTERS);
        return bytes == null ? null : read(bytes, Counters.class);
    }

    /// Deletes everything, and says that what follows is no image yet.
    static void clear(ImageStore store) {
        store.deleteAll(FIRST, LAST);
        store.put(StoreKeys.COUNTERS, Json.bytes(new Format(UNFINISHED)));
    }

    static void put(ImageStore store, Counters counters) {
        store.put(StoreKeys.COUNTERS, Json.bytes(counters));
    }

    static void put(ImageStore store, Dataset dataset) {
        store.put(StoreKeys.dataset(dataset.name.value()), Json.bytes(stored(dataset)));
    }

    /// @param pages of plans of it that are half there; null where there are none
    static void put(ImageStore store, Version version, @Nullable HeldPages pages) {
        store.put(StoreKeys.version(version.begunRevision), Json.bytes(stored(version, pages)));
    }

    static void put(ImageStore store, String id, Node node) {
        store.put(StoreKeys.node(id), Json.bytes(stored(id, node)));
    }

    static OfDataset stored(Dataset dataset) {
        return new OfDataset(
                dataset.name,
                dataset.spec,
                dataset.specRevision,
                dataset.numbersRevision,
                dataset.sealedRevision,
                dataset.lastNumber);
    }

    static OfVersion stored(Version version, @Nullable HeldPages pages) {
        return new OfVersion(
                version.record(),
                version.begunRevision,
                version.lifeRevision,
                version.livedAt,
                version.progressAt,
                version.collected,
                version.homes,
                version.plan,
                version.tables,
                version.earlier.stored(),
                stored(pages));
    }

    static OfNode stored(String id, Node node) {
        return new OfNode(id, node.registration, node.incarnation, node.leftAt, node.revision);
    }

    private static Version version(ImageStore store, OfVersion stored) {
        var record = stored.record();
        var version = new Version(
                store,
                record.dataset(),
                record.version(),
                record.requestId(),
                record.spec(),
                record.begunAt(),
                stored.begunRevision());
        version.state = record.state();
        version.lifeRevision = stored.lifeRevision();
        version.revision = record.revision();
        version.reason = record.reason();
        version.sameAs = record.sameAs();
        version.parent = record.parent();
        version.inputs = record.inputs();
        version.planDigest = record.planDigest();
        version.digest = record.digest();
        version.order = record.order();
        version.sealedAt = record.sealedAt();
        version.livedAt = stored.livedAt();
        version.progressAt = stored.progressAt();
        version.collected = stored.collected();
        version.homes.addAll(stored.homes());
        version.plan = stored.plan();
        version.tables = stored.tables();
        var table = version.table(stored.plan());
        record.splits()
                .forEach(split -> version.splits.put(split.name(), new Split(split, table, version.splits.size())));
        var earlier = stored.earlier();
        if (earlier != null) {
            version.earlier = EarlierShards.of(version.table(earlier.plan()), earlier);
        }
        return version;
    }

    private static @Nullable Pages stored(@Nullable HeldPages pages) {
        if (pages == null) {
            return null;
        }
        var plans = new TreeMap<String, Growing>();
        pages.plans().forEach((id, held) -> {
            var plan = held.plan();
            var splits = plan.splits.values().stream().map(Split::record).toList();
            plans.put(id, new Growing(plan.table.plan(), splits, plan.homes, held.pages(), held.revision()));
        });
        return new Pages(plans, pages.droppedRevision());
    }

    private static HeldPages pages(Version version, Pages stored) {
        var plans = new TreeMap<String, HeldPages.Held>();
        stored.plans().forEach((id, growing) -> {
            var plan = new GrowingPlan(version.table(growing.table()));
            growing.splits()
                    .forEach(split -> plan.splits.put(split.name(), new Split(split, plan.table, plan.splits.size())));
            plan.homes.addAll(growing.homes());
            plans.put(id, new HeldPages.Held(plan, growing.pages(), growing.revision()));
        });
        return new HeldPages(plans, stored.droppedRevision());
    }

    private static <T> void scan(ImageStore store, byte[] prefix, Class<T> type, Consumer<T> take) {
        store.scan(prefix, StoreKeys.after(prefix), (_, value) -> {
            take.accept(read(value, type));
            return true;
        });
    }

    static <T> T read(byte[] value, Class<T> type) {
        try {
            return Json.read(value, type);
        } catch (IOException e) {
            throw new IllegalStateException(
                    "the image that was kept cannot be read, its " + type.getSimpleName() + ": " + e.getMessage(), e);
        }
    }
}
