package io.tarpon.ingest.record;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// What a place in a shard of the parent holds from now on. Sorts by split, shard and place.
///
/// @param split number of the split in the new plan, 0 to 255
/// @param now the sample as it is in the new listing; null where it is gone
public record ChangeRecord(
        int split, int shard, int place, @Nullable SampleRecord now) {

    /// The sample as it is now; empty where it is gone.
    public Optional<SampleRecord> sample() {
        return Optional.ofNullable(now);
    }

    public RecordBytes write(RecordBytes to) {
        to.clear().octet(split).fixed((long) shard << 32 | place).octet(now == null ? 0 : 1);
        return now == null ? to : now.append(to);
    }

    public static ChangeRecord read(byte[] bytes, int from, int length) {
        var fields = new RecordFields(bytes, from, length);
        int split = fields.octet();
        long place = fields.fixed();
        var now = fields.octet() == 1 ? SampleRecord.read(fields) : null;
        fields.requireEnd();
        return new ChangeRecord(split, (int) (place >>> 32), (int) place, now);
    }
}
