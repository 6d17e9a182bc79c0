package io.tarpon.ingest.growth;

import io.tarpon.store.NoSuchObjectException;
import io.tarpon.store.ObjectStore;
import io.tarpon.wire.Digests;
import io.tarpon.wire.format.CorruptFormatException;
import io.tarpon.wire.format.UnknownFormatException;
import io.tarpon.wire.plan.PlanHeader;
import io.tarpon.wire.plan.PlanReader;
import io.tarpon.wire.plan.PlannedSample;
import java.io.IOException;
import java.io.OutputStream;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.Optional;

/// The plan of one of the parent's shards as a stream. What it gave may be used only once it has come to its end: only
/// there it is known to be the plan that the shard was built from. For one thread.
public final class ParentPlan implements AutoCloseable {
    private final Parent parent;
    private final Parent.Shard shard;
    private final DigestInputStream in;
    private final PlanReader reader;

    private ParentPlan(Parent parent, Parent.Shard shard, DigestInputStream in, PlanReader reader) {
        this.parent = parent;
        this.shard = shard;
        this.in = in;
        this.reader = reader;
    }

    /// @throws NoGrowthException where the plan is missing or damaged
    /// @throws IOException where the store does not answer
    public static ParentPlan open(ObjectStore store, Parent parent, Parent.Shard shard)
            throws IOException, NoGrowthException {
        var key = shard.planKey();
        long size = store.size(key).orElseThrow(() -> missing(parent, key));
        try {
            var in = new DigestInputStream(store.open(key, 0, size), Digests.sha256());
            return opened(parent, shard, key, in);
        } catch (NoSuchObjectException e) {
            throw missing(parent, key);
        } catch (CorruptFormatException | UnknownFormatException e) {
            throw unreadable(parent, e);
        }
    }

    private static ParentPlan opened(Parent parent, Parent.Shard shard, String key, DigestInputStream in)
            throws IOException {
        try {
            return new ParentPlan(parent, shard, in, new PlanReader(key, in));
        } catch (IOException e) {
            in.close();
            throw e;
        }
    }

    public PlanHeader header() {
        return reader.header();
    }

    /// The next sample; empty after the last, when the whole plan has been checked.
    ///
    /// @throws NoGrowthException where it is not the plan that the shard was built from
    public Optional<PlannedSample> next() throws IOException, NoGrowthException {
        try {
            var sample = reader.next();
            if (sample.isEmpty()) {
                requireDigest();
            }
            return sample;
        } catch (CorruptFormatException | UnknownFormatException e) {
            throw unreadable(parent, e);
        }
    }

    @Override
    public void close() throws IOException {
        reader.close();
    }

    private void requireDigest() throws IOException, NoGrowthException {
        in.transferTo(OutputStream.nullOutputStream());
        MessageDigest read = in.getMessageDigest();
        var sha256 = HexFormat.of().formatHex(read.digest());
        if (!sha256.equals(shard.planSha256())) {
            throw new NoGrowthException(
                    parent,
                    "the plan " + shard.planKey() + " has SHA-256 " + sha256 + ", not " + shard.planSha256()
                            + " as when its shard was built: it is damaged");
        }
    }

    private static NoGrowthException missing(Parent parent, String key) {
        return new NoGrowthException(parent, "its plan " + key + " is not in the store any more");
    }

    private static NoGrowthException unreadable(Parent parent, IOException e) {
        return new NoGrowthException(parent, String.valueOf(e.getMessage()));
    }
}
