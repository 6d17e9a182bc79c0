package io.tarpon.ingest.growth;

import io.tarpon.ingest.disk.ExternalSort;
import io.tarpon.ingest.disk.SpoolArea;
import io.tarpon.ingest.disk.SpoolException;
import io.tarpon.ingest.record.ChangeRecord;
import io.tarpon.ingest.record.ParentRecord;
import io.tarpon.ingest.record.RecordBytes;
import io.tarpon.ingest.record.SampleRecord;
import java.util.HashMap;
import java.util.Map;

/// What is different in the parent's shards: each change on the spool, and what the changes of one shard add up to.
/// What did not change costs nothing. For one thread.
public final class ShardChanges implements AutoCloseable {
    private final ExternalSort changes;
    private final Map<Place, Tally> tallies = new HashMap<>();
    private final RecordBytes record = new RecordBytes();

    public ShardChanges(SpoolArea spool, long memoryBytes) {
        this.changes = new ExternalSort(spool, memoryBytes);
    }

    private record Place(int split, int shard) {}

    /// What one shard has more than it had; negative where it has less.
    ///
    /// @param tarBytes headers, data and padding
    public record Tally(long samples, long members, long tarBytes) {
        static final Tally ZERO = new Tally(0, 0, 0);

        private Tally plus(long moreSamples, long moreMembers, long moreBytes) {
            return new Tally(samples + moreSamples, members + moreMembers, tarBytes + moreBytes);
        }
    }

    public void gone(ParentRecord was) throws SpoolException {
        add(new ChangeRecord(was.split(), was.shard(), was.place(), null));
        tally(was, -1, -was.members().size(), -SampleRecord.tarBytes(was.members()));
    }

    public void changed(ParentRecord was, SampleRecord now) throws SpoolException {
        add(new ChangeRecord(was.split(), was.shard(), was.place(), now));
        tally(
                was,
                0,
                now.members().size() - was.members().size(),
                now.tarBytes() - SampleRecord.tarBytes(was.members()));
    }

    public boolean isEmpty() {
        return tallies.isEmpty();
    }

    public boolean has(int split, int shard) {
        return tallies.containsKey(new Place(split, shard));
    }

    /// All zero where nothing changed, and maybe where something did: see [#has].
    public Tally tally(int split, int shard) {
        return tallies.getOrDefault(new Place(split, shard), Tally.ZERO);
    }

    /// From the first change on, once all were added.
    public ChangeCursor cursor() throws SpoolException {
        return new ChangeCursor(changes.open());
    }

    @Override
    public void close() {
        changes.close();
    }

    private void add(ChangeRecord change) throws SpoolException {
        change.write(record);
        changes.add(record.bytes(), 0, record.length());
    }

    private void tally(ParentRecord was, long samples, long members, long tarBytes) {
        tallies.merge(
                new Place(was.split(), was.shard()),
                Tally.ZERO.plus(samples, members, tarBytes),
                (held, more) -> held.plus(more.samples(), more.members(), more.tarBytes()));
    }
}
