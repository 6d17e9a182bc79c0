package io.tarpon.shard;

import io.tarpon.shard.assembly.ShardAssembly;
import io.tarpon.store.ObjectSource;
import io.tarpon.store.ObjectStore;
import io.tarpon.store.SourceChangedException;
import io.tarpon.store.UnknownSourceException;
import io.tarpon.wire.ObjectKeys;
import io.tarpon.wire.client.MetadataClient;
import io.tarpon.wire.event.TarponEvent.ShardPlanned;
import io.tarpon.wire.format.CorruptFormatException;
import io.tarpon.wire.format.UnknownFormatException;
import io.tarpon.wire.http.ProblemType;
import io.tarpon.wire.http.TarponException;
import io.tarpon.wire.index.ShardIndex;
import io.tarpon.wire.index.ShardIndexFormat;
import io.tarpon.wire.metadata.FailVersion;
import io.tarpon.wire.metadata.SealShard;
import java.io.IOException;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import org.jboss.logging.Logger;

/// From one planned shard to one sealed shard. Several threads of a process build shards at a time; several processes
/// may be handed the same shard.
///
/// The durable effects, in order, and what a crash after each leaves for the next delivery of the message:
///
/// 1. nothing yet, an upload half done: nothing is visible; the store drops the upload; everything is done again.
/// 2. the tar is complete: not known to anyone; the next delivery writes the same bytes over it.
/// 3. the index is written: as 2, for both objects.
/// 4. the seal is committed: the next delivery finds it and changes nothing ([Outcome.Repeated]).
/// 5. the offset is committed, by the caller, after this returned: no next delivery.
///
/// That a second delivery gives the same bytes rests on the plan (checked by digest) and on inputs pinned by ETag. Two
/// builds can have other bytes for one shard all the same: where a source keeps an ETag for other bytes, and where a
/// version was cancelled and planned anew from a source that has changed, while a build of the plan before still ran.
/// So metadata-svc is asked again right before each of the two objects becomes visible, in every attempt and after all
/// that takes long (reading, sending, forcing to disk), and what is sealed, or planned otherwise by now, is not written
/// over.
///
/// What is left is the time from that answer to the end of one store call: a rename in a directory store; the
/// completion or the one PUT in an S3 store, with the client's own repetitions. Not every server we name knows
/// conditional completions, so there is no fence beyond it. Where a version is cancelled, planned anew, built and
/// sealed within that time, a late write lies over the sealed one: readers see the damage by CRC.
///
/// A failure that ends the version is told to metadata-svc first, then the message goes to the dead letters, then its
/// offset is committed: a crash between them repeats the telling, or finds the version failed and drops the message. It
/// ends the version only while this very plan is wanted: a version that was tried again meanwhile is none of this
/// message's business.
public final class BuildShard {
    private static final Logger LOG = Logger.getLogger(BuildShard.class);

    private final MetadataClient metadata;
    private final ObjectStore store;
    private final OpenSource sources;
    private final ShardAssembly assembly;
    private final Attempts attempts;
    private final BooleanSupplier abandoned;

    /// Opens what a plan's source reference names, or refuses it: `Sources::open`.
    @FunctionalInterface
    public interface OpenSource {
        ObjectSource open(String reference) throws IOException;
    }

    BuildShard(
            MetadataClient metadata,
            ObjectStore store,
            OpenSource sources,
            ShardAssembly assembly,
            Attempts attempts,
            BooleanSupplier abandoned) {
        this.metadata = metadata;
        this.store = store;
        this.sources = sources;
        this.assembly = assembly;
        this.attempts = attempts;
        this.abandoned = abandoned;
    }

    /// The same for a message that belongs to a trace: what metadata-svc is told carries it on.
    public BuildShard with(String traceparent) {
        return new BuildShard(metadata.with(traceparent), store, sources, assembly, attempts, abandoned);
    }

    /// Builds and seals, or says why not. When it returns, what it says is durable.
    ///
    /// @throws io.tarpon.shard.assembly.AbandonedException where the process stops: nothing was decided
    public Outcome build(ShardPlanned planned) {
        try {
            return seal(planned);
        } catch (DeadShardException e) {
            return dead(planned, e.reason(), e.detail());
        } catch (TarponException e) {
            return dead(planned, DeadReason.REFUSED, "metadata-svc refuses: " + e.detail());
        }
    }

    private Outcome seal(ShardPlanned planned) throws DeadShardException {
        requirePlanAtItsPlace(planned);
        return switch (standing("ask metadata-svc", planned)) {
            case Standing.There _ -> new Outcome.Repeated();
            case Standing.Unwanted(var why) -> new Outcome.Dropped(why);
            case Standing.BeingPlanned _ -> beingPlanned();
            case Standing.Wanted _ -> attempts.run("build shard", () -> assemble(planned));
        };
    }

    private Standing standing(String what, ShardPlanned planned) throws DeadShardException {
        return attempts.settled(
                what, standing -> !(standing instanceof Standing.BeingPlanned), () -> Standing.of(planned, metadata));
    }

    private static Outcome beingPlanned() {
        return new Outcome.Dropped("version is being planned anew, this message is of an earlier plan");
    }

    private Outcome assemble(ShardPlanned planned) throws IOException, DeadShardException {
        try (var plan = PlanFile.open(store, planned);
                var source = sources.open(plan.reader().header().source());
                var upload = store.upload(ObjectKeys.tar(planned.ref()))) {
            var index = assembly.assemble(plan.reader(), source, upload, abandoned);
            plan.requireUnchanged();
            upload.prepare();
            return switch (standing("ask metadata-svc again", planned)) {
                case Standing.Wanted _ -> {
                    upload.complete();
                    yield publish(planned, index);
                }
                case Standing.There(var seal) -> same(planned, seal, index);
                case Standing.Unwanted(var why) -> new Outcome.Dropped(why);
                case Standing.BeingPlanned _ -> beingPlanned();
            };
        } catch (SourceChangedException e) {
            throw new DeadShardException(
                    DeadReason.SOURCE_CHANGED,
                    e.getMessage() + "; ingest the dataset again to plan it as it is now",
                    e);
        } catch (UnknownSourceException e) {
            throw new DeadShardException(DeadReason.UNKNOWN_SOURCE, e.getMessage() + "", e);
        } catch (CorruptFormatException | UnknownFormatException e) {
            throw PlanFile.damaged(planned, e.getMessage() + "", e);
        }
    }

    private Outcome publish(ShardPlanned planned, ShardIndex index) throws DeadShardException {
        var indexBytes = ShardIndexFormat.encode(index);
        var seal = Seals.of(planned.plan().sha256(), index, indexBytes);
        var ended = attempts.run("write index", () -> writeIndex(planned, seal, indexBytes));
        return ended.isPresent() ? ended.get() : commit(planned, seal);
    }

    /// Empty once it is written; else what became of the shard meanwhile.
    private Optional<Outcome> writeIndex(ShardPlanned planned, SealShard ours, byte[] indexBytes)
            throws IOException, DeadShardException {
        return switch (standing("ask metadata-svc before the index", planned)) {
            case Standing.Wanted _ -> {
                store.write(ObjectKeys.index(planned.ref()), indexBytes);
                yield Optional.empty();
            }
            case Standing.There(var seal) when seal.equals(ours) -> Optional.of(new Outcome.Repeated());
            case Standing.There(var seal) ->
                throw new DeadShardException(
                        DeadReason.CONFLICT,
                        "shard " + planned.ref() + " was sealed with other content, SHA-256 " + seal.sha256()
                                + ", while its tar with " + ours.sha256() + " became visible; scrub it");
            case Standing.Unwanted(var why) -> Optional.of(new Outcome.Dropped(why));
            case Standing.BeingPlanned _ -> Optional.of(beingPlanned());
        };
    }

    private Outcome commit(ShardPlanned planned, SealShard seal) throws DeadShardException {
        try {
            attempts.run("seal shard", () -> metadata.seal(planned.ref(), seal));
            return new Outcome.Sealed(seal.samples(), seal.bytes());
        } catch (TarponException e) {
            if (e.type() != ProblemType.CONFLICT) {
                throw e;
            }
            return afterConflict(planned, seal, e);
        }
    }

    /// The shard was sealed with other content, or its version ended meanwhile.
    private Outcome afterConflict(ShardPlanned planned, SealShard ours, TarponException conflict)
            throws DeadShardException {
        return switch (standing("ask metadata-svc about a conflict", planned)) {
            case Standing.Unwanted(var why) -> new Outcome.Dropped(why);
            case Standing.BeingPlanned _ -> beingPlanned();
            case Standing.There(var seal) when seal.equals(ours) -> new Outcome.Repeated();
            case Standing.There _, Standing.Wanted _ ->
                throw new DeadShardException(DeadReason.CONFLICT, conflict.detail(), conflict);
        };
    }

    private static Outcome same(ShardPlanned planned, SealShard seal, ShardIndex index) throws DeadShardException {
        if (!seal.sha256().equals(index.shardSha256())) {
            throw new DeadShardException(
                    DeadReason.CONFLICT,
                    "shard " + planned.ref() + " is sealed with SHA-256 " + seal.sha256() + ", its inputs now give "
                            + index.shardSha256() + "; the sealed one was kept");
        }
        return new Outcome.Repeated();
    }

    private static void requirePlanAtItsPlace(ShardPlanned planned) throws DeadShardException {
        var place = ObjectKeys.plan(planned.ref());
        if (!planned.plan().url().equals(place)) {
            throw new DeadShardException(
                    DeadReason.WRONG_PLAN_URL, "the plan of " + planned.ref() + " is at " + place + ", nowhere else");
        }
    }

    private Outcome dead(ShardPlanned planned, DeadReason reason, String detail) {
        var dead = new Outcome.Dead(reason, detail);
        if (!reason.failsVersion()) {
            return dead;
        }
        try {
            return attempts.run("fail version", () -> failVersion(planned, dead));
        } catch (DeadShardException | TarponException e) {
            LOG.errorf("version not failed shard=%s error=%s", planned.ref(), e.getMessage());
            return dead;
        }
    }

    private Outcome failVersion(ShardPlanned planned, Outcome.Dead dead) throws IOException, DeadShardException {
        return switch (Standing.of(planned, metadata)) {
            case Standing.There _ -> new Outcome.Repeated();
            case Standing.Unwanted(var why) -> new Outcome.Dropped(why);
            case Standing.BeingPlanned _ -> beingPlanned();
            case Standing.Wanted _ -> {
                var reason = "shard " + planned.split() + "/" + planned.shard() + ": " + dead.detail();
                var _ = metadata.fail(planned.dataset(), planned.version(), new FailVersion(reason));
                yield dead;
            }
        };
    }

    /// A fault of this program met while building: told like any other end.
    public Outcome broke(ShardPlanned planned, RuntimeException fault) {
        return dead(planned, DeadReason.INTERNAL, "shard-fn broke: " + fault);
    }
}
