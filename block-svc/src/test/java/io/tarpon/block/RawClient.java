package io.tarpon.block;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.Locale;

/// A client by hand: what it reads, and when, is up to the test.
final class RawClient implements AutoCloseable {
    private static final int SILENCE_MILLIS = 30_000;

    private final Socket socket;
    private final InputStream in;

    RawClient(int port) throws IOException {
        socket = new Socket();
        socket.setReceiveBufferSize(16 << 10);
        socket.setSoTimeout(SILENCE_MILLIS);
        socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
        in = socket.getInputStream();
    }

    void send(String request) throws IOException {
        socket.getOutputStream().write(request.getBytes(US_ASCII));
    }

    /// The next answer's head, to its empty line.
    Head head() throws IOException {
        var head = new ByteArrayOutputStream();
        while (!head.toString(US_ASCII).endsWith("\r\n\r\n")) {
            var next = in.read();
            if (next < 0) {
                throw new EOFException("closed inside a head: " + head.toString(US_ASCII));
            }
            head.write(next);
        }
        return new Head(head.toString(US_ASCII));
    }

    byte[] body(int bytes) throws IOException {
        var body = in.readNBytes(bytes);
        if (body.length < bytes) {
            throw new EOFException("closed after " + body.length + " of " + bytes + " bytes");
        }
        return body;
    }

    /// Whether the other side ended the connection; waits for its next byte.
    boolean isClosed() throws IOException {
        return in.read() < 0;
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }

    record Head(String text) {
        int status() {
            return Integer.parseInt(text.substring(9, 12));
        }

        int contentLength() {
            for (var line : text.lines().toList()) {
                if (line.toLowerCase(Locale.ROOT).startsWith("content-length:")) {
                    return Integer.parseInt(
                            line.substring("content-length:".length()).strip());
                }
            }
            throw new AssertionError("no content-length in " + text);
        }
    }
}
