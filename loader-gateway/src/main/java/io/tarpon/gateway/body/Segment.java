package io.tarpon.gateway.body;

import java.util.Objects;

/// Consecutive bytes of a response body that come from one place. Immutable.
public sealed interface Segment {
    long length();

    /// Bytes `from` to `to` of this segment, `to` exclusive.
    Segment slice(long from, long to);

    /// Bytes of a shard of which is known where everything in it is.
    sealed interface InShard extends Segment {
        LaidOutShard laidOut();

        /// Where it begins in the shard.
        long from();
    }

    /// Bytes `from` to `to` of a shard, `to` exclusive.
    ///
    /// @param endsSample whether a sample of the body ends with it
    record ShardRange(LaidOutShard laidOut, long from, long to, boolean endsSample) implements InShard {
        public ShardRange {
            Objects.checkFromToIndex(from, to, laidOut.shard().bytes());
        }

        @Override
        public long length() {
            return to - from;
        }

        @Override
        public ShardRange slice(long sliceFrom, long sliceTo) {
            Objects.checkFromToIndex(sliceFrom, sliceTo, length());
            return new ShardRange(laidOut, from + sliceFrom, from + sliceTo, endsSample && sliceTo == length());
        }
    }

    /// One whole sample of a shard.
    ///
    /// @param sample its ordinal in the shard
    record WholeSample(LaidOutShard laidOut, int sample) implements InShard {
        public WholeSample {
            Objects.checkIndex(sample, laidOut.layout().sampleCount());
        }

        @Override
        public long from() {
            return laidOut.layout().sampleOffset(sample);
        }

        @Override
        public long length() {
            return laidOut.layout().sampleLength(sample);
        }

        @Override
        public Segment slice(long sliceFrom, long sliceTo) {
            Objects.checkFromToIndex(sliceFrom, sliceTo, length());
            return sliceFrom == 0 && sliceTo == length()
                    ? this
                    : new ShardRange(laidOut, from() + sliceFrom, from() + sliceTo, sliceTo == length());
        }
    }

    /// Bytes that are at hand. The array is shared and never changed.
    final class Literal implements Segment {
        private final byte[] bytes;
        private final int from;
        private final int to;

        private Literal(byte[] bytes, int from, int to) {
            this.bytes = bytes;
            this.from = from;
            this.to = to;
        }

        /// The array belongs to the segment from now on.
        public static Literal of(byte[] bytes) {
            return new Literal(bytes, 0, bytes.length);
        }

        @Override
        public long length() {
            return (long) to - from;
        }

        @Override
        public Literal slice(long sliceFrom, long sliceTo) {
            Objects.checkFromToIndex(sliceFrom, sliceTo, length());
            return new Literal(bytes, from + (int) sliceFrom, from + (int) sliceTo);
        }

        /// The whole array; only bytes from [#offset] count, [#length] of them.
        public byte[] array() {
            return bytes;
        }

        public int offset() {
            return from;
        }
    }
}
