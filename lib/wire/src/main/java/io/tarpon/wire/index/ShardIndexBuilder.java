package io.tarpon.wire.index;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.tarpon.wire.key.KeyPolicy;
import io.tarpon.wire.plan.PlannedMember;
import io.tarpon.wire.plan.PlannedSample;
import io.tarpon.wire.tar.Ustar;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Map;
import java.util.TreeMap;

/// Builds the index of a shard while the shard is written. Samples are declared in tar order, each whole, before any
/// of their bytes; declarations may run ahead of the bytes by any number of samples. Then come the two zero blocks, and
/// [#finish]. Holds the index only, never the shard. Owned by one thread.
public final class ShardIndexBuilder {
    /// The unit of verification, in bytes.
    public static final int SUB_BLOCK_BYTES = 64 << 10;

    private static final long MAX_SHARD_BYTES = (0xffff_ffffL << 9) - Ustar.END_BYTES;

    private final BlockCutter cutter;
    private final int blockTargetBytes;
    private final int subBlockBytes;
    private final Map<String, ExtensionRun> extensions = new TreeMap<>();
    private final ByteArrayOutputStream keyBytes = new ByteArrayOutputStream();
    private final IntColumn keyStart = new IntColumn();
    private final IntColumn offset512 = new IntColumn();
    private final IntColumn sampleCrc = new IntColumn();
    private final BlockRun blocks = new BlockRun();
    private final ArrayDeque<Long> cuts = new ArrayDeque<>();
    private final RunningChecksums checksums = new RunningChecksums();

    private long declared;
    private long position;
    private long blockStart;
    private boolean sampleOpen;
    private String lastExtension = "";
    private String lastKey = "";

    public ShardIndexBuilder() {
        this(BlockCutter.TARGET_BYTES, SUB_BLOCK_BYTES);
    }

    /// Other sizes than those of every shard written now, for tests of the edges.
    ///
    /// @param subBlockBytes a multiple of 512
    public ShardIndexBuilder(int blockTargetBytes, int subBlockBytes) {
        if (subBlockBytes < 512 || subBlockBytes % 512 != 0) {
            throw new IllegalArgumentException("sub-block size out of range: " + subBlockBytes);
        }
        this.cutter = new BlockCutter(blockTargetBytes);
        this.blockTargetBytes = blockTargetBytes;
        this.subBlockBytes = subBlockBytes;
        offset512.add(0);
        keyStart.add(0);
        blocks.begin(0, 0);
    }

    /// Declares a sample with all its members.
    public void sample(PlannedSample sample) {
        beginSample(sample.key());
        for (PlannedMember member : sample.members()) {
            member(member.extension(), member.size());
        }
    }

    /// Declares the next sample; its members follow.
    public void beginSample(String key) {
        endDeclaration();
        if (position > declared) {
            throw new IllegalStateException("a sample after the end of the shard: " + key);
        }
        if (!KeyPolicy.isTarKey(key)) {
            throw new IllegalArgumentException("not a key of a sample in a tar: " + key);
        }
        keyBytes.writeBytes(key.getBytes(UTF_8));
        keyStart.add(keyBytes.size());
        lastKey = key;
        lastExtension = "";
        sampleOpen = true;
    }

    /// Declares the next member of the sample, in byte order of extensions.
    public void member(String extension, long size) {
        if (!sampleOpen || !KeyPolicy.isFinalExtension(extension) || extension.compareTo(lastExtension) <= 0) {
            throw new IllegalArgumentException(
                    "member out of order or with a bad extension: " + lastKey + '.' + extension);
        }
        if (lastKey.length() + 1 + extension.length() > KeyPolicy.MAX_NAME_BYTES) {
            throw new IllegalArgumentException("member name is over 100 bytes: " + lastKey + '.' + extension);
        }
        declared += Ustar.memberLength(size);
        if (declared > MAX_SHARD_BYTES) {
            throw new IllegalArgumentException("shard is over 2 TiB");
        }
        extensions.computeIfAbsent(extension, e -> new ExtensionRun()).add(keyStart.size() - 2, size);
        lastExtension = extension;
    }

    /// Takes the next tar bytes as written: headers, data, padding, in the end the two zero blocks.
    public void bytes(byte[] bytes, int offset, int length) {
        bytes(ByteBuffer.wrap(bytes, offset, length));
    }

    /// Takes the buffer's remaining bytes as the next of the tar; its position moves to its limit.
    public void bytes(ByteBuffer bytes) {
        endDeclaration();
        int limit = bytes.limit();
        while (bytes.hasRemaining()) {
            closeFullBlock();
            int length = (int) Math.min(bytes.remaining(), nextBorder() - position);
            if (length == 0) {
                throw new IllegalStateException("bytes past what was declared, at shard offset " + position);
            }
            checksums.update(bytes.limit(bytes.position() + length));
            bytes.limit(limit);
            position += length;
            closeSampleAndSubBlock();
        }
    }

    /// The index of the shard, all of whose bytes were taken.
    ///
    /// @param shardSha256 32 bytes
    public ShardIndex finish(byte[] shardSha256) {
        endDeclaration();
        if (sampleCrc.size() == 0 || position != declared + Ustar.END_BYTES || shardSha256.length != 32) {
            throw new IllegalStateException(
                    "shard is not whole: " + position + " of " + (declared + Ustar.END_BYTES) + " bytes");
        }
        closeBlock();
        int samples = sampleCrc.size();
        blocks.begin(samples, position);
        var columns = extensions.entrySet().stream()
                .map(entry -> entry.getValue().column(entry.getKey(), samples))
                .toList();
        var layout = new ShardLayout(
                shardSha256.clone(),
                checksums.shard(),
                offset512.toBuffer(),
                sampleCrc.toBuffer(),
                MemberColumns.of(samples, columns),
                blocks.table(blockTargetBytes, subBlockBytes));
        return new ShardIndex(layout, KeyColumn.of(keyStart.toArray(), keyBytes.toByteArray()));
    }

    private void endDeclaration() {
        if (!sampleOpen) {
            return;
        }
        if (lastExtension.isEmpty()) {
            throw new IllegalStateException("a sample without a member: " + lastKey);
        }
        sampleOpen = false;
        long start = Integer.toUnsignedLong(offset512.get(offset512.size() - 1)) << 9;
        for (long cut : cutter.add(declared - start)) {
            cuts.add(cut);
        }
        offset512.add((int) (declared >>> 9));
    }

    /// The next offset at which a sample, a sub-block, a block or the shard ends.
    private long nextBorder() {
        long sub = position + subBlockBytes - (position - blockStart) % subBlockBytes;
        Long cut = cuts.peek();
        long border = cut == null ? sub : Math.min(sub, cut);
        boolean inSamples = position < declared;
        return Math.min(border, inSamples ? sampleEnd() : declared + Ustar.END_BYTES);
    }

    private long sampleEnd() {
        return Integer.toUnsignedLong(offset512.get(sampleCrc.size() + 1)) << 9;
    }

    private void closeSampleAndSubBlock() {
        if (position <= declared && position == sampleEndOrMax()) {
            sampleCrc.add(checksums.endSample());
        }
        if ((position - blockStart) % subBlockBytes == 0) {
            blocks.subBlock(checksums.endSubBlock());
        }
    }

    private long sampleEndOrMax() {
        return sampleCrc.size() + 1 < offset512.size() ? sampleEnd() : Long.MAX_VALUE;
    }

    /// A block is closed when the byte after it comes, because the cut may be declared only then.
    private void closeFullBlock() {
        Long cut = cuts.peek();
        if (cut != null && cut == position) {
            cuts.remove();
            closeBlock();
            blockStart = position;
            boolean insideSample = position < declared && position > sampleStart();
            blocks.begin(sampleCrc.size() + (insideSample ? 1 : 0), position);
        }
    }

    private long sampleStart() {
        return Integer.toUnsignedLong(offset512.get(sampleCrc.size())) << 9;
    }

    private void closeBlock() {
        if ((position - blockStart) % subBlockBytes != 0) {
            blocks.subBlock(checksums.endSubBlock());
        }
        blocks.end(checksums.endBlock());
    }
}
