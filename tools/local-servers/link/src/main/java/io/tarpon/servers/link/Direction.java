package io.tarpon.servers.link;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Supplier;

/// One direction of one connection: bytes come out in order, each no earlier than its delay after it went in,
/// and no faster than the link is wide.
///
/// Two threads share it, the reader fills the queue and the writer empties it. The queue holds 128 chunks: a link with
/// latency carries at most 8 MiB per delay time, and the reader waits (so the sender feels it) when it is full.
final class Direction {
    private static final int QUEUED_CHUNKS = 128;
    private static final int LARGEST_CHUNK = 64 << 10;
    /// A narrow link hands out a fiftieth of a second at once, else it would stand still between bursts.
    private static final int CHUNKS_PER_SECOND = 50;

    /// A sleep ends late by a part of what a chunk takes on a wide link. So much is made up for; what a slow receiver
    /// holds up for longer is not.
    private static final long MOST_LATE_NANOS = 5_000_000;

    /// No bytes: the sender has finished.
    private record Chunk(ByteBuffer bytes, long dueNanos) {}

    /// What the link is like now, for this direction.
    record Pace(long latencyNanos, long bytesPerSecond, long breakAfterBytes) {}

    /// The connection has carried all it was allowed to.
    static final class Broken extends IOException {
        private static final long serialVersionUID = 1L;

        Broken(long bytes) {
            super("broken as asked after " + bytes + " bytes");
        }
    }

    private final Supplier<Pace> pace;
    private final LongAdder carriedBytes;
    private final BlockingQueue<Chunk> queue = new ArrayBlockingQueue<>(QUEUED_CHUNKS);

    /// @param carriedBytes counts what came out; others add to it too
    Direction(Supplier<Pace> pace, LongAdder carriedBytes) {
        this.pace = pace;
        this.carriedBytes = carriedBytes;
    }

    /// Returns when the sender has finished, and has told the writer so.
    void read(InputStream in) throws IOException, InterruptedException {
        byte[] buffer = new byte[LARGEST_CHUNK];
        while (true) {
            int length = in.read(buffer, 0, chunkBytes(pace.get()));
            byte[] bytes = Arrays.copyOf(buffer, Math.max(length, 0));
            queue.put(new Chunk(
                    ByteBuffer.wrap(bytes), System.nanoTime() + pace.get().latencyNanos()));
            if (length < 0) {
                return;
            }
        }
    }

    /// Returns when everything the sender sent is written.
    void write(OutputStream out) throws IOException, InterruptedException {
        long written = 0;
        long freeAtNanos = System.nanoTime();
        while (true) {
            Chunk chunk = queue.take();
            if (!chunk.bytes().hasRemaining()) {
                await(chunk.dueNanos());
                return;
            }
            long startNanos = later(chunk.dueNanos(), freeAtNanos);
            await(startNanos);
            Pace now = pace.get();
            int allowed = allowed(now, written, chunk.bytes().remaining());
            // Before the write: who has read a byte finds it counted.
            carriedBytes.add(allowed);
            out.write(chunk.bytes().array(), 0, allowed);
            written += allowed;
            if (now.breakAfterBytes() > 0 && written >= now.breakAfterBytes()) {
                throw new Broken(written);
            }
            freeAtNanos = later(startNanos, System.nanoTime() - MOST_LATE_NANOS) + transferNanos(now, allowed);
        }
    }

    private static int allowed(Pace pace, long written, int length) {
        return pace.breakAfterBytes() == 0 ? length : Math.clamp(pace.breakAfterBytes() - written, 0, length);
    }

    private static int chunkBytes(Pace pace) {
        return pace.bytesPerSecond() == 0
                ? LARGEST_CHUNK
                : Math.clamp(pace.bytesPerSecond() / CHUNKS_PER_SECOND, 1, LARGEST_CHUNK);
    }

    private static long transferNanos(Pace pace, int bytes) {
        return pace.bytesPerSecond() == 0 ? 0 : TimeUnit.SECONDS.toNanos(bytes) / pace.bytesPerSecond();
    }

    private static long later(long nanos, long others) {
        return nanos - others >= 0 ? nanos : others;
    }

    private static void await(long nanos) throws InterruptedException {
        TimeUnit.NANOSECONDS.sleep(nanos - System.nanoTime());
    }
}
