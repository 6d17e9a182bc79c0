package io.tarpon.gateway.disk;

import io.netty.util.concurrent.EventExecutor;
import io.tarpon.blocks.disk.BlockFile;
import io.tarpon.blocks.disk.DamagedBlockException;
import io.tarpon.blocks.disk.KnownFolders;
import io.tarpon.blocks.disk.OpenFiles;
import io.tarpon.gateway.body.Piece;
import io.tarpon.gateway.flow.BlockBytes;
import io.tarpon.gateway.flow.Chunk;
import io.tarpon.wire.block.BlockFileHeader;
import io.tarpon.wire.metadata.NodeRecord;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/// A piece of a block out of its file. What was not checked since the file was opened is checked first, a step ahead of
/// what is sent.
///
/// Threads: all fields belong to the event loop. A worker opens the file or checks a step of it, one task at a
/// time, and comes back through the loop; where it finds `closed` it gives back what it opened. The task holds a
/// reference of the file of its own, because [#close] may come while it reads.
///
/// A worker that waits for its disk for too long is not waited for: the piece fails and goes on from another source,
/// and while the disk counts as slow, or too much waits for it, it is not asked at all.
final class LocalBytes implements BlockBytes {
    private static final Logger LOG = Logger.getLogger(LocalBytes.class);
    private static final int STEP_BYTES = 1 << 20;
    private static final int SMALL_BYTES = 64 << 10;

    private final OpenFiles files;
    private final KnownFolders folders;
    private final DiskLanes lanes;
    private final EventExecutor loop;
    private final NodeRecord node;
    private final Piece.OfBlock piece;
    private final Runnable wake;
    private final Consumer<Piece.OfBlock> onDamaged;
    private @Nullable BlockFile file;
    private @Nullable IOException failure;
    private boolean working;
    private long workingSince;
    private DiskLanes.@Nullable Lane lane;
    private boolean closed;
    private int position;

    /// @param onDamaged is told when the file is not what was sealed
    LocalBytes(
            OpenFiles files,
            KnownFolders folders,
            DiskLanes lanes,
            EventExecutor loop,
            NodeRecord node,
            Piece.OfBlock piece,
            Runnable wake,
            Consumer<Piece.OfBlock> onDamaged) {
        this.files = files;
        this.folders = folders;
        this.lanes = lanes;
        this.loop = loop;
        this.node = node;
        this.piece = piece;
        this.wake = wake;
        this.onDamaged = onDamaged;
        this.position = piece.from();
        this.file = files.cached(piece.blockId()).orElse(null);
        if (file == null) {
            work("node " + node.id(), by -> by.workers().execute(() -> open(by)));
        } else {
            check(file, position);
        }
    }

    /// Has a worker of a lane do something, unless that is slow or full.
    private void work(String laneName, Consumer<DiskLanes.Lane> task) {
        var of = lanes.of(laneName);
        if (of.isSlow()) {
            failure = new IOException("the disk of " + of + " is slow");
            return;
        }
        if (of.isFull()) {
            failure = new IOException("too much waits for the disk of " + of);
            return;
        }
        lane = of;
        working = true;
        workingSince = System.nanoTime();
        task.accept(of);
    }

    @Override
    public void look(long nanos) {
        var waited = nanos - workingSince;
        if (working && !closed && failure == null && waited >= lanes.timeoutNanos()) {
            var time = Duration.ofNanos(waited);
            failure = new IOException("the disk did not answer for " + time.toMillis() + " ms");
            if (lane != null && lane.wasSlow(time)) {
                LOG.warnf("disk is slow, other sources are asked folder=%s waited=%s", lane, time);
            }
            loop.execute(wake);
        }
    }

    @Override
    public @Nullable Chunk poll() {
        if (file == null || closed || failure != null || position == piece.to()) {
            return null;
        }
        var end = stepEnd(position);
        if (!file.isVerified(position, end)) {
            check(file, position);
            return null;
        }
        if (!isWhole(file)) {
            leaveCut(file);
            return null;
        }
        var chunk = new RegionChunk(file.retain(), position, end - position);
        position = end;
        check(file, position);
        return chunk;
    }

    @Override
    public @Nullable Throwable failure() {
        return failure;
    }

    @Override
    public Origin origin() {
        return Origin.LOCAL;
    }

    @Override
    public void close() {
        closed = true;
        if (file != null) {
            file.release();
            file = null;
        }
    }

    /// A look for each of many small samples would cost a tenth of sending them. One that was cut in the moment between
    /// fails the write, and the connection breaks wherever it is.
    private boolean isWhole(BlockFile open) {
        return piece.sample() >= 0 && piece.length() <= SMALL_BYTES ? open.wasWhole() : open.isWhole();
    }

    /// The file was cut by others since it was opened: the next source goes on from here.
    private void leaveCut(BlockFile cut) {
        files.forget(cut);
        failure = new DamagedBlockException(cut.path(), DamagedBlockException.WHOLE_FILE, "it was cut while open");
        onDamaged.accept(piece);
        loop.execute(wake);
    }

    private int stepEnd(int from) {
        return Math.min(piece.to(), from + STEP_BYTES);
    }

    /// Has the step that begins at `from` checked, unless it is or something is being checked.
    private void check(BlockFile open, int from) {
        var end = stepEnd(from);
        if (working || failure != null || from == end || open.isVerified(from, end)) {
            return;
        }
        work(folder(open), by -> by.checks().submit(open, from, end, loop, failed -> verified(open, failed)));
    }

    private void open(DiskLanes.Lane by) {
        BlockFile opened = null;
        IOException failed = null;
        try {
            opened = openWhereItLies(by.workers());
        } catch (IOException e) {
            failed = e;
        } catch (RuntimeException | Error e) {
            // Also a page of the layout that cannot be read: a response that nobody wakes stands for ever.
            failed = new IOException(e);
        }
        var result = opened;
        var outcome = failed;
        loop.execute(() -> opened(result, outcome));
    }

    /// Where it belongs, or did before the node's last folder came; the node finds it wherever it is.
    private BlockFile openWhereItLies(Executor workers) throws IOException {
        for (var path : folders.places(node.registration().dataDirs(), piece.blockId())) {
            try {
                return files.open(piece.blockId(), path, at -> open(at, workers));
            } catch (NoSuchFileException e) {
                LOG.debugf("no block file path=%s", path);
            }
        }
        throw new NoSuchFileException(piece.blockId().hex());
    }

    /// The data folder, two levels above its files.
    private static String folder(BlockFile open) {
        var folder = open.path().getParent();
        var above = folder == null ? null : folder.getParent();
        return above == null ? "" : above.toString();
    }

    private BlockFile open(Path path, Executor workers) throws IOException {
        return BlockFile.open(path, BlockFileHeader.of(piece.layout(), piece.block()))
                .closedOn(workers);
    }

    private void opened(@Nullable BlockFile result, @Nullable IOException failed) {
        worked();
        if (closed) {
            if (result != null) {
                result.release();
            }
            return;
        }
        file = result;
        if (result != null) {
            check(result, position);
        }
        end(failed);
    }

    private void verified(BlockFile checked, @Nullable IOException failed) {
        worked();
        if (failed != null) {
            files.forget(checked);
        }
        if (!closed) {
            end(failed);
        }
    }

    /// The disk answered, in time or not.
    private void worked() {
        working = false;
        if (lane != null && System.nanoTime() - workingSince < lanes.timeoutNanos()) {
            lane.worked();
        }
    }

    private void end(@Nullable IOException failed) {
        if (failure == null) {
            failure = failed;
        }
        if (failed instanceof DamagedBlockException) {
            onDamaged.accept(piece);
        }
        wake.run();
    }
}
