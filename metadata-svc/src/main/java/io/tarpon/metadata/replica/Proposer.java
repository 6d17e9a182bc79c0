package io.tarpon.metadata.replica;

import io.tarpon.metadata.entry.Entry;
import io.tarpon.metadata.entry.EntryFormat;
import io.tarpon.metadata.entry.LogBusyException;
import io.tarpon.metadata.entry.LogUnavailableException;
import io.tarpon.metadata.entry.MetadataLog;
import io.tarpon.metadata.image.Command;
import io.tarpon.metadata.image.Decision;
import io.tarpon.metadata.image.Image;
import io.tarpon.metadata.image.RaiseLevel;
import io.tarpon.wire.http.ProblemType;
import io.tarpon.wire.http.TarponException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import java.util.function.IntPredicate;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/// decide -> append -> replay -> answer, and decides again where another entry came first, a bounded number of
/// times. A command that takes several entries is decided again after each, and what was decided is only what is
/// missing, so whoever sends it again goes on where it stopped. A refusal, and that there is nothing to do, rest
/// on the log's end as of the request: a replica that is behind refuses nothing that another one has made
/// possible.
///
/// Any number of threads and of processes may propose at once: guards keep them apart. Commands of this process
/// with one scope take turns on a lock, only so that they do not fight. Crash points: before the append nothing
/// happened; after it, and before the answer, the effect is there and the same command sent again is answered
/// with it.
public final class Proposer {
    private static final Logger LOG = Logger.getLogger(Proposer.class);
    private static final int TURNS = 256;

    private final MetadataLog log;
    private final Replica replica;
    private final InstantSource clock;
    private final int attempts;
    private final Duration patience;
    private final Duration replayTimeout;
    private final Levels levels;
    private final ReentrantLock[] turns =
            Stream.generate(ReentrantLock::new).limit(TURNS).toArray(ReentrantLock[]::new);

    /// When the level of the log may be raised.
    ///
    /// @param everyReplicaReads whether each that lives reads entries of this format
    /// @param newId of a log that has none: 128 random bits in lower-case hex
    public record Levels(IntPredicate everyReplicaReads, Supplier<String> newId) {
        /// It stays as it is.
        static final Levels STAY = new Levels(_ -> false, () -> "");
    }

    /// A proposer that leaves the level of the log as it is.
    public Proposer(
            MetadataLog log,
            Replica replica,
            InstantSource clock,
            int attempts,
            Duration patience,
            Duration replayTimeout) {
        this(log, replica, clock, attempts, patience, replayTimeout, Levels.STAY);
    }

    /// @param attempts how often one command is decided
    /// @param patience how long a command whose append may or may not have happened is tried again
    /// @param replayTimeout how long an appended entry may take to be replayed here
    public Proposer(
            MetadataLog log,
            Replica replica,
            InstantSource clock,
            int attempts,
            Duration patience,
            Duration replayTimeout,
            Levels levels) {
        this.log = log;
        this.replica = replica;
        this.clock = clock;
        this.attempts = attempts;
        this.patience = patience;
        this.replayTimeout = replayTimeout;
        this.levels = levels;
    }

    /// How a command came to its answer.
    ///
    /// @param changed by this command, rather than being so already
    public record Executed<A>(boolean changed, Versioned<A> answer) {}

    /// @param traceparent W3C Trace Context of the request, null where there is none
    /// @throws TarponException refused; or retryable, and then it may or may not have taken effect
    public <A> Executed<A> execute(Command<A> command, @Nullable String traceparent) throws InterruptedException {
        raiseLevel(traceparent);
        return executeInTurn(command, traceparent);
    }

    /// Before the first entry that is appended once that may be. What is wrong with it is wrong with the command
    /// that follows, which says so.
    private void raiseLevel(@Nullable String traceparent) throws InterruptedException {
        var level = EntryFormat.FORMAT;
        if (replica.read(Image::level).value() >= level
                || !levels.everyReplicaReads().test(level)) {
            return;
        }
        try {
            if (executeInTurn(new RaiseLevel(levels.newId().get(), level), traceparent)
                    .changed()) {
                LOG.infof("metadata log level raised log=%s level=%d", log.name(), level);
            }
        } catch (TarponException e) {
            LOG.debugf("metadata log level not raised log=%s reason=%s", log.name(), e.getMessage());
        }
    }

    private <A> Executed<A> executeInTurn(Command<A> command, @Nullable String traceparent)
            throws InterruptedException {
        var turn = turns[Math.floorMod(command.scope().hashCode(), TURNS)];
        turn.lockInterruptibly();
        try {
            return decideUntilDone(command, traceparent);
        } finally {
            turn.unlock();
        }
    }

    private <A> Executed<A> decideUntilDone(Command<A> command, @Nullable String traceparent)
            throws InterruptedException {
        var end = System.nanoTime() + patience.toNanos();
        @Nullable IOException doubt = null;
        var left = Integer.MAX_VALUE;
        for (int lost = 0; lost < attempts; ) {
            var decided = decide(command);
            switch (decided.value().decision()) {
                case Decision.AlreadyApplied() -> {
                    return new Executed<>(false, replica.read(command::answer));
                }
                case Decision.Refused(var problem) -> throw problem;
                case Decision.Append append -> {
                    if (doubt != null && System.nanoTime() > end) {
                        throw inDoubt(doubt);
                    }
                    lost++;
                    try {
                        var entry = entry(command, append, decided.value().log(), traceparent);
                        if (commit(entry, decided.revision())) {
                            if (append.more() == 0) {
                                return new Executed<>(true, replica.read(command::answer));
                            }
                            if (append.more() < left) {
                                // Others may have undone what was there already: only what is new is no race lost.
                                left = append.more();
                                lost--;
                                end = System.nanoTime() + patience.toNanos();
                            }
                        }
                    } catch (LogBusyException | LogUnavailableException e) {
                        throw doubt != null ? inDoubt(doubt) : nothingHappened(e);
                    } catch (InterruptedIOException e) {
                        // The flag is set again, so every further append would fail likewise, after it has queued.
                        throw Replica.interrupted(e);
                    } catch (IOException e) {
                        doubt = e;
                    }
                }
            }
        }
        throw doubt != null ? inDoubt(doubt) : alwaysTooLate(command);
    }

    private Entry entry(
            Command<?> command, Decision.Append decided, @Nullable String log, @Nullable String traceparent) {
        var at = clock.instant().truncatedTo(ChronoUnit.MILLIS);
        return new Entry(command.idempotenceKey(), at, traceparent, decided.guards(), decided.records(), log);
    }

    /// What the command comes to. That it is to append something may be said of an image that is behind, for guards
    /// hold it against the log; whatever else it comes to is final, so it is said of all that was in the log when
    /// this was called.
    private Versioned<Decided> decide(Command<?> command) throws InterruptedException {
        Function<Image, Decided> decide =
                image -> new Decided(image.decide(command), image.logId().orElse(null));
        var decided = replica.read(decide);
        return decided.value().decision() instanceof Decision.Append
                        || decided.revision() >= replica.awaitLatest(replayTimeout)
                ? decided
                : replica.read(decide);
    }

    /// @param log id of the log that it was decided for; null where that has none
    private record Decided(Decision decision, @Nullable String log) {}

    /// True where the entry was applied, false where another came first and it was rejected.
    private boolean commit(Entry entry, long decidedAt) throws IOException, InterruptedException {
        var position = log.append(encoded(entry));
        replica.requireBeyond(position, decidedAt);
        if (!replica.awaitRevision(position, replayTimeout)) {
            throw new TarponException(
                    ProblemType.NOT_READY,
                    "the change is in the log and not replayed yet: send the request again to see what came of it");
        }
        return replica.wasApplied(position);
    }

    private static byte[] encoded(Entry entry) {
        var bytes = EntryFormat.encode(entry);
        if (bytes.length > MetadataLog.MAX_ENTRY_BYTES) {
            throw new TarponException(
                    ProblemType.PAYLOAD_TOO_LARGE,
                    entry.idempotenceKey() + " is an entry of " + bytes.length + " bytes, the metadata log takes "
                            + MetadataLog.MAX_ENTRY_BYTES + ": send less at once");
        }
        return bytes;
    }

    private static TarponException nothingHappened(IOException reason) {
        return reason instanceof LogBusyException
                ? new TarponException(ProblemType.OVERLOADED, "the metadata log is busy: try again", reason)
                : new TarponException(
                        ProblemType.NOT_READY,
                        "the metadata log is away, nothing was changed: " + reason.getMessage() + "; send the request"
                                + " again",
                        reason);
    }

    private static TarponException inDoubt(IOException doubt) {
        return new TarponException(
                ProblemType.STORAGE_UNAVAILABLE,
                "the metadata log does not take the change, which may or may not have happened: " + doubt.getMessage()
                        + "; send the request again",
                doubt);
    }

    private TarponException alwaysTooLate(Command<?> command) {
        return new TarponException(
                ProblemType.OVERLOADED,
                "others changed " + command.scope() + " " + attempts + " times in between: send the request again");
    }
}
