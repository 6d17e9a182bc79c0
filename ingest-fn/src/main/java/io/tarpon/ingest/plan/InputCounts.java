package io.tarpon.ingest.plan;

import io.tarpon.wire.key.LeftOutReason;
import io.tarpon.wire.metadata.Inputs;
import java.util.EnumMap;
import java.util.Map;
import java.util.TreeMap;

/// What became of every input, counted. For one thread.
public final class InputCounts {
    private final EnumMap<LeftOutReason, Long> leftOut = new EnumMap<>(LeftOutReason.class);
    private long found;
    private long members;
    private long renamed;

    public void found() {
        found++;
    }

    public void leftOut(LeftOutReason reason) {
        leftOut.merge(reason, 1L, Long::sum);
    }

    /// @param count members of one sample
    public void members(int count, boolean sampleRenamed) {
        members += count;
        renamed += sampleRenamed ? count : 0;
    }

    /// The sum; throws where an input is unaccounted for.
    public Inputs inputs() {
        var byName = new TreeMap<String, Long>();
        for (Map.Entry<LeftOutReason, Long> entry : leftOut.entrySet()) {
            byName.put(entry.getKey().wireName(), entry.getValue());
        }
        return new Inputs(found, members, renamed, byName);
    }
}
