package io.tarpon.bench.load;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.OptionalInt;
import java.util.OptionalLong;

/// One request as it goes over the wire, and what its answer must be.
///
/// @param wire head and body; shared, so its position is never moved
/// @param status the answer's
/// @param length of the answer's body; empty where any will do
/// @param crc32c of the answer's body; empty where it is not checked
public record Request(ByteBuffer wire, int status, OptionalLong length, OptionalInt crc32c) {
    /// Both sides of a comparison are sent the same bytes, whatever their ports.
    private static final String HOST = "bench.invalid";

    public static Request get(String path, long length) {
        return new Request(
                encoded("GET " + path + " HTTP/1.1\r\nHost: " + HOST + "\r\n\r\n"),
                200,
                OptionalLong.of(length),
                OptionalInt.empty());
    }

    /// An answer of any length.
    public static Request document(String path) {
        var any = get(path, 0);
        return new Request(any.wire, any.status, OptionalLong.empty(), any.crc32c);
    }

    public static Request range(String path, long from, int length) {
        return new Request(
                encoded("GET " + path + " HTTP/1.1\r\nHost: " + HOST + "\r\nRange: bytes=" + from + "-"
                        + (from + length - 1) + "\r\n\r\n"),
                206,
                OptionalLong.of(length),
                OptionalInt.empty());
    }

    /// From that byte on to the end.
    public static Request rest(String path, long from) {
        return new Request(
                encoded("GET " + path + " HTTP/1.1\r\nHost: " + HOST + "\r\nRange: bytes=" + from + "-\r\n\r\n"),
                206,
                OptionalLong.empty(),
                OptionalInt.empty());
    }

    /// @param headers whole lines, each with its line end
    public static Request send(String method, String path, String headers, String json) {
        var length = json.getBytes(StandardCharsets.UTF_8).length;
        return new Request(
                encoded(method + " " + path + " HTTP/1.1\r\nHost: " + HOST + "\r\n" + headers
                        + "Content-Type: application/json\r\nContent-Length: " + length + "\r\n\r\n" + json),
                200,
                OptionalLong.empty(),
                OptionalInt.empty());
    }

    /// The same request with its body checked.
    public Request checked(int expectedCrc32c) {
        return new Request(wire, status, length, OptionalInt.of(expectedCrc32c));
    }

    private static ByteBuffer encoded(String text) {
        var bytes = text.getBytes(StandardCharsets.UTF_8);
        var wire = ByteBuffer.allocateDirect(bytes.length);
        return wire.put(bytes).flip();
    }
}
