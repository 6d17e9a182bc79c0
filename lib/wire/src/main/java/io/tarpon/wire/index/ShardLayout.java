package io.tarpon.wire.index;

import io.tarpon.wire.tar.Ustar;
import java.nio.IntBuffer;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.OptionalInt;
import java.util.function.UnaryOperator;

/// Where every byte of one shard is, without the names of its samples: what the byte path needs, in a third of an
/// index's memory. Immutable, safe for any number of threads. Columns: 8 bytes a sample for place and CRC-32C,
/// 4 to 8 for each of its members' sizes, and the blocks. They are on the heap until they are copied elsewhere.
/// Samples tile the shard from offset 0, so a sample's length is the distance to the next. Offsets are shard bytes
/// throughout.
public final class ShardLayout {
    private static final long BYTES = 1024;
    private static final long BYTES_AN_EXTENSION = 320;

    private final byte[] sha256;
    private final int crc32c;
    private final IntBuffer offset512;
    private final IntBuffer sampleCrc32c;
    private final MemberColumns members;
    private final BlockTable blocks;

    ShardLayout(
            byte[] sha256,
            int crc32c,
            IntBuffer offset512,
            IntBuffer sampleCrc32c,
            MemberColumns members,
            BlockTable blocks) {
        this.sha256 = sha256;
        this.crc32c = crc32c;
        this.offset512 = offset512;
        this.sampleCrc32c = sampleCrc32c;
        this.members = members;
        this.blocks = blocks;
    }

    /// SHA-256 of the shard, lower-case hex.
    public String shardSha256() {
        return HexFormat.of().formatHex(sha256);
    }

    /// CRC-32C of the whole shard.
    public int shardCrc32c() {
        return crc32c;
    }

    /// The shard's length, its two zero blocks included.
    public long shardBytes() {
        return samplesEnd() + Ustar.END_BYTES;
    }

    /// Where the last sample ends and the two zero blocks begin.
    public long samplesEnd() {
        return sampleOffset(sampleCount());
    }

    public int sampleCount() {
        return sampleCrc32c.limit();
    }

    /// Where a sample's first header begins; [#samplesEnd] for the ordinal after the last.
    public long sampleOffset(int sample) {
        return Integer.toUnsignedLong(offset512.get(sample)) << 9;
    }

    /// Tar bytes of a sample: headers, data and padding.
    public long sampleLength(int sample) {
        return sampleOffset(sample + 1) - sampleOffset(sample);
    }

    /// CRC-32C of a sample's tar bytes.
    public int sampleCrc32c(int sample) {
        return sampleCrc32c.get(sample);
    }

    /// The sample that holds the byte at `offset`; empty in the zero blocks at the end.
    public OptionalInt sampleAt(long offset) {
        requireInShard(offset);
        return offset >= samplesEnd()
                ? OptionalInt.empty()
                : OptionalInt.of(Unsigned.floor(offset512, sampleCount(), offset >>> 9));
    }

    /// The members of a sample in tar order, which is the byte order of their extensions.
    public List<MemberPlace> members(int sample) {
        int[] have = members.of(sample);
        List<MemberPlace> list = new ArrayList<>(have.length);
        long offset = sampleOffset(sample);
        for (int number : have) {
            ExtensionColumn column = members.columns().get(number);
            MemberPlace member = new MemberPlace(column.extension(), column.size(sample), offset);
            list.add(member);
            offset += member.tarLength();
        }
        return list;
    }

    /// Data bytes of a sample's member, or -1 where the sample has none.
    public long memberSize(int sample, String extension) {
        int number = members.number(extension);
        return number < 0 ? -1 : members.columns().get(number).size(sample);
    }

    /// Whether so many bytes of whole samples, or more, hold a place for [#safeCut], however they are: samples whose
    /// members have a byte each or none are no longer than that.
    public boolean isSafeFrom(long bytesOfSample) {
        return bytesOfSample > 2L * Ustar.BLOCK_BYTES * members.columns().size();
    }

    /// All extensions in byte order, with their samples and data bytes.
    public List<ExtensionCount> extensions() {
        return members.columns().stream()
                .map(column ->
                        new ExtensionCount(column.extension(), column.presence().count(), column.bytes()))
                .toList();
    }

    public int blockCount() {
        return blocks.count();
    }

    /// What its blocks were cut for, in bytes: with where its samples are, it says where each block begins.
    public int blockTargetBytes() {
        return blocks.targetBytes();
    }

    public Block block(int number) {
        return blocks.block(number);
    }

    /// Number of the block that holds the byte at `offset`.
    public int blockAt(long offset) {
        requireInShard(offset);
        return Unsigned.floor(blocks.offset512(), blockCount(), offset >>> 9);
    }

    /// The unit in which blocks are verified, in bytes.
    public int subBlockBytes() {
        return blocks.subBlockBytes();
    }

    /// CRC-32C of each sub-block of a block, in order; the last one may be short.
    public int[] subBlockCrcs(int block) {
        return blocks.subBlockCrcs(block);
    }

    /// The largest offset from `lowerBound` to `offset` at which a stream can be broken so that no tar reader takes
    /// it for the end of the archive: strictly inside the data of a member. -1 where there is none.
    public long safeCut(long lowerBound, long offset) {
        if (offset <= 0 || lowerBound > offset) {
            return -1;
        }
        long within = Math.min(offset, samplesEnd() - 1);
        int sample = Unsigned.floor(offset512, sampleCount(), within >>> 9);
        while (sample >= 0 && sampleOffset(sample + 1) > lowerBound) {
            long cut = lastCut(members(sample), within);
            if (cut >= 0) {
                return cut >= lowerBound ? cut : -1;
            }
            sample--;
        }
        return -1;
    }

    /// Bytes of all columns, a multiple of 4.
    public long columnBytes() {
        return 4L * (offset512.limit() + sampleCrc32c.limit()) + members.columnBytes() + blocks.columnBytes();
    }

    /// Copies all columns into `memory`, from its position on, which moves behind them.
    public void copyColumns(IntBuffer memory) {
        over(column -> {
            memory.put(column.duplicate());
            return column;
        });
    }

    /// The same layout over a copy of its columns, which it uses from now on instead of its own.
    ///
    /// @param columns what [#copyColumns] put, from the position on, which moves behind them; never changed again
    public ShardLayout over(IntBuffer columns) {
        return over(column -> {
            if (column.limit() == 0) {
                return column;
            }
            IntBuffer copy = columns.slice(columns.position(), column.limit()).asReadOnlyBuffer();
            columns.position(columns.position() + column.limit());
            return copy;
        });
    }

    /// Whether its columns lie beside the heap.
    public boolean isMapped() {
        return offset512.isDirect();
    }

    /// Bytes this layout holds on the heap, to within a few percent.
    public long memoryBytes() {
        long shape = BYTES + BYTES_AN_EXTENSION * members.columns().size();
        return shape + (isMapped() ? 0 : columnBytes());
    }

    byte[] sha256() {
        return sha256;
    }

    IntBuffer offsets512() {
        return offset512;
    }

    IntBuffer sampleCrcs() {
        return sampleCrc32c;
    }

    MemberColumns memberColumns() {
        return members;
    }

    BlockTable blocks() {
        return blocks;
    }

    private ShardLayout over(UnaryOperator<IntBuffer> place) {
        return new ShardLayout(
                sha256,
                crc32c,
                place.apply(offset512),
                place.apply(sampleCrc32c),
                members.over(place),
                blocks.over(place));
    }

    private static long lastCut(List<MemberPlace> members, long offset) {
        for (MemberPlace member : members.reversed()) {
            long cut = Math.min(offset, member.dataOffset() + member.size() - 1);
            if (cut > member.dataOffset()) {
                return cut;
            }
        }
        return -1;
    }

    private void requireInShard(long offset) {
        if (offset < 0 || offset >= shardBytes()) {
            throw new IndexOutOfBoundsException("offset " + offset + " is outside a shard of " + shardBytes());
        }
    }
}
