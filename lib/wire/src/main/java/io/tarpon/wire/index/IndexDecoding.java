package io.tarpon.wire.index;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.tarpon.wire.format.CorruptFormatException;
import io.tarpon.wire.key.KeyPolicy;
import io.tarpon.wire.tar.Ustar;
import java.nio.IntBuffer;
import java.util.ArrayList;
import java.util.List;

/// Reads the columns of an index in the order of [ShardIndexFormat], and holds every number against the others. What
/// the form leaves open (a set bit past the last sample, a width too large) the comparison with the canonical bytes
/// finds.
final class IndexDecoding {
    private final IndexBytes in;

    IndexDecoding(IndexBytes in) {
        this.in = in;
    }

    ShardIndex index() throws CorruptFormatException {
        byte[] sha256 = in.array(32, "the digest");
        long shardBytes = in.int64("the shard's length");
        int shardCrc = in.int32("the shard's CRC");
        int targetBytes = in.int32("the block target");
        int subBlockBytes = in.int32("the sub-block size");
        int samples = in.count("number of samples", 1);
        int extensions = in.count("number of extensions", 1);
        int blockCount = in.count("number of blocks", 1);
        requireSizes(shardBytes, targetBytes, subBlockBytes);
        int[] offset512 = in.ints(samples, samples + 1, "sample offsets");
        offset512[samples] = (int) ((shardBytes - Ustar.END_BYTES) >>> 9);
        int[] sampleCrcs = in.ints(samples, samples, "sample CRCs");
        MemberColumns members = members(samples, extensions);
        requireTiles(offset512, members.sampleLengths(samples));
        KeyColumn keys = keys(samples);
        BlockTable blocks = new BlockDecoding(in).table(targetBytes, subBlockBytes, blockCount, shardBytes, offset512);
        in.end();
        ShardLayout layout = new ShardLayout(
                sha256, shardCrc, IntBuffer.wrap(offset512), IntBuffer.wrap(sampleCrcs), members, blocks);
        ShardIndex index = new ShardIndex(layout, keys);
        requireNames(index);
        return index;
    }

    private void requireSizes(long shardBytes, int targetBytes, int subBlockBytes) throws CorruptFormatException {
        if (shardBytes <= Ustar.END_BYTES || shardBytes > (0xffff_ffffL << 9) || shardBytes % 512 != 0) {
            throw in.corrupt("shard length out of range: " + shardBytes);
        }
        if (targetBytes < 512 || targetBytes > BlockCutter.TARGET_BYTES || targetBytes % 512 != 0) {
            throw in.corrupt("block target out of range: " + targetBytes);
        }
        if (subBlockBytes < 512 || subBlockBytes > BlockCutter.MAX_BLOCK_BYTES || subBlockBytes % 512 != 0) {
            throw in.corrupt("sub-block size out of range: " + subBlockBytes);
        }
    }

    private MemberColumns members(int samples, int extensions) throws CorruptFormatException {
        List<ExtensionColumn> columns = new ArrayList<>();
        String previous = "";
        for (int i = 0; i < extensions; i++) {
            String extension = new String(in.array(in.uint8("an extension"), "an extension"), ISO_8859_1);
            if (!KeyPolicy.isFinalExtension(extension) || extension.compareTo(previous) <= 0) {
                throw in.corrupt("extension number " + i + " is out of order or none");
            }
            columns.add(column(extension, samples));
            previous = extension;
        }
        return MemberColumns.of(samples, columns);
    }

    private ExtensionColumn column(String extension, int samples) throws CorruptFormatException {
        int count = in.count("number of members", 1);
        if (count > samples) {
            throw in.corrupt("more members " + extension + " than samples");
        }
        int width = in.uint8("a width");
        int[] ordinals = Presence.isSparse(samples, count) ? ordinals(count, samples) : bitmap(count, samples);
        return ExtensionColumn.of(extension, Presence.of(samples, ordinals), sizes(count, width));
    }

    private long[] sizes(int count, int width) throws CorruptFormatException {
        if (width != Integer.BYTES && width != Long.BYTES) {
            throw in.corrupt("width of sizes is neither 4 nor 8: " + width);
        }
        int words = width / Integer.BYTES;
        int[] raw = in.ints(Math.multiplyExact(count, words), count * words, "sizes");
        long[] sizes = new long[count];
        for (int i = 0; i < count; i++) {
            long low = Integer.toUnsignedLong(raw[i * words + words - 1]);
            sizes[i] = words == 1 ? low : (long) raw[2 * i] << 32 | low;
            if (sizes[i] < 0 || sizes[i] > Ustar.MAX_MEMBER_BYTES) {
                throw in.corrupt("member size out of range: " + sizes[i]);
            }
        }
        return sizes;
    }

    private int[] ordinals(int count, int samples) throws CorruptFormatException {
        int[] ordinals = in.ints(count, count, "ordinals");
        for (int i = 0; i < count; i++) {
            if (ordinals[i] < 0 || ordinals[i] >= samples || (i > 0 && ordinals[i] <= ordinals[i - 1])) {
                throw in.corrupt("ordinals of an extension are out of order or range");
            }
        }
        return ordinals;
    }

    private int[] bitmap(int count, int samples) throws CorruptFormatException {
        byte[] bitmap = in.array((samples + 7) >>> 3, "a bitmap");
        int[] ordinals = new int[count];
        int found = 0;
        for (int sample = 0; sample < samples; sample++) {
            if ((bitmap[sample >>> 3] >>> (sample & 7) & 1) == 1) {
                if (found == count) {
                    throw in.corrupt("bitmap has more members than its count " + count);
                }
                ordinals[found++] = sample;
            }
        }
        if (found != count) {
            throw in.corrupt("bitmap has " + found + " members, not " + count);
        }
        return ordinals;
    }

    private void requireTiles(int[] offset512, long[] lengths) throws CorruptFormatException {
        long offset = 0;
        for (int i = 0; i < lengths.length; i++) {
            if (Integer.toUnsignedLong(offset512[i]) << 9 != offset || lengths[i] == 0) {
                throw in.corrupt("sample " + i + " does not begin where the one before it ends, or is empty");
            }
            offset += lengths[i];
        }
        if (Integer.toUnsignedLong(offset512[lengths.length]) << 9 != offset) {
            throw in.corrupt("samples do not fill the shard");
        }
    }

    private KeyColumn keys(int samples) throws CorruptFormatException {
        byte[] lengths = in.array(samples, "key lengths");
        int[] start = new int[samples + 1];
        for (int i = 0; i < samples; i++) {
            start[i + 1] = Math.addExact(start[i], lengths[i] & 0xff);
        }
        KeyColumn keys =
                new KeyColumn(start, in.array(start[samples], "keys"), in.ints(samples, samples, "ordinals by key"));
        for (int i = 0; i < samples; i++) {
            int ordinal = keys.sorted()[i];
            boolean inRange = ordinal >= 0 && ordinal < samples;
            if (!inRange || (i > 0 && keys.compare(keys.sorted()[i - 1], ordinal) >= 0)) {
                throw in.corrupt("keys are out of order or repeated");
            }
        }
        return keys;
    }

    private void requireNames(ShardIndex index) throws CorruptFormatException {
        for (int i = 0; i < index.sampleCount(); i++) {
            if (!KeyPolicy.isTarKey(index.key(i))) {
                throw in.corrupt("key of sample " + i + " is none of a sample in a tar");
            }
        }
    }
}
