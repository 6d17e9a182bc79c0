package io.tarpon.gateway.order;

import java.util.Objects;
import java.util.function.LongUnaryOperator;

/// The shards or the blocks of a split in which samples begin, as runs of ordinals. It holds nothing itself but the
/// column it is given: 8 bytes a group where that is an array, shared by all epochs of the split.
public final class SampleGroups {
    private final long count;
    private final long samples;
    private final LongUnaryOperator firsts;

    private SampleGroups(long count, long samples, LongUnaryOperator firsts) {
        if (count < 0 || count > samples || (count == 0) != (samples == 0)) {
            throw new IllegalArgumentException(
                    count + " groups cannot hold " + samples + " samples, each at least one");
        }
        this.count = count;
        this.samples = samples;
        this.firsts = firsts;
    }

    /// @param samples of the split
    /// @param firsts group number to the ordinal of its first sample: 0 for group 0, and ascending. Always the
    /// same, for any number of threads
    public static SampleGroups of(long count, long samples, LongUnaryOperator firsts) {
        return new SampleGroups(count, samples, firsts);
    }

    /// @param firsts the ordinal of each group's first sample, ascending from 0; not copied, not to be changed
    public static SampleGroups of(long[] firsts, long samples) {
        return new SampleGroups(firsts.length, samples, group -> firsts[(int) group]);
    }

    public long count() {
        return count;
    }

    public long samples() {
        return samples;
    }

    /// The ordinal of a group's first sample.
    long first(long group) {
        return firsts.applyAsLong(Objects.checkIndex(group, count));
    }

    /// How many samples a group has, at least one.
    long size(long group) {
        var end = group + 1 < count ? first(group + 1) : samples;
        var size = end - first(group);
        if (size < 1 || (group == 0 && first(0) != 0)) {
            throw new IllegalArgumentException("the first ordinals of groups do not ascend from 0 at group " + group);
        }
        return size;
    }
}
