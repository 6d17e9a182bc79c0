package io.tarpon.ingest.growth;

import io.tarpon.ingest.disk.Records;
import io.tarpon.ingest.disk.SpoolException;
import io.tarpon.ingest.record.ChangeRecord;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Goes through the changes once, beside the places of the shards that are planned again. For one thread.
public final class ChangeCursor {
    private final Records changes;
    private @Nullable ChangeRecord change;

    ChangeCursor(Records changes) throws SpoolException {
        this.changes = changes;
        this.change = next();
    }

    /// What changed at a place; empty where nothing did. To be asked in order of split, shard and place; what lies
    /// between is passed over.
    public Optional<ChangeRecord> at(int split, int shard, int place) throws SpoolException {
        var at = change;
        while (at != null && compare(at, split, shard, place) < 0) {
            at = next();
        }
        change = at;
        return at != null && compare(at, split, shard, place) == 0 ? Optional.of(at) : Optional.empty();
    }

    private static int compare(ChangeRecord change, int split, int shard, int place) {
        if (change.split() != split) {
            return Integer.compare(change.split(), split);
        }
        return change.shard() == shard
                ? Integer.compare(change.place(), place)
                : Integer.compare(change.shard(), shard);
    }

    private @Nullable ChangeRecord next() throws SpoolException {
        return changes.next() ? ChangeRecord.read(changes.bytes(), changes.from(), changes.length()) : null;
    }
}
