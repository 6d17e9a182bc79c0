package io.tarpon.shard.assembly;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/// A member that does not fit one segment, read as one stream into one segment after the other.
///
/// Pieces are read strictly in order and never by two threads at once: the queue, `draining` and `abandoned` are
/// guarded by this object's lock, the rest belongs to the one task that drains or, while none does, to the writer. The
/// stream ends with the last byte, with the first failure, or when nobody wants it any more. A task never waits for a
/// piece that was not asked for yet, so large members cannot hold all readers
/// while the writer waits for a small one.
final class LargeMember implements Closeable {
    private static final Logger LOG = Logger.getLogger(LargeMember.class);
    private static final int CHUNK_BYTES = 64 << 10;

    private final TarMember member;
    private final Inputs inputs;
    private final Executor readers;
    private final ArrayDeque<Segment> asked = new ArrayDeque<>();
    private boolean draining;
    private boolean abandoned;

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
        var open = in;
        in = null;
        chunk = null;
        if (open != null) {
            open.close();
        }
    }

    /// As [#close], but while pieces may still be read: then whoever reads them closes the stream after the last that
    /// was asked for. Waits for nobody; no piece may be asked for afterwards.
    synchronized void abandon() {
        abandoned = true;
        if (!draining) {
            closeUnread();
        }
    }

    private void drain() {
        for (var segment = poll(); segment != null; segment = poll()) {
            try {
                fill(segment);
                segment.bytes.flip();
                segment.filled.complete(null);
            } catch (IOException e) {
                failed(segment, Inputs.named(member.planned(), e));
            } catch (RuntimeException | Error e) {
                failed(segment, e);
            }
        }
    }

    private synchronized @Nullable Segment poll() {
        var next = asked.poll();
        draining = next != null;
        if (abandoned && !draining) {
            closeUnread();
        }
        return next;
    }

    /// No further byte of the member can be had; the writer is told once the stream is closed.
    private void failed(Segment segment, Throwable why) {
        failure = why instanceof IOException e ? e : new IOException("the member was given up", why);
        closeUnread();
        segment.filled.completeExceptionally(why);
    }

    /// Nobody wants the rest of the stream, so it does not matter how it ends.
    private void closeUnread() {
        try {
            close();
        } catch (IOException | RuntimeException e) {
            LOG.debugf("stream not closed key=%s error=%s", member.planned().sourceKey(), e.getMessage());
        }
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
