package io.tarpon.wire.metadata;

import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/// What became of every object found in a source: found = members + left out, always.
///
/// @param renamed members whose sample key had to change
/// @param leftOut objects left out, by reason (wire names of contracts section 1)
public record Inputs(long found, long members, long renamed, SortedMap<String, Long> leftOut) {
    public static final Inputs NONE = new Inputs(0, 0, 0, new TreeMap<>());

    public Inputs {
        leftOut = java.util.Collections.unmodifiableSortedMap(new TreeMap<>(leftOut));
        var out = leftOut.values().stream().mapToLong(Long::longValue).sum();
        if (found != members + out) {
            throw new IllegalArgumentException("found " + found + " is not members " + members + " + left out " + out
                    + ": an input is unaccounted for");
        }
        if (renamed < 0 || renamed > members || members < 0) {
            throw new IllegalArgumentException("renamed " + renamed + " of " + members + " members");
        }
    }

    public static Inputs of(long members, long renamed, Map<String, Long> leftOut) {
        var out = leftOut.values().stream().mapToLong(Long::longValue).sum();
        return new Inputs(members + out, members, renamed, new TreeMap<>(leftOut));
    }

    public long leftOutCount() {
        return found - members;
    }
}
