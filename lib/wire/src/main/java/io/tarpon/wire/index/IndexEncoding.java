package io.tarpon.wire.index;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.IntBuffer;

/// Writes the columns of an index in the order of [ShardIndexFormat].
final class IndexEncoding {
    private IndexEncoding() {}

    static void write(ShardIndex index, DataOutputStream out) throws IOException {
        int samples = index.sampleCount();
        ShardLayout layout = index.layout();
        BlockTable blocks = layout.blocks();
        out.writeInt(ShardIndexFormat.MAGIC);
        out.writeInt(ShardIndexFormat.FORMAT);
        out.write(layout.sha256());
        out.writeLong(layout.shardBytes());
        out.writeInt(layout.shardCrc32c());
        out.writeInt(blocks.targetBytes());
        out.writeInt(blocks.subBlockBytes());
        out.writeInt(samples);
        out.writeInt(layout.memberColumns().columns().size());
        out.writeInt(blocks.count());
        ints(out, layout.offsets512(), samples);
        ints(out, layout.sampleCrcs(), samples);
        for (ExtensionColumn column : layout.memberColumns().columns()) {
            extension(out, column, samples);
        }
        keys(out, index.keys(), samples);
        ints(out, blocks.firstSample(), blocks.count());
        ints(out, blocks.offset512(), blocks.count());
        ints(out, blocks.crc32c(), blocks.count());
        ints(out, blocks.subCrc32c(), blocks.subCrc32c().limit());
    }

    private static void extension(DataOutputStream out, ExtensionColumn column, int samples) throws IOException {
        byte[] name = column.extension().getBytes(US_ASCII);
        out.writeByte(name.length);
        out.write(name);
        Presence presence = column.presence();
        out.writeInt(presence.count());
        out.writeByte(column.width());
        int[] ordinals = presence.ordinals();
        if (presence.sparse()) {
            ints(out, IntBuffer.wrap(ordinals), ordinals.length);
        } else {
            byte[] bitmap = new byte[(samples + 7) >>> 3];
            for (int ordinal : ordinals) {
                bitmap[ordinal >>> 3] |= (byte) (1 << (ordinal & 7));
            }
            out.write(bitmap);
        }
        for (int rank = 0; rank < ordinals.length; rank++) {
            if (column.width() == Long.BYTES) {
                out.writeLong(column.sizeAt(rank));
            } else {
                out.writeInt((int) column.sizeAt(rank));
            }
        }
    }

    private static void keys(DataOutputStream out, KeyColumn keys, int samples) throws IOException {
        for (int i = 0; i < samples; i++) {
            out.writeByte(keys.start()[i + 1] - keys.start()[i]);
        }
        out.write(keys.bytes());
        ints(out, IntBuffer.wrap(keys.sorted()), samples);
    }

    private static void ints(DataOutputStream out, IntBuffer column, int count) throws IOException {
        for (int i = 0; i < count; i++) {
            out.writeInt(column.get(i));
        }
    }
}
