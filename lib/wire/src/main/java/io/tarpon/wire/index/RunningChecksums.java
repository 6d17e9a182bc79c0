package io.tarpon.wire.index;

import java.nio.ByteBuffer;
import java.util.zip.CRC32C;

/// The four checksums that run along a shard as it is written: of the shard, the open block, its open sub-block and
/// the open sample. Each byte is summed once, up to the next end of a sample or a sub-block, and what runs further is
/// joined from that: where the runtime has no instruction for it (an executable), a pass over a GiB costs 0.6 s.
/// Not safe for several threads.
final class RunningChecksums {
    private final CRC32C piece = new CRC32C();
    private long pieceBytes;
    private final JoinedCrc shard = new JoinedCrc();
    private final JoinedCrc block = new JoinedCrc();
    private final JoinedCrc subBlock = new JoinedCrc();
    private final JoinedCrc sample = new JoinedCrc();

    /// Takes the next bytes, up to the buffer's limit; none of the four may end inside them.
    void update(ByteBuffer bytes) {
        pieceBytes += bytes.remaining();
        piece.update(bytes);
    }

    /// Of the blocks that have ended.
    int shard() {
        return shard.value();
    }

    /// After the end of its last sub-block.
    int endBlock() {
        shard.append(block);
        return end(block);
    }

    int endSubBlock() {
        endPiece();
        block.append(subBlock);
        return end(subBlock);
    }

    int endSample() {
        endPiece();
        return end(sample);
    }

    private void endPiece() {
        int crc = (int) piece.getValue();
        subBlock.append(crc, pieceBytes);
        sample.append(crc, pieceBytes);
        piece.reset();
        pieceBytes = 0;
    }

    private static int end(JoinedCrc crc) {
        int value = crc.value();
        crc.reset();
        return value;
    }
}
