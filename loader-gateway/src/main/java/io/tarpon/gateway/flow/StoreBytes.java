package io.tarpon.gateway.flow;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.util.concurrent.EventExecutor;
import io.tarpon.gateway.body.Piece;
import io.tarpon.store.ObjectStore;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.util.concurrent.Executor;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/// A piece of a block as one range read of its shard in the object store.
///
/// Threads: all fields belong to the event loop, except the stream, which belongs to the one worker task in
/// flight and, where none is, to the loop. A task that comes back after [#close] finds `closed`, gives its
/// buffer back and closes the stream on a worker.
final class StoreBytes implements BlockBytes {
    private static final Logger LOG = Logger.getLogger(StoreBytes.class);

    private final ObjectStore store;
    private final Executor workers;
    private final EventExecutor loop;
    private final Runnable wake;
    private final Piece.OfBlock piece;
    private final SubBlockGate gate;
    private final int readBytes;
    private @Nullable InputStream stream;
    private @Nullable IOException failure;
    private boolean reading;
    private boolean closed;
    private long left;

    StoreBytes(
            ObjectStore store,
            Executor workers,
            EventExecutor loop,
            Piece.OfBlock piece,
            int readBytes,
            Runnable wake) {
        this.store = store;
        this.workers = workers;
        this.loop = loop;
        this.piece = piece;
        this.readBytes = readBytes;
        this.wake = wake;
        this.gate = new SubBlockGate(piece);
        this.left = (long) gate.requestTo() - gate.requestFrom();
    }

    @Override
    public @Nullable Chunk poll() {
        var ready = gate.poll();
        if (ready != null) {
            return new BufferChunk(ready);
        }
        if (!reading && failure == null && !closed && left > 0) {
            reading = true;
            workers.execute(this::read);
        }
        return null;
    }

    @Override
    public @Nullable Throwable failure() {
        return failure;
    }

    @Override
    public Origin origin() {
        return Origin.STORE;
    }

    @Override
    public void close() {
        if (!closed) {
            closed = true;
            gate.release();
            if (!reading && stream != null) {
                closeLater(stream);
            }
        }
    }

    private void read() {
        ByteBuf bytes = null;
        IOException failed = null;
        try {
            bytes = PooledByteBufAllocator.DEFAULT.directBuffer((int) Math.min(readBytes, left));
            if (stream == null) {
                stream = open();
            }
            fill(bytes, stream);
        } catch (IOException e) {
            failed = e;
        } catch (RuntimeException | Error e) {
            // Whatever it is: a response that nobody wakes stands for ever.
            failed = new IOException(e);
        }
        var result = bytes;
        var outcome = failed;
        loop.execute(() -> arrived(result, outcome));
    }

    private InputStream open() throws IOException {
        var offset = piece.layout().block(piece.block()).offset() + gate.requestFrom();
        return store.open(piece.shard().tarKey(), offset, left);
    }

    private static void fill(ByteBuf bytes, InputStream from) throws IOException {
        while (bytes.isWritable()) {
            if (bytes.writeBytes(from, bytes.writableBytes()) < 0) {
                throw new EOFException("the object ends early");
            }
        }
    }

    private void arrived(@Nullable ByteBuf bytes, @Nullable IOException failed) {
        reading = false;
        failure = failed;
        if (bytes != null && !closed && failed == null) {
            left -= bytes.readableBytes();
            offer(bytes);
        } else if (bytes != null) {
            bytes.release();
        }
        if (closed && stream != null) {
            closeLater(stream);
        } else if (!closed) {
            wake.run();
        }
    }

    private void offer(ByteBuf bytes) {
        try {
            gate.offer(bytes);
        } catch (DamagedBytesException e) {
            LOG.errorf(
                    "object store holds other bytes than were sealed shard=%s block=%d reason=%s",
                    piece.shard().ref(), piece.block(), e.getMessage());
            failure = e;
        }
    }

    private void closeLater(InputStream open) {
        stream = null;
        workers.execute(() -> {
            try {
                open.close();
            } catch (IOException e) {
                LOG.debugf(e, "store stream not closed shard=%s", piece.shard().ref());
            }
        });
    }
}
