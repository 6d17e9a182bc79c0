package io.tarpon.gateway.catalog;

import io.tarpon.gateway.body.SealedShard;
import io.tarpon.store.NoSuchObjectException;
import io.tarpon.store.ObjectStore;
import io.tarpon.wire.Digests;
import io.tarpon.wire.format.CorruptFormatException;
import io.tarpon.wire.http.ProblemType;
import io.tarpon.wire.index.ShardIndex;
import io.tarpon.wire.plan.PlanReader;
import io.tarpon.wire.plan.PlannedSample;
import java.io.IOException;
import java.io.OutputStream;
import java.security.DigestInputStream;
import java.util.HexFormat;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;

/// What samples were made of, from the frozen plans of their shards: read as streams, one sample in memory at a
/// time, whole, because only a whole plan can be checked against the digest it was sealed with.
///
/// Threads: any.
public final class ShardPlans {
    private static final String PLAN = "plan";

    private final ObjectStore store;
    private final Indexes indexes;
    private final Executor executor;

    /// @param executor its threads block on the object store
    public ShardPlans(ObjectStore store, Indexes indexes, Executor executor) {
        this.store = store;
        this.indexes = indexes;
        this.executor = executor;
    }

    /// Takes the samples that were asked for.
    @FunctionalInterface
    public interface Sink {
        /// @param sample ordinal inside the shard
        void take(int sample, PlannedSample planned);
    }

    /// Passes a shard's plan by. What the sink took counts only when this is done: it fails with
    /// `storage-unavailable` where the plan is not the one the shard was sealed with, or says other than its
    /// index.
    ///
    /// @param shard number in the split
    /// @param samples ordinals inside the shard, ascending
    /// @param sink runs on a thread of the executor
    public CompletableFuture<Void> read(SplitShards shards, int shard, int[] samples, Sink sink) {
        var sealed = shards.shard(shard);
        var sha256 = shards.planSha256(shard);
        var key = shards.planKey(shard);
        return indexes.passing(sealed)
                .thenCompose(index -> Answers.of(
                        executor,
                        ProblemType.STORAGE_UNAVAILABLE,
                        () -> pass(sealed, key, sha256, index, samples, sink)))
                .thenAccept(_ -> {});
    }

    /// Returns how many samples there were.
    private int pass(SealedShard shard, String key, String sha256, ShardIndex index, int[] samples, Sink sink)
            throws IOException {
        var length = store.size(key).orElseThrow(() -> new NoSuchObjectException(key));
        try (var digested = new DigestInputStream(store.open(key, 0, length), Digests.sha256());
                var plan = new PlanReader(key, digested)) {
            if (plan.header().samples() != index.sampleCount() || plan.header().bytes() != shard.bytes()) {
                throw new CorruptFormatException(key, PLAN, "it is of another shard");
            }
            var next = 0;
            var sample = 0;
            for (var planned = plan.next(); planned.isPresent(); planned = plan.next()) {
                if (next < samples.length && samples[next] == sample) {
                    requireAgreement(key, planned.get(), index, sample);
                    sink.take(sample, planned.get());
                    next++;
                }
                sample++;
            }
            requireDigest(key, sha256, digested);
            return sample;
        }
    }

    private static void requireDigest(String key, String sha256, DigestInputStream digested) throws IOException {
        var rest = digested.transferTo(OutputStream.nullOutputStream());
        var found = HexFormat.of().formatHex(digested.getMessageDigest().digest());
        if (rest > 0 || !found.equals(sha256)) {
            throw new CorruptFormatException(key, PLAN, "its SHA-256 is not the one its shard was sealed with");
        }
    }

    private static void requireAgreement(String key, PlannedSample planned, ShardIndex index, int sample)
            throws IOException {
        var members = index.layout().members(sample);
        var agree = planned.key().equals(index.key(sample)) && planned.members().size() == members.size();
        for (int i = 0; agree && i < members.size(); i++) {
            agree = planned.members().get(i).extension().equals(members.get(i).extension())
                    && planned.members().get(i).size() == members.get(i).size();
        }
        if (!agree) {
            throw new CorruptFormatException(
                    key, PLAN, "its sample " + sample + " is not the one of the shard's index: " + planned.key());
        }
    }
}
