package io.tarpon.wire.metadata;

import java.util.Arrays;
import java.util.Comparator;
import java.util.stream.Collectors;

/// How a dataset is made from its source.
///
/// @param source a source reference: the id of a configured source, `file:///…` below an allowed folder, or
/// `s3://bucket/prefix`
/// @param splits `auto`, `none`, or shares such as `train=0.9,val=0.1`; their order says nothing, so they are held by
/// name
/// @param shardBytes size aimed at for one shard, in bytes
/// @param shardsMultipleOf the number of shards of each split is a multiple of this
/// @param seed of the order of samples inside a split
/// @param replicas copies of each block on block services
/// @param grow the new version keeps its parent's shards where their inputs are unchanged
/// @param leftOut `allow`, or `fail`: whether inputs that are left out fail the version
public record DatasetSpec(
        String source,
        String splits,
        long shardBytes,
        int shardsMultipleOf,
        long seed,
        int replicas,
        boolean grow,
        String leftOut) {
    public static final long DEFAULT_SHARD_BYTES = 256L << 20;
    public static final long MIN_SHARD_BYTES = 1L << 10;
    public static final long MAX_SHARD_BYTES = 64L << 30;
    public static final int MAX_REPLICAS = 16;
    public static final int MAX_SHARDS_MULTIPLE = 1_000_000;

    public DatasetSpec {
        splits = byName(splits);
        if (source.isBlank()) {
            throw new IllegalArgumentException("source is empty");
        }
        if (shardBytes < MIN_SHARD_BYTES || shardBytes > MAX_SHARD_BYTES) {
            throw new IllegalArgumentException(
                    "shardBytes " + shardBytes + " is not between " + MIN_SHARD_BYTES + " and " + MAX_SHARD_BYTES);
        }
        if (shardsMultipleOf < 1 || shardsMultipleOf > MAX_SHARDS_MULTIPLE) {
            throw new IllegalArgumentException(
                    "shardsMultipleOf " + shardsMultipleOf + " is not between 1 and " + MAX_SHARDS_MULTIPLE);
        }
        if (seed < 0) {
            throw new IllegalArgumentException("seed " + seed + " is negative");
        }
        if (replicas < 1 || replicas > MAX_REPLICAS) {
            throw new IllegalArgumentException("replicas " + replicas + " is not between 1 and " + MAX_REPLICAS);
        }
        if (!leftOut.equals("allow") && !leftOut.equals("fail")) {
            throw new IllegalArgumentException("leftOut '" + leftOut + "' is neither allow nor fail");
        }
    }

    /// As it is where it is no list of shares: whoever plans says what is wrong with it.
    private static String byName(String splits) {
        return Arrays.stream(splits.split(",", -1))
                .sorted(Comparator.comparing(share -> share.split("=", 2)[0]))
                .collect(Collectors.joining(","));
    }

    /// The defaults of contracts section 5: shards of 256 MiB, seed 0, splits auto; two replicas.
    public static DatasetSpec of(String source) {
        return new DatasetSpec(source, "auto", DEFAULT_SHARD_BYTES, 1, 0, 2, false, "allow");
    }
}
