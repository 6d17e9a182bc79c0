package io.tarpon.metadata.image;

import io.tarpon.wire.ShardName;
import io.tarpon.wire.ShardRef;
import io.tarpon.wire.metadata.FieldTotals;
import io.tarpon.wire.metadata.SealShard;
import io.tarpon.wire.metadata.ShardRecord;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// A shard record as few bytes: digests as they are, numbers seven bits a byte, low ones first, blocks as
/// differences. Its format is part of that of [StoredImage].
///
/// Name and home are not in it. A seal agrees with its plan in plan digest, samples and bytes, which therefore stand
/// once.
final class PackedShard {
    private static final int SHA256_BYTES = 32;
    private static final int CRC32C_BYTES = 4;
    private static final int NAME_BYTES = 8;

    private PackedShard() {}

    /// Throws [IllegalArgumentException] where the seal is not of the plan.
    static byte[] pack(ShardRecord record) {
        var out = new ByteArrayOutputStream();
        put(out, record.samples());
        put(out, record.bytes());
        putHex(out, record.planSha256());
        putName(out, record.planName());
        var seal = record.seal();
        if (seal != null) {
            if (seal.samples() != record.samples()
                    || seal.bytes() != record.bytes()
                    || !seal.planSha256().equals(record.planSha256())) {
                throw new IllegalArgumentException(record.name() + " is sealed otherwise than planned");
            }
            putHex(out, seal.sha256());
            putHex(out, seal.crc32c());
            put(out, seal.indexBytes());
            putHex(out, seal.indexSha256());
            putFields(out, seal);
            putBlocks(out, seal.blocks());
            putName(out, seal.attempt());
        }
        return out.toByteArray();
    }

    /// The 32 bytes of the sealed shard's SHA-256.
    static byte[] sha256(ByteBuffer sealed) {
        get(sealed);
        get(sealed);
        sealed.position(sealed.position() + SHA256_BYTES);
        if (get(sealed) != 0) {
            sealed.position(sealed.position() + NAME_BYTES);
        }
        var sha256 = new byte[SHA256_BYTES];
        sealed.get(sha256);
        return sha256;
    }

    static ShardRecord unpack(ShardName name, @Nullable ShardRef home, ByteBuffer in) {
        var samples = get(in);
        var bytes = get(in);
        var planSha256 = getHex(in, SHA256_BYTES);
        var planName = getName(in);
        if (!in.hasRemaining()) {
            return new ShardRecord(name, samples, bytes, planSha256, home, null, planName);
        }
        var seal = new SealShard(
                planSha256,
                samples,
                bytes,
                getHex(in, SHA256_BYTES),
                getHex(in, CRC32C_BYTES),
                get(in),
                getHex(in, SHA256_BYTES),
                getFields(in),
                getBlocks(in),
                getName(in));
        return new ShardRecord(name, samples, bytes, planSha256, home, seal, planName);
    }

    private static void putFields(ByteArrayOutputStream out, SealShard seal) {
        put(out, seal.fields().size());
        seal.fields().forEach((field, totals) -> {
            var name = field.getBytes(StandardCharsets.UTF_8);
            put(out, name.length);
            out.writeBytes(name);
            put(out, totals.samples());
            put(out, totals.bytes());
        });
    }

    private static SortedMap<String, FieldTotals> getFields(ByteBuffer in) {
        var fields = new TreeMap<String, FieldTotals>();
        for (var left = get(in); left > 0; left--) {
            var name = new byte[(int) get(in)];
            in.get(name);
            fields.put(new String(name, StandardCharsets.UTF_8), new FieldTotals(get(in), get(in)));
        }
        return fields;
    }

    private static void putBlocks(ByteArrayOutputStream out, List<Integer> blocks) {
        put(out, blocks.size());
        var before = 0;
        for (int first : blocks) {
            put(out, first - before);
            before = first;
        }
    }

    private static List<Integer> getBlocks(ByteBuffer in) {
        var count = (int) get(in);
        var blocks = new ArrayList<Integer>(count);
        var first = 0;
        for (var left = count; left > 0; left--) {
            first += (int) get(in);
            blocks.add(first);
        }
        return blocks;
    }

    /// Of a plan or an attempt: 0 where there is none, else 1 and its bytes.
    private static void putName(ByteArrayOutputStream out, @Nullable String name) {
        put(out, name == null ? 0 : 1);
        if (name != null) {
            putHex(out, name);
        }
    }

    private static @Nullable String getName(ByteBuffer in) {
        return get(in) == 0 ? null : getHex(in, NAME_BYTES);
    }

    private static void put(ByteArrayOutputStream out, long value) {
        if (value < 0) {
            throw new IllegalArgumentException(value + " is negative");
        }
        for (; value > 0x7f; value >>>= 7) {
            out.write((int) (value & 0x7f) | 0x80);
        }
        out.write((int) value);
    }

    private static long get(ByteBuffer in) {
        var value = 0L;
        for (int shift = 0; ; shift += 7) {
            var next = in.get();
            value |= (next & 0x7fL) << shift;
            if (next >= 0) {
                return value;
            }
        }
    }

    private static void putHex(ByteArrayOutputStream out, String hex) {
        out.writeBytes(HexFormat.of().parseHex(hex));
    }

    private static String getHex(ByteBuffer in, int length) {
        var bytes = new byte[length];
        in.get(bytes);
        return HexFormat.of().formatHex(bytes);
    }
}
