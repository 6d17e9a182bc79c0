package io.tarpon.shard.assembly;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/// A member that does not fit one segment, read as one stream into one segment after the other.
///
/// Pieces are read strictly in order and never by two threads at once: the queue and `draining` are guarded by this
/// object's lock, the rest belongs to the one task
/// that drains. A task never waits for a piece that was not asked for yet, so large members cannot hold all readers
/// while the writer waits for a small one.
final class LargeMember implements Closeable {
    private static final int CHUNK_BYTES = 64 << 10;

    private final TarMember member;
    private final Inputs inputs;
    private final Executor readers;
    private final ArrayDeque<Segment> asked = new ArrayDeque<>();
    private boolean draining;

    private byte @Nullable [] chunk;
    private @Nullable InputStream in;
    private @Nullable IOException failure;
    private long dataLeft;

    LargeMember(TarMember member, Inputs inputs, Executor readers) {
        this.member = member;
        this.inputs = inputs;
        this.readers = readers;
        this.dataLeft = member.planned().size();
    }

    long tarBytes() {
        return member.tarBytes();
    }

    /// Asks for the next bytes of the member, up to the limit of the segment's buffer.
    synchronized void read(Segment segment) {
        segment.filled = new CompletableFuture<>();
        asked.add(segment);
        if (!draining) {
            draining = true;
            readers.execute(this::drain);
        }
    }

    /// Closes the stream, as the last byte does. Only when no piece is being read any more.
    @Override
    public void close() throws IOException {
        if (in != null) {
            in.close();
        }
        chunk = null;
    }

    private void drain() {
        for (var segment = poll(); segment != null; segment = poll()) {
            try {
                fill(segment);
                segment.bytes.flip();
                segment.filled.complete(null);
            } catch (IOException e) {
                failure = Inputs.named(member.planned(), e);
                segment.filled.completeExceptionally(failure);
            } catch (RuntimeException | Error e) {
                segment.filled.completeExceptionally(e);
            }
        }
    }

    private synchronized @Nullable Segment poll() {
        var next = asked.poll();
        draining = next != null;
        return next;
    }

    private void fill(Segment segment) throws IOException {
        if (failure != null) {
            throw failure;
        }
        inputs.requireRunning();
        var bytes = segment.bytes;
        if (in == null || chunk == null) {
            in = inputs.open(member.planned());
            chunk = new byte[CHUNK_BYTES];
            member.putHeader(bytes, segment.header);
        }
        copyData(in, chunk, bytes);
        if (dataLeft == 0) {
            member.putPadding(bytes);
            close();
        }
    }

    private void copyData(InputStream from, byte[] chunk, ByteBuffer bytes) throws IOException {
        while (bytes.hasRemaining() && dataLeft > 0) {
            int wanted = (int) Math.min(Math.min(chunk.length, bytes.remaining()), dataLeft);
            int count = from.read(chunk, 0, wanted);
            if (count < 0) {
                throw new IOException("the stream ended " + dataLeft + " bytes early");
            }
            bytes.put(chunk, 0, count);
            dataLeft -= count;
        }
    }
}
