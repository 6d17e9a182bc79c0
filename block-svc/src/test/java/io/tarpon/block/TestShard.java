package io.tarpon.block;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.tarpon.store.ObjectStore;
import io.tarpon.wire.Digests;
import io.tarpon.wire.ObjectKeys;
import io.tarpon.wire.ShardName;
import io.tarpon.wire.ShardRef;
import io.tarpon.wire.block.BlockId;
import io.tarpon.wire.index.ShardIndex;
import io.tarpon.wire.index.ShardIndexBuilder;
import io.tarpon.wire.index.ShardIndexFormat;
import io.tarpon.wire.metadata.FieldTotals;
import io.tarpon.wire.metadata.SealShard;
import io.tarpon.wire.metadata.ShardRecord;
import io.tarpon.wire.tar.Ustar;
import io.tarpon.wire.tar.UstarHeader;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Arrays;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.IntStream;

/// A real shard of random samples, as shard-fn would have left it in the store.
record TestShard(ShardRef ref, byte[] tar, ShardIndex index, SealShard seal) {
    static final int SUB_BLOCK_BYTES = ShardIndexBuilder.SUB_BLOCK_BYTES;
    /// That built it.
    static final String ATTEMPT = "00000000000000a1";

    private static final String NO_PLAN = "0".repeat(64);

    /// @param blockTarget bytes of a block aimed at
    static TestShard random(String path, long seed, int samples, int sampleBytes, int blockTarget) {
        var random = new Random(seed);
        var builder = new ShardIndexBuilder(blockTarget, SUB_BLOCK_BYTES);
        var tar = new ByteArrayOutputStream();
        for (var i = 0; i < samples; i++) {
            var data = new byte[sampleBytes];
            random.nextBytes(data);
            var key = "sample%05d".formatted(i);
            builder.beginSample(key);
            builder.member("bin", sampleBytes);
            tar.writeBytes(UstarHeader.encode((key + ".bin").getBytes(US_ASCII), sampleBytes));
            tar.writeBytes(Arrays.copyOf(data, (int) Ustar.paddedLength(sampleBytes)));
        }
        tar.writeBytes(Ustar.end());
        builder.bytes(tar.toByteArray(), 0, tar.size());
        var index = builder.finish(Digests.sha256().digest(tar.toByteArray()));
        return new TestShard(ShardRef.parse(path), tar.toByteArray(), index, seal(index, (long) samples * sampleBytes));
    }

    /// Puts tar and index where the node looks for them.
    TestShard storedIn(ObjectStore store) throws IOException {
        store.write(ObjectKeys.tar(ref, ATTEMPT), tar);
        store.write(ObjectKeys.index(ref, ATTEMPT), ShardIndexFormat.encode(index));
        return this;
    }

    ShardRecord record() {
        return new ShardRecord(new ShardName(0), index.sampleCount(), tar.length, NO_PLAN, seal);
    }

    /// The same shard as a version names it that kept it.
    ShardRecord keptRecord() {
        return new ShardRecord(new ShardName(0), index.sampleCount(), tar.length, NO_PLAN, ref, seal);
    }

    BlockId id(int block) {
        return BlockId.of(seal.sha256(), block);
    }

    byte[] block(int number) {
        var block = index.block(number);
        return Arrays.copyOfRange(tar, (int) block.offset(), (int) block.end());
    }

    BlockRequest request(int block, FillFrom from) {
        return new BlockRequest(id(block), ref, block, from);
    }

    /// Path and query of a block, as a gateway asks.
    String url(int block) {
        return url(ref, block);
    }

    /// The same by another name of the shard.
    String url(ShardRef name, int block) {
        return "/v1/blocks/" + id(block) + "?shard=" + name.path() + "&block=" + block;
    }

    private static SealShard seal(ShardIndex index, long bytes) {
        var fields = new TreeMap<String, FieldTotals>();
        fields.put("bin", new FieldTotals(index.sampleCount(), bytes));
        var encoded = ShardIndexFormat.encode(index);
        return new SealShard(
                NO_PLAN,
                index.sampleCount(),
                index.shardBytes(),
                index.shardSha256(),
                Digests.crc32cHex(index.shardCrc32c()),
                encoded.length,
                Digests.sha256Hex(encoded),
                fields,
                IntStream.range(0, index.blockCount())
                        .map(number -> index.block(number).firstSample())
                        .boxed()
                        .toList(),
                ATTEMPT);
    }
}
