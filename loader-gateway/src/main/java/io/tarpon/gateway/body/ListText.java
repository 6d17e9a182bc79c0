package io.tarpon.gateway.body;

import io.tarpon.wire.Digests;
import java.io.ByteArrayOutputStream;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.function.IntFunction;

/// A text of very many entries, such as the URLs of all shards, which is never held whole: it is gone through once for
/// its length and its digest, and made again, a few hundred entries at a time, as it is sent.
///
/// @param head in front of the entries
/// @param entries how many
/// @param entry the bytes of one, the same whenever it is asked
/// @param tail behind them
@SuppressWarnings("ArrayRecordComponent") // Never compared.
public record ListText(byte[] head, int entries, IntFunction<byte[]> entry, byte[] tail) {
    private static final int GROUP = 256;
    private static final int OWN_BYTES = 256;

    /// What goes through the whole text.
    ///
    /// @param sha256 lower-case hex
    /// @param offsets where head, each group of entries and tail begin, and the length
    @SuppressWarnings("ArrayRecordComponent") // Never compared.
    public record Shape(String sha256, long[] offsets) {
        public long length() {
            return offsets[offsets.length - 1];
        }

        /// Bytes this holds on the heap.
        public int memoryBytes() {
            return OWN_BYTES + Long.BYTES * offsets.length;
        }
    }

    /// Goes through the text once, which takes a while for hundreds of thousands of entries.
    public Shape measure() {
        var digest = Digests.sha256();
        var offsets = new long[parts() + 1];
        for (int part = 0; part < parts(); part++) {
            var bytes = part(part);
            digest.update(bytes);
            offsets[part + 1] = offsets[part] + bytes.length;
        }
        return new Shape(HexFormat.of().formatHex(digest.digest()), offsets);
    }

    /// @param shape as it was measured
    public Content content(Shape shape) {
        return Content.atHand(shape.length(), (from, to) -> new Parts(shape.offsets, from, to));
    }

    /// Head, groups, tail.
    private int parts() {
        return Math.ceilDiv(entries, GROUP) + 2;
    }

    private byte[] part(int part) {
        if (part == 0) {
            return head;
        }
        if (part == parts() - 1) {
            return tail;
        }
        var bytes = new ByteArrayOutputStream();
        for (int i = (part - 1) * GROUP; i < Math.min(entries, part * GROUP); i++) {
            bytes.writeBytes(entry.apply(i));
        }
        return bytes.toByteArray();
    }

    private final class Parts implements Iterator<Segment> {
        private final long[] offsets;
        private final long to;
        private long position;

        Parts(long[] offsets, long from, long to) {
            this.offsets = offsets;
            this.position = from;
            this.to = to;
        }

        @Override
        public boolean hasNext() {
            return position < to;
        }

        @Override
        public Segment next() {
            if (!hasNext()) {
                throw new NoSuchElementException("the text ends at " + to);
            }
            var part = partAt(position);
            var slice = Segment.Literal.of(part(part))
                    .slice(position - offsets[part], Math.min(to, offsets[part + 1]) - offsets[part]);
            position = Math.min(to, offsets[part + 1]);
            return slice;
        }

        /// The last that begins there or before, so never an empty one.
        private int partAt(long offset) {
            var found = Arrays.binarySearch(offsets, offset);
            var part = found < 0 ? -found - 2 : found;
            while (offsets[part + 1] == offsets[part]) {
                part++;
            }
            return part;
        }
    }
}
