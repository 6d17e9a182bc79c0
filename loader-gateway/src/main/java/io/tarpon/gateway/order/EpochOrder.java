package io.tarpon.gateway.order;

import java.util.Objects;
import java.util.function.LongUnaryOperator;

/// The order of one epoch: every position has one ordinal, and every ordinal one position. Immutable, for any number of
/// threads.
public sealed interface EpochOrder permits EpochOrder.Plain, EpochOrder.Global, GroupedOrder {
    /// The name under which a version pins this order.
    String ALGORITHM = "p1";

    /// How many positions there are.
    long samples();

    /// A new reader, position to ordinal, for one thread. Any position may be asked; positions that ascend cost least.
    /// A position below 0, or not below [#samples], is an [IndexOutOfBoundsException].
    LongUnaryOperator reader();

    /// `none`.
    static EpochOrder plain(long samples) {
        return new Plain(samples);
    }

    /// `global`, in constant memory.
    static EpochOrder global(EpochSeed seed, long samples) {
        return new Global(seed.key(Permuted.GLOBAL).permutation(0, samples));
    }

    /// `shard`. Holds 8 bytes for 64 shards; made in one pass over them.
    static EpochOrder shards(EpochSeed seed, SampleGroups shards) {
        return new GroupedOrder(shards, seed.key(Permuted.SHARDS), seed.key(Permuted.IN_SHARD));
    }

    /// `block`. Holds 8 bytes for 64 blocks (1.25 MB for 10 million); made in one pass over them.
    static EpochOrder blocks(EpochSeed seed, SampleGroups blocks) {
        return new GroupedOrder(blocks, seed.key(Permuted.BLOCKS), seed.key(Permuted.IN_BLOCK));
    }

    /// Position is ordinal.
    record Plain(long samples) implements EpochOrder {
        public Plain {
            if (samples < 0) {
                throw new IllegalArgumentException("negative samples " + samples);
            }
        }

        @Override
        public LongUnaryOperator reader() {
            return position -> Objects.checkIndex(position, samples);
        }
    }

    /// One permutation of all.
    final class Global implements EpochOrder {
        private final Permutation permutation;

        private Global(Permutation permutation) {
            this.permutation = permutation;
        }

        @Override
        public long samples() {
            return permutation.size();
        }

        @Override
        public LongUnaryOperator reader() {
            return permutation::at;
        }
    }
}
