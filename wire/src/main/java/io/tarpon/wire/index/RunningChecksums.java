package io.tarpon.wire.index;

import java.nio.ByteBuffer;
import java.util.zip.CRC32C;

/// The four checksums that run along a shard as it is written: of the shard, the open block, its open sub-block and
/// the open sample. Not safe for several threads.
final class RunningChecksums {
    private final CRC32C shard = new CRC32C();
    private final CRC32C block = new CRC32C();
    private final CRC32C subBlock = new CRC32C();
    private final CRC32C sample = new CRC32C();

    /// Takes the next bytes, up to the buffer's limit; none of the four may end inside them.
    void update(ByteBuffer bytes) {
        shard.update(bytes.duplicate());
        block.update(bytes.duplicate());
        subBlock.update(bytes.duplicate());
        sample.update(bytes);
    }

    int shard() {
        return (int) shard.getValue();
    }

    int endBlock() {
        return end(block);
    }

    int endSubBlock() {
        return end(subBlock);
    }

    int endSample() {
        return end(sample);
    }

    private static int end(CRC32C crc) {
        int value = (int) crc.getValue();
        crc.reset();
        return value;
    }
}
