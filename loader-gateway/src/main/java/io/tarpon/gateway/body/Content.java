package io.tarpon.gateway.body;

import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/// The bytes of a body: a length that is known and segments that are produced when they are asked for, any number of
/// times with the same result. Where they lie may have to be looked up first: whoever wants no bytes, for a HEAD or a
/// 304, does not wait for that.
///
/// @param length the segments' lengths in sum
/// @param source of the segments
public record Content(long length, Source source) {
    /// Segments from any byte on.
    @FunctionalInterface
    public interface Source {
        /// The segments of bytes `from` to `to`, `to` exclusive; none of them empty.
        CompletableFuture<Iterator<Segment>> open(long from, long to);
    }

    /// The same where nothing has to be looked up.
    @FunctionalInterface
    public interface SourceAtHand {
        /// The segments of bytes `from` to `to`, `to` exclusive; none of them empty.
        Iterator<Segment> between(long from, long to);
    }

    public Content {
        if (length < 0) {
            throw new IllegalArgumentException("negative length " + length);
        }
    }

    public static Content of(Segment... segments) {
        var list = List.of(segments);
        var length = list.stream().mapToLong(Segment::length).sum();
        return atHand(length, (from, to) -> new Slices(list.iterator(), from, to));
    }

    /// @param length of the segments in sum
    public static Content atHand(long length, SourceAtHand source) {
        return new Content(length, (from, to) -> CompletableFuture.completedFuture(source.between(from, to)));
    }

    /// The segments of bytes `from` to `to`, `to` exclusive; none of them empty.
    public CompletableFuture<Iterator<Segment>> open(long from, long to) {
        Objects.checkFromToIndex(from, to, length);
        return source.open(from, to);
    }

    private static final class Slices implements Iterator<Segment> {
        private final Iterator<? extends Segment> whole;
        private final long from;
        private final long to;
        private long position;
        private @Nullable Segment next;

        Slices(Iterator<? extends Segment> whole, long from, long to) {
            this.whole = whole;
            this.from = from;
            this.to = to;
        }

        @Override
        public boolean hasNext() {
            while (next == null && position < to && whole.hasNext()) {
                var segment = whole.next();
                var start = Math.max(0, from - position);
                var end = Math.min(segment.length(), to - position);
                position += segment.length();
                if (start < end) {
                    next = segment.slice(start, end);
                }
            }
            return next != null;
        }

        @Override
        public Segment next() {
            if (!hasNext()) {
                throw new NoSuchElementException("the body ends at " + to);
            }
            var segment = Objects.requireNonNull(next);
            next = null;
            return segment;
        }
    }
}
