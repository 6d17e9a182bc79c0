package io.tarpon.metadata.image;

import io.tarpon.wire.DatasetName;
import io.tarpon.wire.ShardName;
import io.tarpon.wire.ShardRef;
import io.tarpon.wire.SplitName;
import io.tarpon.wire.VersionId;
import io.tarpon.wire.metadata.PlannedShard;
import io.tarpon.wire.metadata.ShardRecord;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/// One shard of a split, as planned and, later, as sealed. An image has many of these and little else, so its record
/// stays in [PackedShard] bytes, a fifth of its size, until it is asked for.
///
/// Its own bytes: the revision of the entry that planned or sealed it (i64), a byte that says whether it is sealed
/// and lies under another's keys, that one's version (i32), number (i32) and split (u16 and UTF-8), and the record.
final class Shard {
    private static final int SEALED = 1;
    private static final int HAS_HOME = 2;

    /// Of the entry that planned or sealed it.
    final long revision;

    private final boolean sealed;
    /// Under whose keys it lies, of the same dataset; null where it is its own.
    private final @Nullable ShardRef home;
    private final ByteBuffer packed;

    private Shard(long revision, boolean sealed, @Nullable ShardRef home, ByteBuffer packed) {
        this.revision = revision;
        this.sealed = sealed;
        this.home = home;
        this.packed = packed;
    }

    static Shard planned(PlannedShard planned, long revision) {
        return of(
                new ShardRecord(
                        planned.name(),
                        planned.samples(),
                        planned.bytes(),
                        planned.planSha256(),
                        null,
                        null,
                        planned.planName()),
                revision);
    }

    static Shard of(ShardRecord record, long revision) {
        return new Shard(revision, record.seal() != null, record.home(), ByteBuffer.wrap(PackedShard.pack(record)));
    }

    static Shard decode(DatasetName dataset, byte[] bytes) {
        var in = ByteBuffer.wrap(bytes);
        var revision = in.getLong();
        var flags = in.get();
        var home = (flags & HAS_HOME) == 0 ? null : home(dataset, in);
        return new Shard(revision, (flags & SEALED) != 0, home, in.slice());
    }

    private static ShardRef home(DatasetName dataset, ByteBuffer in) {
        var version = new VersionId(in.getInt());
        var shard = new ShardName(in.getInt());
        var split = new byte[Short.toUnsignedInt(in.getShort())];
        in.get(split);
        return new ShardRef(dataset, version, new SplitName(new String(split, StandardCharsets.UTF_8)), shard);
    }

    byte[] encode() {
        var out = new ByteArrayOutputStream();
        out.writeBytes(ByteBuffer.allocate(Long.BYTES + 1)
                .putLong(revision)
                .put((byte) ((sealed ? SEALED : 0) | (home == null ? 0 : HAS_HOME)))
                .array());
        if (home != null) {
            var split = home.split().value().getBytes(StandardCharsets.UTF_8);
            out.writeBytes(ByteBuffer.allocate(2 * Integer.BYTES + Short.BYTES)
                    .putInt(home.version().number())
                    .putInt(home.shard().index())
                    .putShort((short) split.length)
                    .array());
            out.writeBytes(split);
        }
        out.write(packed.array(), packed.arrayOffset(), packed.limit());
        return out.toByteArray();
    }

    boolean isSealed() {
        return sealed;
    }

    @Nullable
    ShardRef home() {
        return home;
    }

    /// The 32 bytes of what is sealed. Only of a sealed one.
    byte[] sha256() {
        return PackedShard.sha256(packed.duplicate());
    }

    ShardRecord record(ShardName name) {
        return PackedShard.unpack(name, home, packed.duplicate());
    }
}
