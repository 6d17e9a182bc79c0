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

    /// Opens the plan at its shard's key, whatever the event says.
    ///
    /// @throws DeadShardException where it is not the plan that was planned
    static PlanFile open(ObjectStore store, ShardPlanned planned) throws IOException, DeadShardException {
        var key = ObjectKeys.plan(planned.ref());
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
            var file = new PlanFile(planned, in, new PlanReader(ObjectKeys.plan(planned.ref()), in));
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
        return "plan " + ObjectKeys.plan(planned.ref()) + " cannot be used: " + what + "; ingest the dataset again";
    }

    private static DigestInputStream hashed(InputStream in) {
        return new DigestInputStream(in, Digests.sha256());
    }
}
