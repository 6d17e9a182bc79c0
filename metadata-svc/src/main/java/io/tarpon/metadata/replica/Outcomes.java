package io.tarpon.metadata.replica;

import java.util.BitSet;

/// Whether each of the last entries replayed was applied. Owned by the lock of its [Replica].
final class Outcomes {
    private final int size;
    private final BitSet applied;
    private long last;

    /// @param size how many entries are remembered
    Outcomes(int size) {
        this.size = size;
        this.applied = new BitSet(size);
    }

    void add(long revision, boolean wasApplied) {
        applied.set((int) (revision % size), wasApplied);
        last = revision;
    }

    /// Nothing is known of entries up to this one.
    void begin(long replayed) {
        applied.clear();
        last = replayed;
    }

    /// False also for an entry too long ago to be remembered: the proposer decides again then, as it does for a
    /// rejected one.
    boolean wasApplied(long revision) {
        return revision <= last && revision > last - size && applied.get((int) (revision % size));
    }
}
