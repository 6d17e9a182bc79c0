package io.tarpon.shard;

import io.tarpon.store.NoSuchObjectException;
import io.tarpon.store.ObjectStore;
import io.tarpon.wire.Digests;
import io.tarpon.wire.ObjectKeys;
import io.tarpon.wire.event.TarponEvent.ShardPlanned;
import io.tarpon.wire.format.CorruptFormatException;
import io.tarpon.wire.format.UnknownFormatException;
import io.tarpon.wire.plan.PlanReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.security.DigestInputStream;
import java.util.HexFormat;

/// The plan of one shard as it lies in the store, read twice and never held: a shard of tiny members has a plan of a
/// hundred MiB.
/// The first reading proves its digest before one line of it is believed, the second is checked too, in case it was
/// replaced between them.
final class PlanFile implements AutoCloseable {
    private final ShardPlanned planned;
    private final DigestInputStream digest;
    private final PlanReader reader;

    private PlanFile(ShardPlanned planned, DigestInputStream digest, PlanReader reader) {
        this.planned = planned;
        this.digest = digest;
        this.reader = reader;
    }

    /// Opens the plan where the event says, which must be a place of its shard's.
    ///
    /// @throws DeadShardException where it is not the plan that was planned
    static PlanFile open(ObjectStore store, ShardPlanned planned) throws IOException, DeadShardException {
        requirePlanAtItsPlace(planned);
        var key = planned.plan().url();
        try {
            long length = store.size(key).orElseThrow(() -> new NoSuchObjectException(key));
            try (var first = hashed(store.open(key, 0, length))) {
                first.transferTo(OutputStream.nullOutputStream());
                requireDigest(planned, first);
            }
            return parse(planned, hashed(store.open(key, 0, length)));
        } catch (NoSuchObjectException | CorruptFormatException | UnknownFormatException e) {
            throw damaged(planned, e.getMessage() + "", e);
        }
    }

    /// A plan from before plans had names is taken too: its message may have waited since.
    private static void requirePlanAtItsPlace(ShardPlanned planned) throws DeadShardException {
        var ref = planned.ref();
        var place = ObjectKeys.plan(ref, ObjectKeys.planName(planned.plan().sha256()));
        var url = planned.plan().url();
        if (!url.equals(place) && !url.equals(ObjectKeys.plan(ref))) {
            throw new DeadShardException(
                    DeadReason.WRONG_PLAN_URL, "the plan of " + ref + " is at " + place + ", nowhere else");
        }
    }

    PlanReader reader() {
        return reader;
    }

    /// What was read since it was opened, to the end, is the plan that was planned.
    void requireUnchanged() throws IOException, DeadShardException {
        digest.transferTo(OutputStream.nullOutputStream());
        requireDigest(planned, digest);
    }

    @Override
    public void close() throws IOException {
        reader.close();
    }

    static DeadShardException damaged(ShardPlanned planned, String what, Exception cause) {
        return new DeadShardException(DeadReason.PLAN_DAMAGED, damage(planned, what), cause);
    }

    private static PlanFile parse(ShardPlanned planned, DigestInputStream in) throws IOException, DeadShardException {
        try {
            var file = new PlanFile(planned, in, new PlanReader(planned.plan().url(), in));
            file.requireFits();
            return file;
        } catch (IOException | RuntimeException | DeadShardException e) {
            in.close();
            throw e;
        }
    }

    private void requireFits() throws DeadShardException {
        var header = reader.header();
        boolean fits = header.split().equals(planned.split())
                && header.shard().equals(planned.shard())
                && header.samples() == planned.samples()
                && header.bytes() == planned.bytes();
        if (!fits) {
            throw new DeadShardException(
                    DeadReason.PLAN_DAMAGED,
                    damage(planned, "it is of another shard or of other size than the message"));
        }
    }

    private static void requireDigest(ShardPlanned planned, DigestInputStream read) throws DeadShardException {
        var found = HexFormat.of().formatHex(read.getMessageDigest().digest());
        if (!found.equals(planned.plan().sha256())) {
            throw new DeadShardException(
                    DeadReason.PLAN_DAMAGED,
                    damage(
                            planned,
                            "its SHA-256 is " + found + ", planned was "
                                    + planned.plan().sha256()));
        }
    }

    private static String damage(ShardPlanned planned, String what) {
        return "plan " + planned.plan().url() + " cannot be used: " + what + "; ingest the dataset again";
    }

    private static DigestInputStream hashed(InputStream in) {
        return new DigestInputStream(in, Digests.sha256());
    }
}
