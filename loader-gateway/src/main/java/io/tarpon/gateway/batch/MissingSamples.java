package io.tarpon.gateway.batch;

import io.tarpon.gateway.catalog.SealedSplit;
import io.tarpon.gateway.target.Percent;
import io.tarpon.wire.http.ProblemType;
import io.tarpon.wire.http.TarponException;
import java.util.ArrayList;
import java.util.List;

/// What a batch asks for that is not there: how many, and the first ten by name. Owned by one thread.
final class MissingSamples {
    private static final int NAMED = 10;

    private final BatchRequest batch;
    private final SealedSplit split;
    private final List<String> first = new ArrayList<>();
    private int count;

    MissingSamples(BatchRequest batch, SealedSplit split) {
        this.batch = batch;
        this.split = split;
    }

    /// @param isThere whether the sample is there, and only has none of the fields
    void add(int index, BatchEntry entry, boolean isThere) {
        count++;
        if (first.size() < NAMED) {
            var what = switch (entry) {
                case BatchEntry.Ordinal numbered -> "ordinal " + numbered.ordinal();
                case BatchEntry.Key named -> "key '" + Percent.printable(named.key()) + "'";
            };
            var why = isThere
                    ? " (it has none of " + Percent.printable(String.join(", ", batch.fieldsOf(entry))) + ")"
                    : "";
            first.add("samples[" + index + "] " + what + why);
        }
    }

    int count() {
        return count;
    }

    /// Throws `unknown-sample` where some are missing and the batch does not want placeholders for them.
    void refuseUnlessPlaceholders() {
        if (count > 0 && batch.missing() == Missing.FAIL) {
            var shards = split.shards();
            throw new TarponException(
                    ProblemType.UNKNOWN_SAMPLE,
                    count + " of " + batch.entries().size() + " samples are missing in " + shards.versionName() + "/"
                            + batch.split() + ", which has " + shards.samples() + ", numbered from 0: "
                            + String.join(", ", first) + (count > NAMED ? ", …" : "")
                            + "; with \"missing\":\"placeholder\" empty members take their places");
        }
    }
}
