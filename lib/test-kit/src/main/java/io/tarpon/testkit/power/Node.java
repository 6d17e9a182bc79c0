package io.tarpon.testkit.power;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.TreeMap;
import java.util.random.RandomGenerator;

/// A file or a folder: what is seen of it, and what of that is on the platter.
final class Node {
    final boolean isFolder;
    final TreeMap<String, Node> entries = new TreeMap<>();
    final TreeMap<String, Node> durableEntries = new TreeMap<>();
    Instant modified = Instant.now();
    private byte[] bytes = {};
    private byte[] durableBytes = {};
    private final List<Write> unforced = new ArrayList<>();

    Node(boolean isFolder) {
        this.isFolder = isFolder;
    }

    @SuppressWarnings("ArrayRecordComponent") // Never compared.
    private record Write(int position, byte[] bytes) {
        byte[] onto(byte[] old) {
            var whole = Arrays.copyOf(old, Math.max(old.length, position + bytes.length));
            System.arraycopy(bytes, 0, whole, position, bytes.length);
            return whole;
        }
    }

    byte[] bytes() {
        return bytes;
    }

    void write(int position, byte[] more) {
        var write = new Write(position, more);
        unforced.add(write);
        bytes = write.onto(bytes);
        modified = Instant.now();
    }

    void force() {
        durableBytes = bytes;
        unforced.clear();
    }

    /// What a cut leaves: what was forced, and of each write since then all, a part, zeros of its length, or nothing.
    byte[] afterCut(RandomGenerator random) {
        var left = durableBytes;
        for (var write : unforced) {
            left = switch (random.nextInt(4)) {
                case 0 -> left;
                case 1 -> write.onto(left);
                case 2 -> new Write(write.position(), new byte[write.bytes().length]).onto(left);
                default ->
                    new Write(write.position(), Arrays.copyOf(write.bytes(), random.nextInt(write.bytes().length + 1)))
                            .onto(left);
            };
        }
        return left;
    }
}
