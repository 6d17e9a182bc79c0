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

/// A piece of a block out of its file. The loop only ever sends what a worker has made ready: checked since the
/// file was opened, read a moment ago, so that `sendfile` finds it in the page cache and waits for no disk, and of
/// a file that was whole a moment ago. A worker makes the next step ready while one is sent.
///
/// Threads: all fields belong to the event loop. A worker opens the file or makes a step of it ready, one task at a
/// time, and comes back through the loop; where it finds `closed` it gives back what it opened. The task holds a
/// reference of the file of its own, because [#close] may come while it reads.
///
/// A worker that waits for its disk for too long is not waited for: the piece fails and goes on from another source,
/// and while the disk counts as slow, or too much waits for it, it is not asked at all.
final class LocalBytes implements BlockBytes {
    private static final Logger LOG = Logger.getLogger(LocalBytes.class);
    private static final int STEP_BYTES = 1 << 20;

    /// A worker for each of many small parts would cost more than sending them, so what was made ready for others
    /// a moment ago counts for these.
    private static final int SMALL_BYTES = 128 << 10;

    /// For how long that is ready which a worker made ready for this piece. Short, because nobody notices a file
    /// that others cut in between: that fails the write, and the connection breaks wherever it is. The first piece
    /// in line is polled by the wake that tells it, however late that comes.
    private static final long READY_NANOS = 50_000_000;

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

    /// The end of what a worker made ready for this piece, and when that was told.
    private int readyTo;

    private long readyNanos;

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
        if (!isReady(file, position, end)) {
            check(file, position);
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

    /// Whether a worker made these bytes ready, a moment ago, for this piece or a small one for any.
    private boolean isReady(BlockFile open, int from, int end) {
        if (end <= readyTo && System.nanoTime() - readyNanos < READY_NANOS) {
            return true;
        }
        return isSmall() && open.isVerified(from, end) && open.isWarm(from, end) && open.wasWhole();
    }

    /// Where a block is read from its beginning on, as by those who read all of it, its file is looked at each time.
    private boolean isSmall() {
        return piece.length() <= SMALL_BYTES && (piece.sample() >= 0 || piece.from() > 0);
    }

    private int stepEnd(int from) {
        return Math.min(piece.to(), from + STEP_BYTES);
    }

    /// Has the step that begins at `from` made ready, unless it is or something is being made ready; and with it all
    /// of the piece, where that needs no disk.
    private void check(BlockFile open, int from) {
        var step = stepEnd(from);
        if (working || failure != null || from == step || isReady(open, from, step)) {
            return;
        }
        var end = open.isVerified(from, piece.to()) && open.isWarm(from, piece.to()) ? piece.to() : step;
        work(folder(open), by -> by.checks().submit(open, from, end, loop, failed -> checked(open, end, failed)));
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

    private void checked(BlockFile open, int to, @Nullable IOException failed) {
        worked();
        if (failed == null) {
            readyTo = to;
            readyNanos = System.nanoTime();
        } else {
            files.forget(open);
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
