package io.tarpon.block;

import io.tarpon.block.Disks.Opened;
import io.tarpon.block.disk.DataFolder.Soundness;
import io.tarpon.block.disk.DiskFaults;
import io.tarpon.blocks.disk.BlockFile;
import io.tarpon.blocks.disk.DamagedBlockException;
import io.tarpon.wire.block.BlockId;
import io.tarpon.wire.http.ProblemType;
import io.tarpon.wire.http.TarponException;
import java.io.IOException;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/// Reading a block: from its file, else from the fill that is bringing it, else from a fill begun for it. Nothing
/// here blocks the caller; what waits for a disk or for others waits on a pool. A disk that fails or does not answer in
/// time is passed over: its blocks are looked for on the others, and filled onto them.
public final class BlockReads {
    private final Disks disks;
    private final ShardIndexes indexes;
    private final Fills fills;
    private final BoundedPool finder;
    private final BoundedPool lookups;
    private final BlockMetrics metrics;

    /// @param finder asks the indexes of the disks where a block is that is not where it belongs
    /// @param lookups asks metadata-svc and the store what a block must be
    BlockReads(
            Disks disks,
            ShardIndexes indexes,
            Fills fills,
            BoundedPool finder,
            BoundedPool lookups,
            BlockMetrics metrics) {
        this.disks = disks;
        this.indexes = indexes;
        this.fills = fills;
        this.finder = finder;
        this.lookups = lookups;
        this.metrics = metrics;
    }

    /// The block's bytes, for the caller to release. Fails with a [TarponException] where they cannot be had.
    public CompletionStage<BlockBytes> read(BlockRequest request) {
        var open = disks.cached(request.id());
        if (open.isPresent()) {
            return CompletableFuture.completedFuture(hit(open.get()));
        }
        return find(request.id(), Set.of()).thenCompose(found -> hitOrFill(request, found));
    }

    /// The same after bytes of [#read] could not be read: a file that is damaged is put away, and a disk that failed or
    /// did not answer is passed over.
    public CompletionStage<BlockBytes> readAfterFailure(BlockRequest request, BlockBytes failed, Throwable failure) {
        if (!(failed instanceof StoredBytes stored)) {
            return CompletableFuture.failedFuture(failure);
        }
        var disk = stored.disk();
        if (!(failure instanceof DamagedBlockException)) {
            return find(request.id(), Set.of(disk)).thenCompose(found -> hitOrFill(request, found));
        }
        metrics.read(BlockMetrics.Read.BAD);
        return disk.reading()
                .submit(() -> disk.shelf().examine(request.id()), _ -> {})
                .handle((_, again) -> again == null ? Set.<Disk>of() : Set.of(disk))
                .thenCompose(without -> find(request.id(), without))
                .thenCompose(found -> hitOrFill(request, found));
    }

    /// Length and presence of a block without its bytes; fills nothing.
    public CompletionStage<Described> describe(BlockRequest request) {
        return find(request.id(), Set.of()).thenCompose(found -> {
            if (found.isPresent()) {
                var bytes = hit(found.get());
                bytes.release();
                return CompletableFuture.completedFuture(new Described(bytes.length(), true));
            }
            requireFill(request);
            return plan(request).thenApply(plan -> new Described(plan.length(), false));
        });
    }

    /// Reads a block anew that somebody found damaged, and puts it away if it is. Completes with `sound`, `damaged`
    /// or `missing`: damaged where any of its files was.
    public CompletionStage<String> examine(BlockId id) {
        return finder.submit(() -> disks.holding(id))
                .thenCompose(holding -> examine(id, holding.isEmpty() ? disks.ranked(id) : holding))
                .thenApply(found -> found.name().toLowerCase(Locale.ROOT));
    }

    /// A response of these bytes begins.
    public void served(BlockBytes bytes) {
        metrics.read(bytes.hit() ? BlockMetrics.Read.HIT : BlockMetrics.Read.MISS);
    }

    /// Somebody on this host read the block from its file himself.
    public void used(BlockId id) {
        disks.used(id);
    }

    private static CompletableFuture<Soundness> examine(BlockId id, List<Disk> holding) {
        var found = CompletableFuture.completedFuture(Soundness.MISSING);
        for (var disk : holding) {
            var here = disk.reading().submit(() -> disk.shelf().examine(id), _ -> {});
            found = found.thenCombine(here, BlockReads::worse);
        }
        return found;
    }

    private static Soundness worse(Soundness one, Soundness other) {
        if (one == Soundness.DAMAGED || other == Soundness.DAMAGED) {
            return Soundness.DAMAGED;
        }
        return one == Soundness.SOUND ? one : other;
    }

    private CompletionStage<BlockBytes> hitOrFill(BlockRequest request, Optional<Opened> found) {
        if (found.isPresent()) {
            return CompletableFuture.completedFuture(hit(found.get()));
        }
        requireFill(request);
        var underWay = fills.join(request.id());
        if (underWay.isPresent()) {
            return CompletableFuture.completedFuture(new FilledBytes(underWay.get()));
        }
        return plan(request).thenApply(plan -> new FilledBytes(fills.start(plan, request.from())));
    }

    /// What is known needs no turn among those who ask others: they may wait for long.
    private CompletionStage<BlockPlan> plan(BlockRequest request) {
        var known = indexes.known(request);
        return known.isPresent()
                ? CompletableFuture.completedFuture(known.get())
                : lookups.submit(() -> indexes.plan(request));
    }

    private static void requireFill(BlockRequest request) {
        if (request.from() == FillFrom.NONE) {
            throw new TarponException(
                    ProblemType.NOT_FOUND, "block " + request.id() + " is not on this node, and fill=none was asked");
        }
    }

    private static BlockBytes hit(Opened open) {
        open.disk().uses().used(open.file().id());
        return new StoredBytes(open.file(), open.disk());
    }

    /// The block's open file: from where it belongs, which needs one question, else from wherever an index has it.
    private CompletionStage<Optional<Opened>> find(BlockId id, Set<Disk> without) {
        var ranked = disks.ranked(id);
        if (without.isEmpty() && !ranked.isEmpty() && !ranked.getFirst().isResting()) {
            var first = ranked.getFirst();
            return tryOpen(first, id)
                    .thenCompose(found -> found.isPresent() || ranked.size() == 1
                            ? CompletableFuture.completedFuture(found)
                            : search(id, Set.of(first)));
        }
        return ranked.isEmpty() ? CompletableFuture.completedFuture(Optional.empty()) : search(id, without);
    }

    private CompletionStage<Optional<Opened>> search(BlockId id, Set<Disk> without) {
        return finder.submit(() -> disks.holding(id).stream()
                        .filter(disk -> !without.contains(disk))
                        .iterator())
                .thenCompose(holding -> next(id, holding));
    }

    private CompletionStage<Optional<Opened>> next(BlockId id, Iterator<Disk> holding) {
        if (!holding.hasNext()) {
            return CompletableFuture.completedFuture(Optional.empty());
        }
        return tryOpen(holding.next(), id)
                .thenCompose(found -> found.isPresent() ? CompletableFuture.completedFuture(found) : next(id, holding));
    }

    /// Empty where the disk does not have the block, fails, or does not answer in time.
    private CompletionStage<Optional<Opened>> tryOpen(Disk disk, BlockId id) {
        return disk.reading()
                .submit(
                        () -> open(disk, id),
                        late -> late.ifPresent(opened -> opened.file().release()))
                .exceptionallyCompose(failure -> failure instanceof IOException e && DiskFaults.areOf(e)
                        ? CompletableFuture.completedFuture(Optional.empty())
                        : CompletableFuture.failedFuture(failure));
    }

    /// The file if there is one that can be read; a damaged one is put away here.
    private Optional<Opened> open(Disk disk, BlockId id) throws IOException {
        var file = openSound(disk.shelf(), id);
        if (file.isEmpty()) {
            disk.shelf().missing(id);
        }
        return file.map(open -> new Opened(open, disk));
    }

    private Optional<BlockFile> openSound(Shelf shelf, BlockId id) throws IOException {
        try {
            return shelf.open(id);
        } catch (DamagedBlockException e) {
            metrics.read(BlockMetrics.Read.BAD);
            shelf.examine(id);
            return shelf.open(id);
        }
    }

    /// @param hit whether the block is here
    public record Described(long length, boolean hit) {}
}
