package io.tarpon.metadata.image;

import io.tarpon.metadata.entry.Change;
import io.tarpon.metadata.entry.Entity;
import io.tarpon.wire.ShardRef;
import io.tarpon.wire.http.ProblemType;
import io.tarpon.wire.http.TarponException;
import io.tarpon.wire.metadata.ShardRecord;
import io.tarpon.wire.metadata.VersionState;
import java.util.List;

/// Records that a shard is built. The guard is the shard alone, so that a thousand seals of one version do not
/// fight. The first seal stays, and with it the attempt whose objects are the shard: a later one of the same bytes
/// changes nothing, and what it wrote is garbage.
public record SealShard(ShardRef ref, io.tarpon.wire.metadata.SealShard seal) implements Command<ShardRecord> {
    public SealShard {
        requireBlocks(seal);
    }

    @Override
    public String idempotenceKey() {
        return "seal/" + ref + "/" + seal.sha256();
    }

    @Override
    public String scope() {
        return new Entity.Shard(ref).toString();
    }

    @Override
    public Decision decide(Image image) {
        var version = image.version(ref.dataset(), ref.version());
        if (version.state == VersionState.PLANNING) {
            throw new TarponException(
                    ProblemType.CONFLICT,
                    "version " + version.path() + " is still planning: plan it, then seal shards");
        }
        if (version.splits.isEmpty()) {
            throw Refusals.ended(version, "takes no shard");
        }
        var record = version.shard(ref).record(ref.shard());
        if (record.seal() != null) {
            return heldAlready(record.sealed());
        }
        if (version.state != VersionState.BUILDING) {
            throw Refusals.ended(version, "takes no shard any more");
        }
        requireAsPlanned(record);
        return Decision.append(image, List.of(new Entity.Shard(ref)), List.of(Change.ShardSealed.of(ref, seal)));
    }

    @Override
    public ShardRecord answer(Image image) {
        return image.version(ref.dataset(), ref.version()).shard(ref).record(ref.shard());
    }

    private Decision heldAlready(io.tarpon.wire.metadata.SealShard held) {
        if (held.hasBytesOf(seal)) {
            return new Decision.AlreadyApplied();
        }
        throw new TarponException(
                ProblemType.CONFLICT,
                "shard " + ref + " is sealed with sha256 " + held.sha256() + " and " + held.bytes()
                        + " bytes; what is sent differs (sha256 " + seal.sha256() + ", " + seal.bytes() + " bytes)");
    }

    private void requireAsPlanned(ShardRecord planned) {
        if (!planned.planSha256().equals(seal.planSha256())) {
            throw differs("planSha256", planned.planSha256(), seal.planSha256());
        }
        if (planned.samples() != seal.samples()) {
            throw differs("samples", planned.samples(), seal.samples());
        }
        if (planned.bytes() != seal.bytes()) {
            throw differs("bytes", planned.bytes(), seal.bytes());
        }
    }

    /// Block by block the first sample that begins in or after it: from 0, never going back.
    private static void requireBlocks(io.tarpon.wire.metadata.SealShard seal) {
        var before = 0;
        for (int i = 0; i < seal.blocks().size(); i++) {
            int first = seal.blocks().get(i);
            if (first < before || first > seal.samples() || (i == 0 && first != 0)) {
                throw TarponException.badParameter("blocks[" + i + "]: block begins with sample " + first + ", after "
                        + before + " of " + seal.samples());
            }
            before = first;
        }
    }

    private TarponException differs(String what, Object planned, Object sealed) {
        return new TarponException(
                ProblemType.CONFLICT,
                "shard " + ref + " is not what was planned: " + what + " is " + sealed + ", planned " + planned);
    }
}
