package io.tarpon.bench.load;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/// The head of an answer: its status and the length of its body. It is read byte by byte, without a string, because a
/// client that shares two cores with the server is part of the figure.
///
/// @param headBytes up to where the body begins
record AnswerHead(int status, long contentLength, int headBytes) {
    private static final byte[] LENGTH = "content-length:".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] CHUNKED = "transfer-encoding:".getBytes(StandardCharsets.US_ASCII);
    private static final int STATUS_AT = 9;
    private static final int SHORTEST = 12;

    /// The head at the start of `buffer`, up to `end`; empty where it is not there whole yet.
    static Optional<AnswerHead> parse(ByteBuffer buffer, int end) throws IOException {
        int headEnd = endOfHead(buffer, end);
        if (headEnd < 0) {
            return Optional.empty();
        }
        if (headEnd < SHORTEST || buffer.get(0) != 'H') {
            throw new IOException("the answer is not HTTP");
        }
        int status = (buffer.get(STATUS_AT) - '0') * 100
                + (buffer.get(STATUS_AT + 1) - '0') * 10
                + (buffer.get(STATUS_AT + 2) - '0');
        long length = -1;
        for (int line = SHORTEST; line < headEnd; line++) {
            if (buffer.get(line - 1) == '\n') {
                if (startsWith(buffer, line, headEnd, LENGTH)) {
                    length = number(buffer, line + LENGTH.length, headEnd);
                } else if (startsWith(buffer, line, headEnd, CHUNKED)) {
                    throw new IOException("the answer's length is not in its head");
                }
            }
        }
        if (length < 0) {
            throw new IOException("the answer has no Content-Length (status " + status + ")");
        }
        return Optional.of(new AnswerHead(status, length, headEnd));
    }

    private static int endOfHead(ByteBuffer buffer, int end) {
        for (int i = 3; i < end; i++) {
            if (buffer.get(i) == '\n'
                    && buffer.get(i - 1) == '\r'
                    && buffer.get(i - 2) == '\n'
                    && buffer.get(i - 3) == '\r') {
                return i + 1;
            }
        }
        return -1;
    }

    private static boolean startsWith(ByteBuffer buffer, int at, int end, byte[] name) {
        if (end - at < name.length) {
            return false;
        }
        for (int i = 0; i < name.length; i++) {
            // Upper case differs from lower case by this bit; '-' and ':' have it.
            if ((buffer.get(at + i) | 0x20) != name[i]) {
                return false;
            }
        }
        return true;
    }

    private static long number(ByteBuffer buffer, int from, int end) {
        long value = 0;
        for (int i = from; i < end && buffer.get(i) != '\r'; i++) {
            int digit = buffer.get(i) - '0';
            if (digit >= 0 && digit <= 9) {
                value = value * 10 + digit;
            }
        }
        return value;
    }
}
