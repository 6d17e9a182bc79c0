package io.tarpon.gateway.order;

import java.util.Arrays;
import java.util.Objects;
import java.util.function.LongUnaryOperator;

/// Groups permuted, then the samples inside each. Where a slot's positions begin is kept for every 64th slot; a reader
/// walks from there, at most 63 slots, and keeps the slot it is in.
final class GroupedOrder implements EpochOrder {
    private static final int SHIFT = 6;
    private static final long MOST_GROUPS = (long) (Integer.MAX_VALUE - 8) << SHIFT;

    private final SampleGroups groups;
    private final Permutation slots;
    private final PermutationKey inside;

    /// The first position of slots 0, 64, 128, …
    private final long[] marks;

    GroupedOrder(SampleGroups groups, PermutationKey outside, PermutationKey inside) {
        if (groups.count() > MOST_GROUPS) {
            throw new IllegalArgumentException(groups.count() + " groups are more than " + MOST_GROUPS);
        }
        this.groups = groups;
        this.slots = outside.permutation(0, groups.count());
        this.inside = inside;
        this.marks = new long[(int) ((groups.count() + (1 << SHIFT) - 1) >> SHIFT)];
        long position = 0;
        for (long slot = 0; slot < groups.count(); slot++) {
            if ((slot & ((1 << SHIFT) - 1)) == 0) {
                marks[(int) (slot >> SHIFT)] = position;
            }
            position += groups.size(slots.at(slot));
        }
        if (position != groups.samples()) {
            throw new IllegalArgumentException("groups of " + position + " samples, not " + groups.samples());
        }
    }

    @Override
    public long samples() {
        return groups.samples();
    }

    @Override
    public LongUnaryOperator reader() {
        return new Reader();
    }

    /// The first position of the mark behind a slot.
    private long endOfMark(long slot) {
        var next = (int) (slot >> SHIFT) + 1;
        return next < marks.length ? marks[next] : samples();
    }

    private final class Reader implements LongUnaryOperator {
        private long slot = -1;
        private long from;
        private long to;
        private long first;
        private Permutation samples = inside.permutation(0, 0);

        @Override
        public long applyAsLong(long position) {
            if (position < from || position >= to) {
                seek(Objects.checkIndex(position, samples()));
            }
            return first + samples.at(position - from);
        }

        private void seek(long position) {
            if (position < to || position >= endOfMark(slot)) {
                var found = Arrays.binarySearch(marks, position);
                var mark = found < 0 ? -found - 2 : found;
                slot = ((long) mark << SHIFT) - 1;
                to = marks[mark];
            }
            long group;
            do {
                slot++;
                group = slots.at(slot);
                from = to;
                to += groups.size(group);
            } while (position >= to);
            first = groups.first(group);
            samples = inside.permutation(group, to - from);
        }
    }
}
