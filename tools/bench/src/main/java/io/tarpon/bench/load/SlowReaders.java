package io.tarpon.bench.load;

import io.tarpon.cluster.Pause;
import java.io.IOException;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/// Many connections whose reader takes its answer drop by drop, as a training job does that computes between two reads.
///
/// One thread reads for all of them, a twentieth each 50 ms; the counts are written by it alone.
public final class SlowReaders implements AutoCloseable {
    /// Small, so that the kernel takes no more on the reader's behalf than it must.
    private static final int RECEIVE_BUFFER_BYTES = 4 << 10;

    private static final byte[] GOOD = "HTTP/1.1 200".getBytes(StandardCharsets.US_ASCII);
    private static final int PARTS = 20;
    private static final Duration PART = Duration.ofMillis(50);
    private static final Duration START_PATIENCE = Duration.ofSeconds(30);

    private final List<SocketChannel> channels = new ArrayList<>();
    private final ByteBuffer drop;
    private final boolean[] begun;
    private final Thread thread;
    private final AtomicInteger served = new AtomicInteger();
    private final AtomicInteger ended = new AtomicInteger();
    private volatile boolean closed;

    /// @param requests of each reader
    /// @param bytesPerSecond that each reader takes
    public SlowReaders(String url, IntFunction<Request> requests, int readers, int bytesPerSecond) throws IOException {
        this.drop = ByteBuffer.allocateDirect(bytesPerSecond);
        this.begun = new boolean[readers];
        this.thread = Thread.ofPlatform().daemon().name("slow-readers").unstarted(this::readAll);
        try {
            for (int i = 0; i < readers; i++) {
                channels.add(asked(url, requests.apply(i)));
            }
        } catch (IOException e) {
            closeAll();
            throw e;
        }
    }

    private static SocketChannel asked(String url, Request request) throws IOException {
        var channel = SocketChannel.open();
        try {
            channel.setOption(StandardSocketOptions.SO_RCVBUF, RECEIVE_BUFFER_BYTES);
            channel.connect(HttpConnection.address(url));
            channel.write(request.wire().duplicate());
            channel.configureBlocking(false);
            return channel;
        } catch (IOException e) {
            channel.close();
            throw e;
        }
    }

    /// Begins to read. Returns when every reader has the first bytes of its answer, or some have waited too long for
    /// them; how many still wait.
    public int start() {
        thread.start();
        var deadline = System.nanoTime() + START_PATIENCE.toNanos();
        while (waiting() > 0 && System.nanoTime() - deadline < 0) {
            Pause.of(PART);
        }
        return waiting();
    }

    /// Readers that have had no byte so far.
    public int waiting() {
        return channels.size() - served.get() - ended.get();
    }

    /// Readers that the server refused, or whose connection it ended.
    public int ended() {
        return ended.get();
    }

    private void readAll() {
        var open = new ArrayList<@Nullable SocketChannel>(channels);
        for (int part = 0; !closed; part = (part + 1) % PARTS) {
            for (int i = part; i < open.size(); i += PARTS) {
                read(open, i);
            }
            try {
                Thread.sleep(PART);
            } catch (InterruptedException e) {
                return;
            }
        }
    }

    private void read(List<@Nullable SocketChannel> open, int index) {
        var channel = open.get(index);
        if (channel == null) {
            return;
        }
        if (!isServed(channel, begun[index])) {
            open.set(index, null);
            // Who was served first and ended later counts as ended, not twice.
            if (begun[index]) {
                served.decrementAndGet();
            }
            ended.incrementAndGet();
        } else if (drop.position() > 0 && !begun[index]) {
            begun[index] = true;
            served.incrementAndGet();
        }
    }

    /// Takes a drop, which may be nothing yet.
    private boolean isServed(SocketChannel channel, boolean hasBegun) {
        try {
            int read = channel.read(drop.clear());
            return read == 0 || (read > 0 && (hasBegun || beginsWell()));
        } catch (IOException e) {
            return false;
        }
    }

    private boolean beginsWell() {
        for (int i = 0; i < Math.min(drop.position(), GOOD.length); i++) {
            if (drop.get(i) != GOOD[i]) {
                return false;
            }
        }
        return true;
    }

    @Override
    public void close() {
        closed = true;
        thread.interrupt();
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        closeAll();
    }

    private void closeAll() {
        for (var channel : channels) {
            try {
                channel.close();
            } catch (IOException e) {
                // It was to go anyway.
            }
        }
    }
}
