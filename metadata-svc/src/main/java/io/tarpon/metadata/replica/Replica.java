package io.tarpon.metadata.replica;

import io.tarpon.metadata.entry.Entry;
import io.tarpon.metadata.entry.EntryFormat;
import io.tarpon.metadata.entry.LogReader;
import io.tarpon.metadata.entry.LogUnavailableException;
import io.tarpon.metadata.entry.MetadataLog;
import io.tarpon.metadata.image.CommittedEvent;
import io.tarpon.metadata.image.Image;
import io.tarpon.wire.http.ProblemType;
import io.tarpon.wire.http.TarponException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// The image of one process, kept in step with the log.
///
/// The image is owned by a read-write lock: many threads read under the read lock, one thread replays under the
/// write lock ([#catchUp()] is called by one thread only, see [ReplayThread]). What leaves [#read(Function)]
/// must be a copy.
///
/// An entry that is not what was appended, or cannot be applied, breaks the replica for good: from there on it
/// knows less than the log says, so it answers nothing any more, and a person must look. A log that is away breaks
/// nothing: the image stands still meanwhile. A crash loses nothing: the image is made anew from the log.
public final class Replica {
    private static final int BATCH_ENTRIES = 256;
    private static final int REMEMBERED_OUTCOMES = 1 << 16;

    private final MetadataLog log;
    private final LogReader reader;
    private final EventTail tail;
    private final Consumer<CommittedEvent> seen;
    private final Consumer<CommittedEvent> told;
    private final Image image;
    private final Outcomes outcomes = new Outcomes(REMEMBERED_OUTCOMES);
    private final ReentrantReadWriteLock lock = new ReentrantReadWriteLock();
    private final Condition advanced = lock.writeLock().newCondition();
    private volatile long revision;
    /// What the log held when replay began: nothing is answered before. Below 0 until that is known.
    private volatile long beginning = -1;

    private volatile @Nullable Throwable broken;

    /// @param image nothing is replayed in it yet, and only the replica uses it from here on
    public Replica(MetadataLog log, EventTail tail, Image image) {
        this(log, tail, image, _ -> {}, _ -> {});
    }

    /// @param image nothing is replayed in it yet, and only the replica uses it from here on
    /// @param seen takes every event before anybody can read what it tells, under the lock: it must be quick
    /// @param told takes every event that was not in the log yet when replay began, once it can be read here, on
    ///     the replaying thread
    public Replica(
            MetadataLog log,
            EventTail tail,
            Image image,
            Consumer<CommittedEvent> seen,
            Consumer<CommittedEvent> told) {
        this.log = log;
        this.reader = log.reader(image.revision());
        this.tail = tail;
        this.seen = seen;
        this.told = told;
        this.image = image;
    }

    /// Number of entries replayed.
    public long revision() {
        return revision;
    }

    /// Why nothing is answered any more; null while all is well.
    public @Nullable Throwable broken() {
        return broken;
    }

    /// What the log holds now is what there is to replay before anything is answered.
    ///
    /// @throws LogUnavailableException that cannot be told now
    void begin() throws IOException {
        beginning = log.end();
    }

    /// Number of entries that the log held when replay began.
    long beginning() {
        return beginning;
    }

    /// What is not replayed yet of what the log held when replay began; empty where all is.
    public Optional<String> behind() {
        var wanted = beginning;
        var here = revision;
        return wanted >= 0 && here >= wanted
                ? Optional.empty()
                : Optional.of(
                        wanted < 0
                                ? "the metadata log " + log.name() + " was not reached yet"
                                : here + " of " + wanted + " entries are replayed");
    }

    public <T> Versioned<T> read(Function<Image, T> reader) {
        lock.readLock().lock();
        try {
            requireWhole();
            return new Versioned<>(image.revision(), reader.apply(image));
        } finally {
            lock.readLock().unlock();
        }
    }

    /// Waits until the image has at least this revision. False where it has not after `timeout`.
    public boolean awaitRevision(long wanted, Duration timeout) throws InterruptedException {
        if (revision >= wanted) {
            return true;
        }
        var nanos = timeout.toNanos();
        lock.writeLock().lockInterruptibly();
        try {
            while (image.revision() < wanted && broken == null && nanos > 0) {
                nanos = advanced.awaitNanos(nanos);
            }
            requireWhole();
            return image.revision() >= wanted;
        } finally {
            lock.writeLock().unlock();
        }
    }

    /// Whether the entry at this position changed the image. Only after [#awaitRevision].
    boolean wasApplied(long position) {
        lock.readLock().lock();
        try {
            return outcomes.wasApplied(position);
        } finally {
            lock.readLock().unlock();
        }
    }

    /// Waits until what was in the log when this was called is replayed: whatever was answered to anybody before,
    /// by any replica, is here then. Returns the revision that this was.
    ///
    /// @throws TarponException `not-ready`: the log is away, or the replica is behind for longer than `timeout`
    public long awaitLatest(Duration timeout) throws InterruptedException {
        var here = revision;
        long latest;
        try {
            latest = log.end();
        } catch (LogUnavailableException e) {
            throw new TarponException(
                    ProblemType.NOT_READY,
                    "whether anything changed meanwhile cannot be told, the metadata log is away: " + e.getMessage(),
                    e);
        } catch (InterruptedIOException e) {
            throw interrupted(e);
        } catch (IOException e) {
            throw new TarponException(ProblemType.INTERNAL, "the metadata log cannot be read: " + e.getMessage(), e);
        }
        if (latest < here) {
            // Some broker that others have forgotten, or a log that lost its end, which its reader will find.
            throw new TarponException(
                    ProblemType.NOT_READY,
                    "the metadata log says that it ends at " + latest + ", and " + here + " entries are replayed");
        }
        if (!awaitRevision(latest, timeout)) {
            throw new TarponException(
                    ProblemType.NOT_READY,
                    "revision " + latest + " is not here after " + timeout.toMillis() + " ms, only " + revision);
        }
        return latest;
    }

    /// The same as the exception that clears the thread's flag.
    static InterruptedException interrupted(InterruptedIOException reason) {
        Thread.interrupted();
        var interrupted = new InterruptedException(reason.getMessage());
        interrupted.initCause(reason);
        return interrupted;
    }

    /// What comes after `replayed` entries has a position beyond them, or it is in another log: then nothing is
    /// answered any more.
    void requireBeyond(long position, long replayed) {
        if (position <= replayed) {
            stop(new IOException("the next entry of " + log.name() + " has position " + position + ", and " + replayed
                    + " were replayed: it lost its end, or is another log"));
            requireWhole();
        }
    }

    /// By the thread that replays, when it ends.
    void endReading() {
        reader.close();
    }

    /// Replays what the log holds by now.
    ///
    /// @throws LogUnavailableException the log is away: again later
    /// @throws IOException an entry cannot be read; the replica is broken then
    public void catchUp() throws IOException, InterruptedException {
        while (replayNext(Duration.ZERO)) {}
    }

    /// Replays the next entries of the log, for which it waits at most `patience`. False where none came.
    ///
    /// @throws LogUnavailableException the log is away: again later
    /// @throws IOException an entry cannot be read; the replica is broken then
    boolean replayNext(Duration patience) throws IOException, InterruptedException {
        try {
            return replay(decode(log, revision, reader.next(BATCH_ENTRIES, patience)));
        } catch (LogUnavailableException e) {
            throw e;
        } catch (IOException | RuntimeException | Error e) {
            stop(e);
            throw e;
        }
    }

    /// Nothing is replayed any more, for this reason, so nothing is answered either.
    void stop(Throwable reason) {
        lock.writeLock().lock();
        try {
            breakWith(reason);
        } finally {
            lock.writeLock().unlock();
        }
    }

    private boolean replay(List<Entry> entries) {
        if (entries.isEmpty()) {
            return false;
        }
        var events = new ArrayList<CommittedEvent>();
        lock.writeLock().lock();
        try {
            for (var entry : entries) {
                var replayed = image.replay(entry);
                replayed.events().forEach(seen);
                events.addAll(replayed.events());
                outcomes.add(replayed.revision(), replayed.applied());
                tail.add(replayed);
            }
            revision = image.revision();
            advanced.signalAll();
        } catch (RuntimeException | Error e) {
            // Before the lock is free: an entry may be half applied, and nobody may read that.
            breakWith(e);
            throw e;
        } finally {
            lock.writeLock().unlock();
        }
        events.stream().filter(event -> event.revision() > beginning).forEach(told);
        return true;
    }

    static List<Entry> decode(MetadataLog log, long after, List<byte[]> entries) throws IOException {
        var decoded = new ArrayList<Entry>(entries.size());
        for (var bytes : entries) {
            var position = after + decoded.size() + 1;
            decoded.add(EntryFormat.decode(log.name() + " entry " + position, bytes));
        }
        return decoded;
    }

    /// Under the write lock. The first reason stays.
    private void breakWith(Throwable reason) {
        if (broken == null) {
            broken = reason;
        }
        advanced.signalAll();
    }

    private void requireWhole() {
        var reason = broken;
        if (reason != null) {
            throw new TarponException(
                    ProblemType.INTERNAL, "the metadata log cannot be replayed: " + reason.getMessage(), reason);
        }
    }
}
