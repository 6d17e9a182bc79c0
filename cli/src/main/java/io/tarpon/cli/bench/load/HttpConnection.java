package io.tarpon.cli.bench.load;

import java.io.EOFException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.zip.CRC32C;

/// One kept-alive connection. Answers are read into one buffer and dropped there; their status, their length and, where
/// asked, their CRC are checked. Owned by one thread; another may close it to end a read that takes too long.
public final class HttpConnection implements AutoCloseable {
    private static final int BUFFER_BYTES = 256 << 10;
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

    static InetSocketAddress address(String url) {
        var uri = URI.create(url);
        return new InetSocketAddress(uri.getHost(), uri.getPort());
    }

    /// Sends the request and reads its whole answer; returns the length of the body.
    public long exchange(Request request) throws IOException {
        var wire = request.wire().duplicate();
        while (wire.hasRemaining()) {
            channel.write(wire);
        }
        var head = readHead();
        if (head.status() != request.status()) {
            throw new IOException(
                    "answered " + head.status() + " where " + request.status() + " was expected: " + firstWords(head));
        }
        if (request.length().isPresent() && request.length().getAsLong() != head.contentLength()) {
            throw new IOException("an answer of " + head.contentLength() + " bytes where "
                    + request.length().getAsLong() + " were expected");
        }
        if (request.crc32c().isPresent()) {
            checkBody(head, request.crc32c().getAsInt());
        } else {
            dropBody(head);
        }
        return head.contentLength();
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
        long left = head.contentLength() - (buffer.position() - head.headBytes());
        crc.update(buffer.flip().position(head.headBytes()));
        while (left > 0) {
            buffer.clear().limit((int) Math.min(left, BUFFER_BYTES));
            read("in its body");
            left -= buffer.position();
            crc.update(buffer.flip());
        }
        requireWhole(left);
        if ((int) crc.getValue() != expected) {
            throw new IOException("an answer with WRONG BYTES: CRC-32C %08x where %08x was expected"
                    .formatted((int) crc.getValue(), expected));
        }
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
