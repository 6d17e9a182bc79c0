package io.tarpon.gateway.body;

import io.tarpon.wire.block.BlockId;
import io.tarpon.wire.index.ShardLayout;
import java.util.Objects;

/// The unit of the read path: bytes of one block, or a literal. Never empty.
public sealed interface Piece {
    long length();

    /// Bytes `from` to `to` of a block, `to` exclusive.
    ///
    /// @param blockId of the block with the number `block` in the shard, made once: every source asks for it
    /// @param sample whose bytes these are, all of them, by its ordinal in the shard; -1 for any other range
    /// @param endsSample whether a sample of the body ends with them
    record OfBlock(
            SealedShard shard,
            ShardLayout layout,
            int block,
            BlockId blockId,
            int from,
            int to,
            int sample,
            boolean endsSample)
            implements Piece {
        /// Bytes without a sample they are all of.
        public OfBlock(SealedShard shard, ShardLayout layout, int block, BlockId blockId, int from, int to) {
            this(shard, layout, block, blockId, from, to, -1, false);
        }

        public OfBlock {
            Objects.checkFromToIndex(from, to, layout.block(block).length());
            if (from == to) {
                throw new IllegalArgumentException("an empty piece of block " + block);
            }
        }

        @Override
        public long length() {
            return (long) to - from;
        }

        /// What is left after the first `bytes` bytes.
        public OfBlock after(long bytes) {
            return bytes == 0
                    ? this
                    : new OfBlock(shard, layout, block, blockId, from + Math.toIntExact(bytes), to, -1, endsSample);
        }

        /// Where its first byte lies in the shard.
        public long shardOffset() {
            return layout.block(block).offset() + from;
        }

        /// Whether a break inside it would be noticed by every tar reader, said at once for what is surely long enough;
        /// [#safe] says where. False where that is not known without a search.
        public boolean isSurelySafe() {
            return sample >= 0 && layout.isSafeFrom(length());
        }

        /// How many of the bytes `at` to `at + length` may be sent such that a break after them is noticed by
        /// every tar reader; 0 where no byte may.
        public long safe(long at, long length) {
            var start = shardOffset() + at;
            var cut = layout.safeCut(start + 1, start + length);
            return cut < 0 ? 0 : cut - start;
        }
    }

    /// Bytes at hand.
    record OfLiteral(Segment.Literal literal) implements Piece {
        public OfLiteral {
            if (literal.length() == 0) {
                throw new IllegalArgumentException("an empty literal");
            }
        }

        @Override
        public long length() {
            return literal.length();
        }
    }
}
