package io.tarpon.blocks.disk;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.tarpon.wire.Digests;
import io.tarpon.wire.block.BlockFileHeader;
import io.tarpon.wire.block.BlockId;
import io.tarpon.wire.index.ShardIndex;
import io.tarpon.wire.index.ShardIndexBuilder;
import io.tarpon.wire.tar.Ustar;
import io.tarpon.wire.tar.UstarHeader;
import java.io.ByteArrayOutputStream;
import java.util.Arrays;
import java.util.Random;

/// A shard in memory, of blocks of some KiB, whose lengths are no multiples of a sub-block.
record SmallShard(byte[] tar, ShardIndex index) {
    static final int SUB_BLOCK_BYTES = 512;
    private static final int SAMPLES = 40;
    private static final int MOST_SAMPLE_BYTES = 4_000;
    private static final int BLOCK_BYTES = 8_192;

    static SmallShard random(long seed) {
        var random = new Random(seed);
        var builder = new ShardIndexBuilder(BLOCK_BYTES, SUB_BLOCK_BYTES);
        var tar = new ByteArrayOutputStream();
        for (var i = 0; i < SAMPLES; i++) {
            var data = new byte[1 + random.nextInt(MOST_SAMPLE_BYTES)];
            random.nextBytes(data);
            var key = "sample%05d".formatted(i);
            builder.beginSample(key);
            builder.member("bin", data.length);
            tar.writeBytes(UstarHeader.encode((key + ".bin").getBytes(US_ASCII), data.length));
            tar.writeBytes(Arrays.copyOf(data, (int) Ustar.paddedLength(data.length)));
        }
        tar.writeBytes(Ustar.end());
        builder.bytes(tar.toByteArray(), 0, tar.size());
        return new SmallShard(tar.toByteArray(), builder.finish(Digests.sha256().digest(tar.toByteArray())));
    }

    BlockFileHeader header(int block) {
        return BlockFileHeader.of(index.layout(), block);
    }

    BlockId id(int block) {
        return header(block).id();
    }

    byte[] block(int number) {
        var block = index.block(number);
        return Arrays.copyOfRange(tar, (int) block.offset(), (int) block.end());
    }

    /// The bytes of the block's file.
    byte[] file(int number) {
        var file = Arrays.copyOf(
                header(number).encode(), Math.toIntExact(header(number).fileBytes()));
        System.arraycopy(block(number), 0, file, BlockFileHeader.BYTES, block(number).length);
        return file;
    }
}
