package io.tarpon.gateway.catalog;

import io.tarpon.gateway.body.SealedShard;
import io.tarpon.wire.DatasetName;
import io.tarpon.wire.ObjectKeys;
import io.tarpon.wire.ShardName;
import io.tarpon.wire.ShardRef;
import io.tarpon.wire.SplitName;
import io.tarpon.wire.VersionId;
import io.tarpon.wire.metadata.ShardRecord;
import io.tarpon.wire.metadata.VersionRecord;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.Map;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/// The shards of one sealed split as columns: 133 bytes each, and 84 more for one that lies under the keys of
/// another version. Immutable.
public final class SplitShards {
    private static final int SHA256_BYTES = 32;
    private static final byte ATTEMPT = 1;
    private static final byte PLAN = 2;

    private final DatasetName dataset;
    private final VersionId version;
    private final SplitName split;
    private final String versionName;
    private final int replicas;
    private final long[] samplesEnd;
    private final long[] bytes;
    private final int[] indexBytes;
    private final byte[] sha256;
    private final byte[] indexSha256;
    private final byte[] planSha256;
    /// Names of attempts and plans, 8 bytes each; meant only where [#named] says so.
    private final long[] attempts;

    private final long[] planNames;
    private final byte[] named;
    private final Map<Integer, ShardRef> homes = new HashMap<>();

    private SplitShards(VersionRecord version, SplitName split, int count) {
        this.dataset = version.dataset();
        this.version = version.version();
        this.split = split;
        this.versionName = dataset + "/" + this.version;
        this.replicas = version.spec().replicas();
        this.samplesEnd = new long[count];
        this.bytes = new long[count];
        this.indexBytes = new int[count];
        this.sha256 = new byte[count * SHA256_BYTES];
        this.indexSha256 = new byte[count * SHA256_BYTES];
        this.planSha256 = new byte[count * SHA256_BYTES];
        this.attempts = new long[count];
        this.planNames = new long[count];
        this.named = new byte[count];
    }

    /// Takes shards in order, from `shard-000000` without a gap.
    public static final class Builder {
        private final SplitShards shards;
        private int count;

        /// @param count how many will come
        public Builder(VersionRecord version, SplitName split, int count) {
            this.shards = new SplitShards(version, split, count);
        }

        public Builder add(ShardRecord record) {
            if (record.name().index() != count || count == shards.bytes.length) {
                throw new IllegalArgumentException("shard " + record.name() + " stands at place " + count + " of "
                        + shards.bytes.length + " of split " + shards.split);
            }
            var seal = record.sealed();
            shards.samplesEnd[count] = seal.samples() + (count == 0 ? 0 : shards.samplesEnd[count - 1]);
            shards.bytes[count] = seal.bytes();
            shards.indexBytes[count] = Math.toIntExact(seal.indexBytes());
            var at = count * SHA256_BYTES;
            System.arraycopy(HexFormat.of().parseHex(seal.sha256()), 0, shards.sha256, at, SHA256_BYTES);
            System.arraycopy(HexFormat.of().parseHex(seal.indexSha256()), 0, shards.indexSha256, at, SHA256_BYTES);
            System.arraycopy(HexFormat.of().parseHex(seal.planSha256()), 0, shards.planSha256, at, SHA256_BYTES);
            shards.keep(count, shards.attempts, ATTEMPT, seal.attempt());
            shards.keep(count, shards.planNames, PLAN, record.planName());
            var self = shards.ref(count);
            if (!record.home(self).equals(self)) {
                shards.homes.put(count, record.home(self));
            }
            count++;
            return this;
        }

        public SplitShards build() {
            if (count != shards.bytes.length || count == 0) {
                throw new IllegalStateException(
                        "split " + shards.split + " has " + count + " shards, not " + shards.bytes.length);
            }
            return shards;
        }
    }

    /// The version's name, `demo/v1`.
    public String versionName() {
        return versionName;
    }

    public SplitName split() {
        return split;
    }

    public int count() {
        return bytes.length;
    }

    public long samples() {
        return samplesEnd[count() - 1];
    }

    public SealedShard shard(int index) {
        var ref = ref(index);
        return new SealedShard(
                ref,
                homes.getOrDefault(index, ref),
                name(index, attempts, ATTEMPT),
                samplesEnd[index] - firstSample(index),
                bytes[index],
                hex(sha256, index),
                hex(indexSha256, index),
                indexBytes[index],
                replicas);
    }

    /// SHA-256 of the plan that the shard was built from, lower-case hex.
    String planSha256(int index) {
        return hex(planSha256, index);
    }

    /// Where that plan lies in the object store.
    String planKey(int index) {
        return ObjectKeys.plan(homes.getOrDefault(index, ref(index)), name(index, planNames, PLAN));
    }

    private void keep(int index, long[] names, byte which, @Nullable String name) {
        if (name != null) {
            names[index] = HexFormat.fromHexDigitsToLong(name);
            named[index] |= which;
        }
    }

    private @Nullable String name(int index, long[] names, byte which) {
        return (named[index] & which) == 0 ? null : HexFormat.of().toHexDigits(names[index]);
    }

    /// Ordinal in the split of a shard's first sample; of the shard after the last, the number of samples.
    public long firstSample(int index) {
        return index == 0 ? 0 : samplesEnd[index - 1];
    }

    /// The shard that holds the sample; empty behind the last.
    public OptionalInt shardOf(long ordinal) {
        if (ordinal < 0 || ordinal >= samples()) {
            return OptionalInt.empty();
        }
        var found = Arrays.binarySearch(samplesEnd, ordinal);
        return OptionalInt.of(found < 0 ? -found - 1 : found + 1);
    }

    /// Bytes this list holds on the heap.
    public long memoryBytes() {
        return 256 + 133L * count() + 84L * homes.size();
    }

    private ShardRef ref(int index) {
        return new ShardRef(dataset, version, split, new ShardName(index));
    }

    private static String hex(byte[] digests, int index) {
        return HexFormat.of().formatHex(digests, index * SHA256_BYTES, (index + 1) * SHA256_BYTES);
    }
}
