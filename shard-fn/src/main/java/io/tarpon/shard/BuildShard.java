package io.tarpon.shard;

import io.tarpon.service.retry.AbandonedException;
import io.tarpon.service.retry.Patience;
import io.tarpon.shard.assembly.ShardAssembly;
import io.tarpon.shard.assembly.UnreadableInputException;
import io.tarpon.store.DamagedObjectException;
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
import java.io.UncheckedIOException;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.HexFormat;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.jboss.logging.Logger;

/// From one planned shard to one sealed shard. Several threads of a process build shards at a time; several processes
/// may be handed the same shard.
///
/// Each attempt has a name of its own, drawn by chance, and writes under keys that have it ([ObjectKeys]): so no
/// attempt touches what another one wrote, whatever the inputs gave it and however late it comes. Which attempt's
/// objects are the shard, the seal says, and the first seal stays.
///
/// The durable effects, in order, and what a crash after each leaves for the next delivery of the message:
///
/// 1. nothing yet, an upload half done: nothing is visible; the store drops the upload; everything is done again.
/// 2. the tar is complete: no record names it; the next delivery writes another one, and this one is collected.
/// 3. the index is written: as 2, for both objects.
/// 4. the seal is committed: the next delivery finds it and changes nothing ([Outcome.Repeated]).
/// 5. the offset is committed, by the caller, after this returned: no next delivery.
///
/// Two builds can have other bytes for one shard, where a source keeps an ETag for other bytes: then the second one
/// ends as a dead letter, and the sealed bytes are as they were.
///
/// What is not the shard's fault is waited for, as long as it takes: metadata-svc or the store away, a token that is
/// not taken, a source that breaks, cuts or lies about lengths. Meanwhile nothing is acknowledged. Each attempt, and
/// every so often an attempt that reads, asks whether the shard is still wanted, so that a cancelled version ends the
/// wait.
///
/// A failure that ends the version is told to metadata-svc first, then the message goes to the dead letters, then its
/// offset is committed: a crash between them repeats the telling, or finds the version failed and drops the message. It
/// ends the version only while that has the plan in which this shard stands, and metadata-svc decides that: a version
/// that was tried again meanwhile is none of this message's business.
public final class BuildShard {
    private static final Logger LOG = Logger.getLogger(BuildShard.class);

    /// So often is asked about a version that is being planned, which it mostly is for longer than anybody should
    /// wait, and is an object tried that is kept from us or damaged: the source's client has tried it as well.
    private static final int FEW = 3;

    /// Not static: an executable would carry its seed.
    private final SecureRandom names = new SecureRandom();

    private final MetadataClient metadata;
    private final ObjectStore store;
    private final OpenSource sources;
    private final ShardAssembly assembly;
    private final Patience patience;
    private final Duration askEvery;
    private final BooleanSupplier abandoned;

    /// Opens what a plan's source reference names, or refuses it: `Sources::open`.
    @FunctionalInterface
    public interface OpenSource {
        ObjectSource open(String reference) throws IOException;
    }

    /// @param patience for what may pass; abandons with `abandoned`
    /// @param askEvery how often metadata-svc is asked whether a shard that is being read is still wanted
    BuildShard(
            MetadataClient metadata,
            ObjectStore store,
            OpenSource sources,
            ShardAssembly assembly,
            Patience patience,
            Duration askEvery,
            BooleanSupplier abandoned) {
        this.metadata = metadata;
        this.store = store;
        this.sources = sources;
        this.assembly = assembly;
        this.patience = patience;
        this.askEvery = askEvery;
        this.abandoned = abandoned;
    }

    /// The same for a message that belongs to a trace: what metadata-svc is told carries it on.
    public BuildShard with(String traceparent) {
        return new BuildShard(metadata.with(traceparent), store, sources, assembly, patience, askEvery, abandoned);
    }

    /// The same for a message that something besides the end of the process takes away.
    public BuildShard until(BooleanSupplier abandonedToo) {
        return new BuildShard(
                metadata,
                store,
                sources,
                assembly,
                patience.until(abandonedToo),
                askEvery,
                () -> abandoned.getAsBoolean() || abandonedToo.getAsBoolean());
    }

    /// Builds and seals, or says why not. When it returns, what it says is durable.
    ///
    /// @throws AbandonedException where the process stops, or the message is another's by now: nothing was decided
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
        var faults = new AtomicInteger();
        return patiently("build " + planned.ref(), () -> attempt(planned, faults));
    }

    /// @param faults of this message's inputs and plan so far
    private Outcome attempt(ShardPlanned planned, AtomicInteger faults) throws IOException, DeadShardException {
        return switch (standing(planned)) {
            case Standing.There _ -> new Outcome.Repeated();
            case Standing.Unwanted(var why) -> new Outcome.Dropped(why);
            case Standing.BeingPlanned _ -> beingPlanned();
            case Standing.Wanted _ -> assemble(planned, faults);
        };
    }

    private Standing standing(ShardPlanned planned) throws DeadShardException {
        var asked = new AtomicInteger();
        return patiently("ask metadata-svc for " + planned.ref(), () -> {
            var standing = Standing.of(planned, metadata);
            if (standing instanceof Standing.BeingPlanned && asked.incrementAndGet() < FEW) {
                throw new IOException("its version is being planned");
            }
            return standing;
        });
    }

    private <T> T patiently(String what, Patience.Attempt<T, DeadShardException> attempt) throws DeadShardException {
        try {
            return patience.keepTrying(what, attempt);
        } catch (IOException e) {
            throw new UncheckedIOException("what may pass was not waited for", e);
        }
    }

    private static Outcome beingPlanned() {
        return new Outcome.Dropped("version is being planned anew, this message is of an earlier plan");
    }

    private Outcome assemble(ShardPlanned planned, AtomicInteger faults) throws IOException, DeadShardException {
        try {
            return assemble(planned);
        } catch (SourceChangedException e) {
            throw new DeadShardException(
                    DeadReason.SOURCE_CHANGED,
                    e.getMessage() + "; ingest the dataset again to plan it as it is now",
                    e);
        } catch (UnknownSourceException e) {
            throw new DeadShardException(DeadReason.UNKNOWN_SOURCE, e.getMessage() + "", e);
        } catch (CorruptFormatException | UnknownFormatException e) {
            throw PlanFile.damaged(planned, e.getMessage() + "", e);
        } catch (UnreadableInputException e) {
            if (e.isTheObjectsFault() && faults.incrementAndGet() >= FEW) {
                throw new DeadShardException(
                        DeadReason.SOURCE_UNREADABLE,
                        e.getMessage() + "; give Tarpon the right to read it, or write it anew, and ingest the dataset"
                                + " again",
                        e);
            }
            throw e;
        } catch (DamagedObjectException e) {
            // Of what is ours, only the plan is read here.
            if (faults.incrementAndGet() >= FEW) {
                throw PlanFile.damaged(planned, e.getMessage() + "", e);
            }
            throw e;
        } catch (AbandonedException e) {
            if (abandoned.getAsBoolean()) {
                throw e;
            }
            return attempt(planned, faults);
        }
    }

    private Outcome assemble(ShardPlanned planned) throws IOException, DeadShardException {
        var attempt = HexFormat.of().toHexDigits(names.nextLong());
        try (var plan = PlanFile.open(store, planned);
                var source = sources.open(plan.reader().header().source());
                var upload = store.upload(ObjectKeys.tar(planned.ref(), attempt));
                var wanted = new StillWanted(planned, metadata, askEvery)) {
            var index =
                    assembly.assemble(plan.reader(), source, upload, () -> abandoned.getAsBoolean() || wanted.isOver());
            plan.requireUnchanged();
            upload.complete();
            return publish(planned, attempt, index);
        }
    }

    private Outcome publish(ShardPlanned planned, String attempt, ShardIndex index) throws DeadShardException {
        var indexBytes = ShardIndexFormat.encode(index);
        var seal = Seals.of(planned.plan().sha256(), attempt, index, indexBytes);
        var ended = patiently("write the index of " + planned.ref(), () -> writeIndex(planned, seal, indexBytes));
        return ended.isPresent() ? ended.get() : commit(planned, seal);
    }

    /// Empty once it is written; else what became of the shard while the store was in trouble.
    private Optional<Outcome> writeIndex(ShardPlanned planned, SealShard ours, byte[] indexBytes)
            throws IOException, DeadShardException {
        try {
            store.write(ObjectKeys.index(planned.ref(), ours.attempt()), indexBytes);
            return Optional.empty();
        } catch (IOException e) {
            return switch (standing(planned)) {
                case Standing.Wanted _ -> throw e;
                case Standing.There(var seal) -> Optional.of(beside(planned, seal, ours));
                case Standing.Unwanted(var why) -> Optional.of(new Outcome.Dropped(why));
                case Standing.BeingPlanned _ -> Optional.of(beingPlanned());
            };
        }
    }

    private Outcome commit(ShardPlanned planned, SealShard seal) throws DeadShardException {
        try {
            var record = patiently("seal " + planned.ref(), () -> metadata.seal(planned.ref(), seal));
            return seal.equals(record.seal())
                    ? new Outcome.Sealed(seal.samples(), seal.bytes())
                    : new Outcome.Repeated();
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
        return switch (standing(planned)) {
            case Standing.Unwanted(var why) -> new Outcome.Dropped(why);
            case Standing.BeingPlanned _ -> beingPlanned();
            case Standing.There(var seal) -> beside(planned, seal, ours);
            case Standing.Wanted _ -> throw new DeadShardException(DeadReason.CONFLICT, conflict.detail(), conflict);
        };
    }

    /// Another attempt came first.
    private static Outcome beside(ShardPlanned planned, SealShard sealed, SealShard ours) throws DeadShardException {
        if (!sealed.hasBytesOf(ours)) {
            throw new DeadShardException(
                    DeadReason.CONFLICT,
                    "shard " + planned.ref() + " is sealed with SHA-256 " + sealed.sha256() + ", its inputs now give "
                            + ours.sha256() + "; the sealed one was kept");
        }
        return new Outcome.Repeated();
    }

    private Outcome dead(ShardPlanned planned, DeadReason reason, String detail) {
        var dead = new Outcome.Dead(reason, detail);
        if (!reason.failsVersion()) {
            return dead;
        }
        try {
            return patiently("fail the version of " + planned.ref(), () -> failVersion(planned, dead));
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
            case Standing.Wanted(var planDigest) -> failVersion(planned, planDigest, dead);
        };
    }

    private Outcome failVersion(ShardPlanned planned, String planDigest, Outcome.Dead dead) throws IOException {
        var reason = "shard " + planned.split() + "/" + planned.shard() + ": " + dead.detail();
        try {
            var _ = metadata.fail(planned.dataset(), planned.version(), new FailVersion(reason, planDigest));
            return dead;
        } catch (TarponException e) {
            if (e.type() != ProblemType.CONFLICT) {
                throw e;
            }
            // Sealed, removed, or planned anew since it was looked at: this message was of the plan before.
            return new Outcome.Dropped(e.detail());
        }
    }

    /// A fault of this program met while building: told like any other end.
    public Outcome broke(ShardPlanned planned, RuntimeException fault) {
        return dead(planned, DeadReason.INTERNAL, "shard-fn broke: " + fault);
    }
}
