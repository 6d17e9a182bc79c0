package io.tarpon.bench.load;

import java.io.EOFException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.function.Consumer;
import java.util.zip.CRC32C;

/// One kept-alive connection. Answers are read into one buffer and dropped there; their status, their length and, where
/// asked, their CRC are checked. Owned by one thread; another may close it to end a read that takes too long.
public final class HttpConnection implements AutoCloseable {
    private static final int BUFFER_BYTES = 256 << 10;
    private static final int NARROW_BYTES = 4 << 10;
    private static final int FIRST_WORDS = 500;

    private final SocketChannel channel;
    private final ByteBuffer buffer = ByteBuffer.allocateDirect(BUFFER_BYTES);

    private HttpConnection(SocketChannel channel) {
        this.channel = channel;
    }

    /// @param url `http://host:port`
    public static HttpConnection open(String url) throws IOException {
        var channel = SocketChannel.open(address(url));
        channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
        return new HttpConnection(channel);
    }

    /// One that takes hardly more of an answer than is read of it, for who reads only its beginning.
    public static HttpConnection openNarrow(String url) throws IOException {
        var channel = SocketChannel.open();
        try {
            // Before it is connected: then it bounds the window.
            channel.setOption(StandardSocketOptions.SO_RCVBUF, NARROW_BYTES);
            channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
            channel.connect(address(url));
            return new HttpConnection(channel);
        } catch (IOException e) {
            channel.close();
            throw e;
        }
    }

    static InetSocketAddress address(String url) {
        var uri = URI.create(url);
        return new InetSocketAddress(uri.getHost(), uri.getPort());
    }

    /// What an answer was.
    ///
    /// @param bodyBytes its length
    /// @param nanosToFirstByte from before the request was sent to when the first byte of the body was there
    public record Timed(long bodyBytes, long nanosToFirstByte) {}

    /// Sends the request and reads its whole answer; returns the length of the body.
    public long exchange(Request request) throws IOException {
        return timed(request).bodyBytes();
    }

    public Timed timed(Request request) throws IOException {
        var began = System.nanoTime();
        var head = ask(request);
        var nanos = System.nanoTime() - began;
        if (request.crc32c().isPresent()) {
            checkBody(head, request.crc32c().getAsInt());
        } else {
            dropBody(head);
        }
        return new Timed(head.contentLength(), nanos);
    }

    /// As [#exchange], with every part of the body shown to `taker`, who does not keep it.
    public long exchange(Request request, Consumer<ByteBuffer> taker) throws IOException {
        var head = ask(request);
        takeBody(head, taker);
        return head.contentLength();
    }

    /// Sends the request and reads no more of its answer than there is when its body begins, so that all one
    /// can do then is to close the connection.
    public Timed begin(Request request) throws IOException {
        var began = System.nanoTime();
        var head = ask(request);
        return new Timed(head.contentLength(), System.nanoTime() - began);
    }

    /// Reads until the first bytes of the body are there.
    private AnswerHead ask(Request request) throws IOException {
        var wire = request.wire().duplicate();
        while (wire.hasRemaining()) {
            channel.write(wire);
        }
        var head = readHead();
        while (head.contentLength() > 0 && buffer.position() == head.headBytes()) {
            read("before its body");
        }
        if (head.status() != request.status()) {
            throw new IOException(
                    "answered " + head.status() + " where " + request.status() + " was expected: " + firstWords(head));
        }
        if (request.length().isPresent() && request.length().getAsLong() != head.contentLength()) {
            throw new IOException("an answer of " + head.contentLength() + " bytes where "
                    + request.length().getAsLong() + " were expected");
        }
        return head;
    }

    private AnswerHead readHead() throws IOException {
        buffer.clear();
        while (true) {
            read("before its head was whole");
            var head = AnswerHead.parse(buffer, buffer.position());
            if (head.isPresent()) {
                return head.get();
            }
            if (!buffer.hasRemaining()) {
                throw new IOException("the answer's head has more than " + BUFFER_BYTES + " bytes");
            }
        }
    }

    /// What came of the body together with the head: a problem is short.
    private String firstWords(AnswerHead head) {
        var bytes = new byte[Math.min(buffer.position() - head.headBytes(), FIRST_WORDS)];
        buffer.get(head.headBytes(), bytes);
        return new String(bytes, StandardCharsets.UTF_8);
    }

    private void dropBody(AnswerHead head) throws IOException {
        long left = head.contentLength() - (buffer.position() - head.headBytes());
        while (left > 0) {
            buffer.clear().limit((int) Math.min(left, BUFFER_BYTES));
            read("in its body");
            left -= buffer.position();
        }
        requireWhole(left);
    }

    private void checkBody(AnswerHead head, int expected) throws IOException {
        var crc = new CRC32C();
        takeBody(head, crc::update);
        if ((int) crc.getValue() != expected) {
            throw new IOException("an answer with WRONG BYTES: CRC-32C %08x where %08x was expected"
                    .formatted((int) crc.getValue(), expected));
        }
    }

    private void takeBody(AnswerHead head, Consumer<ByteBuffer> taker) throws IOException {
        long left = head.contentLength() - (buffer.position() - head.headBytes());
        taker.accept(buffer.flip().position(head.headBytes()));
        while (left > 0) {
            buffer.clear().limit((int) Math.min(left, BUFFER_BYTES));
            read("in its body");
            left -= buffer.position();
            taker.accept(buffer.flip());
        }
        requireWhole(left);
    }

    private static void requireWhole(long left) throws IOException {
        if (left < 0) {
            throw new IOException("the answer is " + -left + " bytes longer than its head says");
        }
    }

    private void read(String where) throws IOException {
        if (channel.read(buffer) < 0) {
            throw new EOFException("the answer broke off " + where);
        }
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
