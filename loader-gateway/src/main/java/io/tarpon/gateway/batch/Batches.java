package io.tarpon.gateway.batch;

import io.tarpon.gateway.catalog.KeySearch;
import io.tarpon.gateway.catalog.Projection;
import io.tarpon.gateway.catalog.SealedSplit;
import io.tarpon.gateway.catalog.SealedVersions;
import io.tarpon.gateway.catalog.ShardLists;
import io.tarpon.gateway.catalog.SplitLayout;
import io.tarpon.gateway.catalog.SplitLayouts;
import io.tarpon.gateway.flow.HeapBudget;
import io.tarpon.wire.metadata.VersionRecord;
import java.io.InputStream;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;

/// From the body of a batch to the tar that answers it.
///
/// Threads: any; a request in work holds a thread of the executor while it is parsed, and while its samples are
/// looked up.
public final class Batches {
    private static final int BYTES_AN_ENTRY = 16;
    private static final long BYTES_A_FIELD = 64;
    private static final int BYTES_A_KEY = 96;

    private final SealedVersions versions;
    private final ShardLists lists;
    private final SplitLayouts layouts;
    private final KeySearch keys;
    private final Executor executor;

    /// @param executor parses, and waits for shard indexes
    public Batches(SealedVersions versions, ShardLists lists, SplitLayouts layouts, KeySearch keys, Executor executor) {
        this.versions = versions;
        this.lists = lists;
        this.layouts = layouts;
        this.keys = keys;
        this.executor = executor;
    }

    /// Fails with a [io.tarpon.wire.http.TarponException].
    ///
    /// @param heap what the answer holds is charged to it; in the end no more than that is
    public CompletableFuture<BatchBytes> open(InputStream body, HeapBudget.Charge heap) {
        return CompletableFuture.supplyAsync(() -> BatchReader.read(body, heap::grow), executor)
                .thenCompose(batch -> version(batch)
                        .thenCompose(version ->
                                lists.of(version, batch.split()).thenApply(shards -> SealedSplit.of(version, shards)))
                        .thenCompose(split -> layouts.of(split.shards())
                                .thenApplyAsync(layout -> bytes(batch, split, layout, heap), executor)));
    }

    private CompletableFuture<VersionRecord> version(BatchRequest batch) {
        return batch.version() == null
                ? versions.latest(batch.dataset())
                : versions.of(batch.dataset(), batch.version());
    }

    private BatchBytes bytes(BatchRequest batch, SealedSplit split, SplitLayout layout, HeapBudget.Charge heap) {
        var projections = projections(batch, split);
        var found = find(batch, split, heap);
        var count = batch.entries().size();
        heap.grow((long) BYTES_AN_ENTRY * count);
        var ordinals = new long[count];
        var wanted = new Projection[count];
        var missing = new MissingSamples(batch, split);
        long bytes = 0;
        for (int i = 0; i < count; i++) {
            var entry = batch.entries().get(i);
            var ordinal = ordinal(entry, found);
            wanted[i] = projections.getOrDefault(batch.fieldsOf(entry), Projection.ALL);
            var isThere = ordinal >= 0 && ordinal < layout.samples();
            var length = isThere ? wanted[i].length(layout, ordinal) : 0;
            ordinals[i] = length > 0 ? ordinal : BatchBytes.MISSING;
            bytes += length;
            if (length == 0) {
                missing.add(i, entry, isThere);
            }
        }
        missing.refuseUnlessPlaceholders();
        heap.shrinkTo((long) BYTES_AN_ENTRY * count + bytesOf(projections));
        return new BatchBytes(split.shards().versionName(), layout, ordinals, wanted, count - missing.count(), bytes);
    }

    private static long bytesOf(Map<Set<String>, Projection> projections) {
        return projections.keySet().stream()
                .mapToLong(fields -> BYTES_A_FIELD * (2L + fields.size()))
                .sum();
    }

    /// One for each set of fields; a field that no sample has is refused.
    private static Map<Set<String>, Projection> projections(BatchRequest batch, SealedSplit split) {
        Map<Set<String>, Projection> projections = new HashMap<>();
        projections.put(batch.fields(), Projection.of(split, batch.fields()));
        for (var entry : batch.entries()) {
            if (!entry.fields().isEmpty()) {
                projections.computeIfAbsent(entry.fields(), fields -> Projection.of(split, fields));
            }
        }
        return projections;
    }

    /// The ordinals of all keys that are there.
    private Map<String, Long> find(BatchRequest batch, SealedSplit split, HeapBudget.Charge heap) {
        Set<String> sought = new HashSet<>();
        for (var entry : batch.entries()) {
            if (entry instanceof BatchEntry.Key named && sought.add(named.key())) {
                heap.grow(BYTES_A_KEY);
            }
        }
        return sought.isEmpty() ? Map.of() : keys.findAll(split.shards(), sought);
    }

    private static long ordinal(BatchEntry entry, Map<String, Long> found) {
        return switch (entry) {
            case BatchEntry.Ordinal numbered -> numbered.ordinal();
            case BatchEntry.Key named -> found.getOrDefault(named.key(), (long) BatchBytes.MISSING);
        };
    }
}
