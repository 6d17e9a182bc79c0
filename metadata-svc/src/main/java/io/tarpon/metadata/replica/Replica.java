package io.tarpon.metadata.replica;

import io.tarpon.metadata.entry.Entry;
import io.tarpon.metadata.entry.EntryFormat;
import io.tarpon.metadata.entry.FollowedLog;
import io.tarpon.metadata.entry.LogReader;
import io.tarpon.metadata.entry.LogTrimmedException;
import io.tarpon.metadata.entry.LogUnavailableException;
import io.tarpon.metadata.entry.MetadataLog;
import io.tarpon.metadata.image.CommittedEvent;
import io.tarpon.metadata.image.Image;
import io.tarpon.metadata.image.ImageStoreException;
import io.tarpon.metadata.snapshot.Snapshots;
import io.tarpon.wire.Digests;
import io.tarpon.wire.http.ProblemType;
import io.tarpon.wire.http.TarponException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// The image of one process, kept in step with the log.
///
/// The image is owned by a read-write lock: many threads read under the read lock, one thread replays under
/// the write lock ([#catchUp()] is called by one thread only, see [ReplayThread]). What leaves
/// [#read(Function)] must be a copy.
///
/// Where the log was cut beyond the image, a snapshot takes its place ([Restoring]); nothing is answered then
/// until what the log has beyond that is replayed too, and until a snapshot is there.
///
/// An entry that is not what was appended, or cannot be applied, breaks the replica for good: from there on
/// it knows less than the log says, so it answers nothing any more, and a person must look. A log that is
/// away breaks nothing: the image stands still meanwhile, and so it does while what was replayed cannot be
/// saved, for a full disk say. A crash loses nothing: the image goes on from where it was saved last, and the
/// log has the rest.
public final class Replica {
    private static final int BATCH_ENTRIES = 256;
    private static final int REMEMBERED_OUTCOMES = 1 << 16;

    private final MetadataLog log;
    private final EventTail tail;
    private final Audience audience;
    private final Image image;
    private final Restoring restoring;
    private final LogIdentity identity;
    private final Outcomes outcomes = new Outcomes(REMEMBERED_OUTCOMES);
    private final ReentrantReadWriteLock lock = new ReentrantReadWriteLock();
    private final Waiters waiters = new Waiters();
    private volatile long revision;
    /// What the log held when replay began: nothing is answered before. Below 0 until that is known.
    private volatile long beginning = -1;

    /// What follows the image was removed from the log, or there is no image yet: why nobody may read it; null
    /// otherwise. Set under the write lock.
    private volatile @Nullable String cut;
    /// Owned by the replaying thread, and so is what follows.
    private LogReader reader;
    /// And nobody was told yet.
    private boolean isFromSnapshot;
    /// Events of entries up to this one are not in the image any more.
    private long dropped;

    /// Nobody needs events of entries up to this one.
    private volatile long needless;
    private volatile @Nullable Throwable broken;
    /// Why what was replayed is not saved; null where it is.
    private volatile @Nullable ImageStoreException unsaved;

    /// @param image as it was saved last, or empty; only the replica uses it from here on
    public Replica(MetadataLog log, EventTail tail, Image image) {
        this(log, FollowedLog.ANY, Snapshots.NONE, tail, image, Audience.NONE);
    }

    /// @param followed what the log is held against
    /// @param snapshots where the image comes from that the log cannot give
    /// @param image as it was saved last, or empty; only the replica uses it from here on
    public Replica(
            MetadataLog log,
            FollowedLog followed,
            Snapshots snapshots,
            EventTail tail,
            Image image,
            Audience audience) {
        this.log = log;
        this.reader = log.reader(image.revision());
        this.revision = image.revision();
        this.tail = tail;
        this.image = image;
        this.audience = audience;
        this.restoring = new Restoring(log, followed, snapshots);
        this.identity = new LogIdentity(followed, log);
        tail.begin(image.revision());
    }

    /// Number of entries replayed.
    public long revision() {
        return revision;
    }

    /// Why nothing is answered any more; null while all is well.
    public @Nullable Throwable broken() {
        return broken;
    }

    /// Why nothing is replayed for now, though the log may be there; null where that is not so.
    public @Nullable Throwable unsaved() {
        return unsaved;
    }

    /// What the log holds now is what there is to replay before anything is answered. Loads a snapshot where
    /// the log does not have what the image lacks.
    ///
    /// @throws LogUnavailableException that cannot be told now
    /// @throws NoSnapshotException no such snapshot can be had now
    /// @throws UnsavedException it cannot be written now
    /// @throws IOException the log holds less than was replayed of it, or is another one than before
    void begin() throws IOException, InterruptedException, NoSnapshotException, UnsavedException {
        beginning = join();
    }

    /// The image is one that the log carries on. Returns the log's end.
    private long join() throws IOException, InterruptedException, NoSnapshotException, UnsavedException {
        var begin = log.begin();
        var end = log.end();
        if (end < begin) {
            throw new LogUnavailableException(
                    log.name() + " says that it ends at entry " + end + ", and begins after " + begin);
        }
        if (restoring.isWanted(image, begin, end)) {
            cut("the metadata log begins after entry " + begin + ", and what is before comes from a snapshot");
            try {
                isFromSnapshot |= restoring.restore(image, begin, end);
            } catch (NoSnapshotException e) {
                cut(String.valueOf(e.getMessage()));
                throw e;
            }
        }
        identity.requireSame(image, end);
        if (cut != null) {
            goOn();
        }
        return end;
    }

    private void cut(String why) {
        lock.writeLock().lock();
        try {
            cut = why;
        } finally {
            lock.writeLock().unlock();
        }
    }

    /// From where the image is now, for everybody.
    private void goOn() {
        lock.writeLock().lock();
        try {
            reader.close();
            reader = log.reader(image.revision());
            tail.begin(image.revision());
            outcomes.begin(image.revision());
            dropped = 0;
            unsaved = null;
            if (isFromSnapshot) {
                isFromSnapshot = false;
                var _ = image.takeOutdated();
                audience.answers().dropAll();
                audience.loaded().accept(image);
            }
            revision = image.revision();
            cut = null;
            waiters.wake(revision);
        } finally {
            lock.writeLock().unlock();
        }
    }

    /// What was told by entries up to this one need never be published again, by any replica. They go from
    /// the view with the next entries that are replayed.
    public void forgetEvents(long upTo) {
        needless = upTo;
    }

    /// Number of entries that the log held when replay began.
    long beginning() {
        return beginning;
    }

    /// What is not replayed yet of what the log held when replay began; empty where all is.
    public Optional<String> behind() {
        var why = cut;
        if (why != null) {
            return Optional.of(why);
        }
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
        waiters.await(wanted, () -> revision >= wanted || broken != null, timeout);
        requireWhole();
        return revision >= wanted;
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

    /// Waits until what was in the log when this was called is replayed: whatever was answered to anybody
    /// before, by any replica, is here then. Returns the revision that this was.
    ///
    /// @throws TarponException `not-ready`: the log is away, or the replica is behind for longer than
    ///     `timeout`
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
        try {
            while (replayNext(Duration.ZERO)) {}
        } catch (UnsavedException | NoSnapshotException e) {
            throw new IOException(e.getMessage(), e);
        }
    }

    /// Replays the next entries of the log, for which it waits at most `patience`. False where none came.
    ///
    /// @throws LogUnavailableException the log is away: again later
    /// @throws UnsavedException what was replayed before cannot be saved: again later
    /// @throws NoSnapshotException the next entry was removed, and is in no snapshot that can be had: again
    ///     later
    /// @throws IOException an entry cannot be read, or others made something else of the entries; the replica is
    ///     broken then
    boolean replayNext(Duration patience)
            throws IOException, InterruptedException, UnsavedException, NoSnapshotException {
        requireUnbroken();
        requireAgreement();
        saveWhatWaits();
        try {
            if (cut != null) {
                rejoin();
            }
            return replay(reader.next(BATCH_ENTRIES, patience));
        } catch (LogUnavailableException e) {
            throw e;
        } catch (LogTrimmedException e) {
            cut(String.valueOf(e.getMessage()));
            return true;
        } catch (IOException | RuntimeException | Error e) {
            stop(e);
            throw e;
        }
    }

    /// Nothing is answered before all is here again that the log has now.
    private void rejoin() throws IOException, InterruptedException, UnsavedException, NoSnapshotException {
        var end = join();
        if (beginning >= 0) {
            beginning = end;
        }
    }

    /// Nothing is answered any more, and nobody is reading: the store of the image may be closed.
    public void end() {
        stop(new IllegalStateException("the service is stopping"));
    }

    private void requireAgreement() throws IOException {
        var divergence = audience.peers().divergence();
        if (divergence.isPresent()) {
            var reason =
                    new IOException(divergence.get() + "; compare their digests (GET /v1/digest), keep a copy of the"
                            + " view of this one, delete it and start again: then it is made anew");
            stop(reason);
            throw reason;
        }
    }

    private void saveWhatWaits() throws UnsavedException {
        if (unsaved != null) {
            lock.writeLock().lock();
            try {
                image.save();
                unsaved = null;
            } catch (ImageStoreException e) {
                unsaved = e;
                throw new UnsavedException(e);
            } finally {
                lock.writeLock().unlock();
            }
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

    private boolean replay(List<byte[]> encoded) throws IOException {
        if (encoded.isEmpty()) {
            return false;
        }
        var entries = decode(encoded);
        var events = new ArrayList<CommittedEvent>();
        lock.writeLock().lock();
        try {
            for (var entry : entries) {
                var replayed = image.replay(entry);
                identity.see(image);
                replayed.events().forEach(audience.seen());
                events.addAll(replayed.events());
                outcomes.add(replayed.revision(), replayed.applied());
                tail.add(replayed);
                var window = replayed.window();
                if (window != null) {
                    audience.peers().replayed(window);
                }
            }
            if (beginning >= 0 && image.revision() >= beginning) {
                identity.seeAll(image);
            }
            image.lastEntry(Digests.sha256Hex(encoded.getLast()));
            dropEvents();
            save();
            audience.answers().drop(image.takeOutdated());
            revision = image.revision();
        } catch (IOException | RuntimeException | Error e) {
            // Before the lock is free: an entry may be half applied, and nobody may read that.
            breakWith(e);
            throw e;
        } finally {
            lock.writeLock().unlock();
        }
        // Now that they find the lock free.
        waiters.wake(revision);
        events.stream().filter(event -> event.revision() > beginning).forEach(audience.told());
        return true;
    }

    private void dropEvents() {
        var upTo = Math.min(needless, image.revision());
        if (upTo > dropped) {
            image.forgetEvents(upTo);
            dropped = upTo;
        }
    }

    /// What cannot be saved now can be read all the same.
    private void save() {
        try {
            image.save();
        } catch (ImageStoreException e) {
            unsaved = e;
        }
    }

    private List<Entry> decode(List<byte[]> entries) throws IOException {
        var decoded = new ArrayList<Entry>(entries.size());
        for (var bytes : entries) {
            var position = revision + decoded.size() + 1;
            decoded.add(EntryFormat.decode(log.name() + " entry " + position, bytes));
        }
        return decoded;
    }

    /// Under the write lock. The first reason stays.
    private void breakWith(Throwable reason) {
        if (broken == null) {
            broken = reason;
        }
        waiters.wakeAll();
    }

    private void requireWhole() {
        requireUnbroken();
        var why = cut;
        if (why != null) {
            throw new TarponException(ProblemType.NOT_READY, "the metadata log is being replayed: " + why);
        }
    }

    private void requireUnbroken() {
        var reason = broken;
        if (reason != null) {
            throw new TarponException(
                    ProblemType.INTERNAL, "the metadata log cannot be replayed: " + reason.getMessage(), reason);
        }
    }
}
