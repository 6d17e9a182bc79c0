package io.tarpon.system;

import com.fasterxml.jackson.databind.JsonNode;
import io.tarpon.wire.Digests;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.net.NoRouteToHostException;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/// Readers of a version's shards, whole and by range, each at a loader's pace over one connection a read, and each
/// byte compared with that of the sealed shard as it comes.
///
/// A reader has several gateways, and goes on to the next one only where a connection is refused, or where it is closed
/// before the first byte of an answer. That is counted and no error. Everything else is one: a status other than 200
/// or 206, a length other than was asked for, an answer that ends early, silence for [#SILENCE], a byte that is not the
/// sealed one, and no gateway for as long as that.
final class VerifiedStreams implements AutoCloseable {
    static final Duration SILENCE = Duration.ofSeconds(30);

    /// Most of an answer is still on its way, and not in the buffers of its connection.
    private static final int RECEIVE_BYTES = 64 << 10;

    private static final int CHUNK_BYTES = 16 << 10;
    private static final int MOST_RANGE_BYTES = 1 << 20;
    private static final int MOST_HEAD_BYTES = 16 << 10;
    private static final Duration REFUSED_PAUSE = Duration.ofMillis(100);

    private final List<URI> gateways;
    private final List<Shard> shards;
    private final long bytesPerSecond;
    private final List<Thread> threads = new ArrayList<>();
    private final Queue<String> errors = new ConcurrentLinkedQueue<>();
    private final AtomicLong whole = new AtomicLong();
    private final AtomicLong ranges = new AtomicLong();
    private final AtomicLong bytes = new AtomicLong();
    private final AtomicLong refused = new AtomicLong();
    private final AtomicLong closed = new AtomicLong();
    private final AtomicLong longestSilenceNanos = new AtomicLong();
    private volatile boolean isOver;

    /// A sealed shard.
    ///
    /// @param path below a gateway
    record Shard(String path, byte[] bytes) {
        /// All of a version, each compared with its manifest.
        static List<Shard> of(Tarpon tarpon, String dataset) {
            return tarpon.shards(dataset).stream()
                    .map(shard -> read(tarpon, shard))
                    .toList();
        }

        private static Shard read(Tarpon tarpon, JsonNode shard) {
            var path = URI.create(shard.get("url").asText()).getPath();
            var bytes = tarpon.get(path).body();
            if (!Digests.sha256Hex(bytes).equals(shard.get("sha256").asText())) {
                throw new AssertionError(path + " is not the sealed shard");
            }
            return new Shard(path, bytes);
        }
    }

    /// @param bytesPerSecond of each reader, about
    VerifiedStreams(List<URI> gateways, List<Shard> shards, int readers, long bytesPerSecond) {
        this.gateways = List.copyOf(gateways);
        this.shards = List.copyOf(shards);
        this.bytesPerSecond = bytesPerSecond;
        for (int reader = 0; reader < readers; reader++) {
            var number = reader;
            threads.add(Thread.ofPlatform().name("reader-" + number).start(() -> readOn(number)));
        }
    }

    List<String> errors() {
        return List.copyOf(errors);
    }

    /// Reads that came to their end, every byte right.
    long reads() {
        return whole.get() + ranges.get();
    }

    @Override
    public String toString() {
        return "%d streams: %d shards whole, %d ranges, %.1f MiB, %d errors; connections refused %d, closed before an answer %d, longest silence %.1f s"
                .formatted(
                        threads.size(),
                        whole.get(),
                        ranges.get(),
                        bytes.get() / (double) (1 << 20),
                        errors.size(),
                        refused.get(),
                        closed.get(),
                        longestSilenceNanos.get() / 1e9);
    }

    private void readOn(int number) {
        var random = new Random(number);
        int gateway = number;
        while (!isOver) {
            var shard = shards.get(random.nextInt(shards.size()));
            int from = 0;
            int to = shard.bytes().length;
            if (random.nextBoolean()) {
                from = random.nextInt(to);
                to = Math.min(to, from + 1 + random.nextInt(MOST_RANGE_BYTES));
            }
            try {
                gateway = read(shard, from, to, gateway);
            } catch (IOException | RuntimeException e) {
                errors.add("reader " + number + ", " + shard.path() + " " + from + "-" + to + ": " + e);
            }
        }
    }

    /// Reads from the first gateway that answers; returns which.
    private int read(Shard shard, int from, int to, int firstGateway) throws IOException {
        long began = System.nanoTime();
        for (int gateway = firstGateway; ; gateway++) {
            var url = gateways.get(gateway % gateways.size());
            try (var socket = new Socket()) {
                socket.setReceiveBufferSize(RECEIVE_BYTES);
                socket.setSoTimeout((int) SILENCE.toMillis());
                var answer = asked(socket, url, shard, from, to);
                if (answer >= 0) {
                    body(socket.getInputStream(), answer, shard, from, to);
                    return gateway;
                }
            }
            if (isOver) {
                return gateway;
            }
            if (System.nanoTime() - began > SILENCE.toNanos()) {
                throw new IOException("no gateway took it for " + SILENCE.toSeconds() + " s");
            }
            LockSupport.parkNanos(REFUSED_PAUSE.toNanos());
        }
    }

    /// The first byte of an answer; negative where none came because the connection was refused or closed.
    private int asked(Socket socket, URI url, Shard shard, int from, int to) throws IOException {
        var range = "Range: bytes=" + from + "-" + (to - 1) + "\r\n";
        var request = "GET " + shard.path() + " HTTP/1.1\r\nHost: " + url.getAuthority() + "\r\nConnection: close\r\n"
                + (isWhole(shard, from, to) ? "" : range) + "\r\n";
        long began = System.nanoTime();
        try {
            socket.connect(new InetSocketAddress(url.getHost(), url.getPort()), (int) SILENCE.toMillis());
            socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
            int first = socket.getInputStream().read();
            longestSilenceNanos.accumulateAndGet(System.nanoTime() - began, Math::max);
            closed.addAndGet(first < 0 ? 1 : 0);
            return first;
        } catch (ConnectException e) {
            refused.incrementAndGet();
            return -1;
        } catch (SocketTimeoutException | NoRouteToHostException e) {
            throw new IOException("no answer", e);
        } catch (IOException e) {
            closed.incrementAndGet();
            return -1;
        }
    }

    private static boolean isWhole(Shard shard, int from, int to) {
        return from == 0 && to == shard.bytes().length;
    }

    private void body(InputStream in, int first, Shard shard, int from, int to) throws IOException {
        var whole = isWhole(shard, from, to);
        var head = head(in, first);
        if (!head.startsWith(whole ? "HTTP/1.1 200 " : "HTTP/1.1 206 ")
                || !head.toLowerCase(Locale.ROOT).contains("\r\ncontent-length: " + (to - from) + "\r\n")) {
            throw new IOException("answered " + head.lines().toList());
        }
        var chunk = new byte[CHUNK_BYTES];
        long began = System.nanoTime();
        for (int at = from; at < to && !isOver; ) {
            long asked = System.nanoTime();
            int read = in.read(chunk, 0, Math.min(chunk.length, to - at));
            longestSilenceNanos.accumulateAndGet(System.nanoTime() - asked, Math::max);
            if (read < 0) {
                throw new EOFException("ended after " + (at - from) + " bytes");
            }
            if (!Arrays.equals(chunk, 0, read, shard.bytes(), at, at + read)) {
                throw new IOException("wrong bytes from " + at + " on");
            }
            at += read;
            bytes.addAndGet(read);
            long due = began + (at - from) * 1_000_000_000L / bytesPerSecond;
            LockSupport.parkNanos(Math.max(0, due - System.nanoTime()));
        }
        if (!isOver) {
            (whole ? this.whole : ranges).incrementAndGet();
        }
    }

    private static String head(InputStream in, int first) throws IOException {
        var head = new StringBuilder().append((char) first);
        while (head.length() < 4 || !head.substring(head.length() - 4).equals("\r\n\r\n")) {
            int next = in.read();
            if (next < 0 || head.length() > MOST_HEAD_BYTES) {
                throw new EOFException("ended in the head " + head);
            }
            head.append((char) next);
        }
        return head.toString();
    }

    @Override
    public void close() {
        isOver = true;
        for (var thread : threads) {
            try {
                thread.join(SILENCE.plusSeconds(1));
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new AssertionError(e);
            }
        }
    }
}
