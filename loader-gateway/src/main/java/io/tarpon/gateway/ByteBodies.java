package io.tarpon.gateway;

import io.tarpon.gateway.body.Answer;
import io.tarpon.gateway.body.Body;
import io.tarpon.gateway.body.Content;
import io.tarpon.gateway.body.SealedShard;
import io.tarpon.gateway.body.Segment;
import io.tarpon.gateway.catalog.KeySearch;
import io.tarpon.gateway.catalog.SealedVersions;
import io.tarpon.gateway.catalog.ShardLists;
import io.tarpon.gateway.catalog.SplitLayout.Sample;
import io.tarpon.gateway.catalog.SplitLayouts;
import io.tarpon.gateway.catalog.SplitShards;
import io.tarpon.gateway.target.ByteTarget;
import io.tarpon.gateway.target.Percent;
import io.tarpon.wire.ShardName;
import io.tarpon.wire.http.ProblemType;
import io.tarpon.wire.http.TarponException;
import io.tarpon.wire.index.MemberPlace;
import io.tarpon.wire.metadata.VersionRecord;
import io.tarpon.wire.tar.Ustar;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// From what a URL asks for to the body that answers it.
///
/// Threads: any; nothing blocks.
public final class ByteBodies {
    private static final String TAR = "application/x-tar";
    private static final String OCTETS = "application/octet-stream";

    private final SealedVersions versions;
    private final ShardLists lists;
    private final SplitLayouts layouts;
    private final KeySearch keys;
    private final ListBodies listBodies;

    ByteBodies(SealedVersions versions, ShardLists lists, SplitLayouts layouts, KeySearch keys, ListBodies listBodies) {
        this.versions = versions;
        this.lists = lists;
        this.layouts = layouts;
        this.keys = keys;
        this.listBodies = listBodies;
    }

    /// Fails with a [TarponException].
    ///
    /// @param base of absolute URLs, `http://host:port`; asked for where it is needed, on the calling thread's
    /// request
    public CompletableFuture<Answer> open(ByteTarget target, Supplier<String> base) {
        if (target.version() == null) {
            return versions.latest(target.dataset())
                    .thenApply(version ->
                            new Answer.Elsewhere("/d/" + target.dataset() + "/" + version.version() + target.rest()));
        }
        return versions.of(target.dataset(), target.version())
                .thenCompose(version -> lists.of(version, target.split())
                        .thenCompose(shards -> body(target, version, shards, base)
                                .thenApply(body -> new Answer.Here(body, shards.versionName()))));
    }

    private CompletableFuture<Body> body(
            ByteTarget target, VersionRecord version, SplitShards shards, Supplier<String> base) {
        var sealedAt = Objects.requireNonNull(version.sealedAt(), "a sealed version has a time");
        return switch (target.thing()) {
            case ByteTarget.Tar(var name) ->
                CompletableFuture.completedFuture(tar(shards, shard(shards, name), sealedAt));
            case ByteTarget.Idx(var name) -> listBodies.idx(shard(shards, name), sealedAt);
            case ByteTarget.Wids _ -> listBodies.wids(shards, base.get(), sealedAt);
            case ByteTarget.Urls _ -> listBodies.urls(shards, base.get(), sealedAt);
            case ByteTarget.Ordinal(var ordinal, var extension) -> part(shards, ordinal, extension, sealedAt);
            case ByteTarget.Key(var key, var extension) ->
                keys.find(shards, key)
                        .thenApply(found -> found.orElseThrow(() -> unknownSample(target, "key '" + key + "'")))
                        .thenCompose(ordinal -> part(shards, ordinal, extension, sealedAt));
        };
    }

    private CompletableFuture<Body> part(
            SplitShards shards, long ordinal, @Nullable String extension, Instant sealedAt) {
        if (shards.shardOf(ordinal).isEmpty()) {
            throw new TarponException(
                    ProblemType.UNKNOWN_SAMPLE,
                    "there is no sample " + ordinal + ": the split has " + shards.samples()
                            + " samples, numbered from 0");
        }
        return layouts.sample(shards, ordinal)
                .thenApply(sample ->
                        extension == null ? sample(sample, sealedAt) : member(sample, ordinal, extension, sealedAt));
    }

    private static SealedShard shard(SplitShards shards, ShardName name) {
        if (name.index() >= shards.count()) {
            throw new TarponException(
                    ProblemType.UNKNOWN_SHARD,
                    "there is no " + name + ": the split has " + shards.count() + " shards, the last is "
                            + new ShardName(shards.count() - 1));
        }
        return shards.shard(name.index());
    }

    /// Where its blocks are is looked up for who reads it: a HEAD needs what metadata-svc knows, and no more.
    private Body tar(SplitShards shards, SealedShard shard, Instant sealedAt) {
        var number = shard.ref().shard().index();
        var content = new Content(
                shard.bytes(),
                (from, to) -> layouts.shard(shards, number)
                        .thenApply(laidOut -> List.<Segment>of(new Segment.ShardRange(laidOut, from, to, false))
                                .iterator()));
        return new Body(TAR, "\"" + shard.sha256() + "\"", sealedAt, true, content);
    }

    private static Body sample(Sample found, Instant sealedAt) {
        var content =
                Content.of(new Segment.WholeSample(found.shard(), found.inside()), Segment.Literal.of(Ustar.end()));
        return new Body(TAR, etag(found, ""), sealedAt, true, content);
    }

    private static Body member(Sample found, long ordinal, String extension, Instant sealedAt) {
        var members = found.shard().layout().members(found.inside());
        var member = members.stream()
                .filter(one -> one.extension().equals(extension))
                .findFirst()
                .orElseThrow(() -> unknownMember(members, ordinal, extension));
        var from = member.dataOffset();
        var content = Content.of(new Segment.ShardRange(found.shard(), from, from + member.size(), false));
        return new Body(OCTETS, etag(found, "-" + extension), sealedAt, true, content);
    }

    private static String etag(Sample found, String suffix) {
        return "\"" + found.shard().shard().sha256() + "-" + found.inside() + suffix + "\"";
    }

    private static TarponException unknownSample(ByteTarget target, String what) {
        return new TarponException(
                ProblemType.UNKNOWN_SAMPLE,
                "no sample of " + target.dataset() + "/" + target.version() + "/" + target.split() + " has the "
                        + Percent.printable(what));
    }

    private static TarponException unknownMember(List<MemberPlace> members, long ordinal, String extension) {
        var has = members.stream().map(MemberPlace::extension).collect(Collectors.joining(", "));
        return new TarponException(
                ProblemType.UNKNOWN_MEMBER,
                "sample " + ordinal + " has no member '" + Percent.printable(extension) + "'; it has " + has);
    }
}
