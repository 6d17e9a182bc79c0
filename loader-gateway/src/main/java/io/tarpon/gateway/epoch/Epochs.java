package io.tarpon.gateway.epoch;

import io.tarpon.gateway.body.Answer;
import io.tarpon.gateway.body.Body;
import io.tarpon.gateway.body.Content;
import io.tarpon.gateway.body.Segment;
import io.tarpon.gateway.catalog.Projection;
import io.tarpon.gateway.catalog.SealedSplit;
import io.tarpon.gateway.catalog.SealedVersions;
import io.tarpon.gateway.catalog.ShardLists;
import io.tarpon.gateway.flow.HeapBudget;
import io.tarpon.gateway.order.EpochPart;
import io.tarpon.gateway.order.Partition;
import io.tarpon.gateway.order.Share;
import io.tarpon.gateway.target.EpochOptions;
import io.tarpon.gateway.target.EpochQuery;
import io.tarpon.gateway.target.EpochTarget;
import io.tarpon.wire.Digests;
import io.tarpon.wire.json.Json;
import io.tarpon.wire.metadata.VersionRecord;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// From what a URL below `/e` asks for to the body that answers it.
///
/// Threads: any; nothing blocks.
public final class Epochs {
    private static final String JSON = "application/json";

    private final SealedVersions versions;
    private final ShardLists lists;
    private final EpochBodies bodies;
    private final EpochPositions positions;

    public Epochs(SealedVersions versions, ShardLists lists, EpochBodies bodies, EpochPositions positions) {
        this.versions = versions;
        this.lists = lists;
        this.bodies = bodies;
        this.positions = positions;
    }

    /// How an answer is asked for. Base and heap are asked for where they are needed, on the calling thread.
    ///
    /// @param fromStart whether only a read from the first byte on is meant
    /// @param base of absolute URLs, `http://host:port`
    /// @param heap what the answer holds is charged to
    public record Asking(boolean fromStart, Supplier<String> base, Supplier<HeapBudget.Charge> heap) {}

    /// Fails with a [io.tarpon.wire.http.TarponException].
    ///
    /// @param query as sent, without its question mark; null where there is none
    public CompletableFuture<Answer> open(EpochTarget target, @Nullable String query, Asking asking) {
        var question = question(target, query, asking);
        if (target.version() == null) {
            return versions.latest(target.dataset())
                    .thenApply(version -> new Answer.Elsewhere("/e/" + target.dataset() + "/" + version.version()
                            + target.rest() + (query == null ? "" : "?" + query)));
        }
        return versions.of(target.dataset(), target.version())
                .thenCompose(version -> split(version, target).thenCompose(question::ask));
    }

    @FunctionalInterface
    private interface Question {
        CompletableFuture<Answer> ask(SealedSplit split);
    }

    /// Reads the query first: what is wrong with it is wrong with any version.
    private Question question(EpochTarget target, @Nullable String query, Asking asking) {
        return switch (target.thing()) {
            case EpochTarget.Tar tar -> {
                var options = EpochQuery.tar(query);
                var share = options.share(tar);
                yield split -> bodies.open(split, ask(target, options, share), asking.fromStart)
                        .thenApply(body ->
                                new Answer.Here(body, split.shards().versionName(), part(target, split, share)));
            }
            case EpochTarget.Manifest rank -> {
                var options = EpochQuery.manifest(query);
                var base = asking.base.get();
                yield split -> {
                    var samples = split.shards().samples();
                    var manifest = new EpochManifest(
                            base, target, rank, split.version().version(), options, samples);
                    return bodies.open(split, ask(target, options.epoch(), manifest.share()), true)
                            .thenApply(body -> here(
                                    split,
                                    json(
                                            split,
                                            Json.bytes(manifest.document(
                                                    body.content().length())))));
                };
            }
            case EpochTarget.Positions _ -> {
                var options = EpochQuery.positions(query);
                var heap = asking.heap.get();
                yield split -> positions
                        .open(split, target.seed(), target.epoch(), options, heap)
                        .thenApply(body -> here(split, body));
            }
        };
    }

    private CompletableFuture<SealedSplit> split(VersionRecord version, EpochTarget target) {
        return lists.of(version, target.split()).thenApply(shards -> SealedSplit.of(version, shards));
    }

    private static EpochBodies.Ask ask(EpochTarget target, EpochOptions options, Share share) {
        var projection = new Projection(Set.copyOf(options.fields()));
        return new EpochBodies.Ask(target.seed(), target.epoch(), share, options.shuffle(), projection);
    }

    private static EpochPart part(EpochTarget target, SealedSplit split, Share share) {
        var samples = new Partition(share, split.shards().samples()).samples();
        return new EpochPart(
                target.dataset(),
                split.version().version(),
                target.split(),
                target.seed(),
                target.epoch(),
                share,
                samples);
    }

    private static Answer.Here here(SealedSplit split, Body body) {
        return new Answer.Here(body, split.shards().versionName());
    }

    private static Body json(SealedSplit split, byte[] bytes) {
        var etag = "\"" + Digests.sha256Hex(bytes) + "\"";
        return new Body(JSON, etag, split.sealedAt(), false, Content.of(Segment.Literal.of(bytes)));
    }
}
