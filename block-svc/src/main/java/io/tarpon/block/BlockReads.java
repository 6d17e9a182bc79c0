package io.tarpon.block;

import io.tarpon.blocks.disk.BlockFile;
import io.tarpon.blocks.disk.DamagedBlockException;
import io.tarpon.blocks.disk.OpenFiles;
import io.tarpon.wire.block.BlockId;
import io.tarpon.wire.http.ProblemType;
import io.tarpon.wire.http.TarponException;
import java.io.IOException;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/// Reading a block: from its file, else from the fill that is bringing it, else from a fill begun for it. Nothing
/// here blocks the caller; what waits for a disk or for others waits on a pool.
public final class BlockReads {
    private final OpenFiles files;
    private final Shelf shelf;
    private final RecentUse uses;
    private final ShardIndexes indexes;
    private final Fills fills;
    private final BoundedPool disk;
    private final BoundedPool lookups;
    private final BlockMetrics metrics;

    /// @param disk opens and verifies files
    /// @param lookups asks metadata-svc and the store what a block must be
    public BlockReads(
            OpenFiles files,
            Shelf shelf,
            RecentUse uses,
            ShardIndexes indexes,
            Fills fills,
            BoundedPool disk,
            BoundedPool lookups,
            BlockMetrics metrics) {
        this.files = files;
        this.shelf = shelf;
        this.uses = uses;
        this.indexes = indexes;
        this.fills = fills;
        this.disk = disk;
        this.lookups = lookups;
        this.metrics = metrics;
    }

    /// The block's bytes, for the caller to release. Fails with a [TarponException] where they cannot be had.
    public CompletionStage<BlockBytes> read(BlockRequest request) {
        var open = files.cached(request.id());
        if (open.isPresent()) {
            return CompletableFuture.completedFuture(hit(open.get()));
        }
        return disk.submit(() -> open(request.id())).thenCompose(file -> hitOrFill(request, file));
    }

    /// The same after bytes of [#read] turned out damaged: the file is examined, and filled anew if it is bad.
    public CompletionStage<BlockBytes> readAfterDamage(BlockRequest request) {
        metrics.read(BlockMetrics.Read.BAD);
        return disk.submit(() -> {
                    shelf.examine(request.id());
                    return open(request.id());
                })
                .thenCompose(file -> hitOrFill(request, file));
    }

    /// Length and presence of a block without its bytes; fills nothing.
    public CompletionStage<Described> describe(BlockRequest request) {
        return disk.submit(() -> open(request.id())).thenCompose(file -> {
            if (file.isPresent()) {
                var bytes = hit(file.get());
                bytes.release();
                return CompletableFuture.completedFuture(new Described(bytes.length(), true));
            }
            requireFill(request);
            return lookups.submit(() -> new Described(indexes.plan(request).length(), false));
        });
    }

    /// Reads a block anew that somebody found damaged, and puts it away if it is. Completes with `sound`, `damaged`
    /// or `missing`.
    public CompletionStage<String> examine(BlockId id) {
        return disk.submit(() -> shelf.examine(id).name().toLowerCase(Locale.ROOT));
    }

    /// A response of these bytes begins.
    public void served(BlockBytes bytes) {
        metrics.read(bytes.hit() ? BlockMetrics.Read.HIT : BlockMetrics.Read.MISS);
    }

    /// Somebody on this host read the block from its file himself.
    public void used(BlockId id) {
        var _ = uses.used(id);
    }

    private CompletionStage<BlockBytes> hitOrFill(BlockRequest request, Optional<BlockFile> file) {
        if (file.isPresent()) {
            return CompletableFuture.completedFuture(hit(file.get()));
        }
        requireFill(request);
        var underWay = fills.join(request.id());
        if (underWay.isPresent()) {
            return CompletableFuture.completedFuture(new FilledBytes(underWay.get()));
        }
        return lookups.submit(() -> indexes.plan(request))
                .thenApply(plan -> new FilledBytes(fills.start(plan, request.from())));
    }

    private static void requireFill(BlockRequest request) {
        if (request.from() == FillFrom.NONE) {
            throw new TarponException(
                    ProblemType.NOT_FOUND, "block " + request.id() + " is not on this node, and fill=none was asked");
        }
    }

    private BlockBytes hit(BlockFile file) {
        return new StoredBytes(file, uses.used(file.id()), disk);
    }

    /// The file if there is one that can be read; a damaged one is put away here.
    private Optional<BlockFile> open(BlockId id) throws IOException {
        var file = openSound(id);
        if (file.isEmpty()) {
            shelf.missing(id);
        }
        return file;
    }

    private Optional<BlockFile> openSound(BlockId id) throws IOException {
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
