package io.tarpon.metadata;

import io.tarpon.metadata.entry.LogUnavailableException;
import io.tarpon.metadata.entry.MetadataLog;
import io.tarpon.metadata.image.Image;
import io.tarpon.metadata.image.ImageStoreException;
import io.tarpon.metadata.replica.Replica;
import io.tarpon.metadata.snapshot.OwnSnapshots;
import io.tarpon.metadata.snapshot.StoredSnapshots;
import io.tarpon.wire.Digests;
import io.tarpon.wire.http.ProblemType;
import io.tarpon.wire.http.TarponException;
import io.tarpon.wire.metadata.SnapshotReport;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import org.jboss.logging.Logger;

/// The use case of snapshots: the view is written to the object store after so many entries, or when somebody
/// asks, snapshots before the last two go, and the log is trimmed behind the second last, which is there for
/// the day on which the last turns out to be damaged. Of several replicas the one that has the duty to
/// publish does it; the others only look. One thread does all of it. Replay goes on meanwhile.
///
/// The log is never trimmed beyond what is published: of every event the image keeps those beyond the log's
/// beginning ([Replica#forgetEvents]), and so do the snapshots, so whoever publishes next finds all that the
/// topic lacks. With a broker of events that is away for long, the log grows for so long. What this process
/// knows to be published is in the topic for good, though the mark that others read may be behind it.
///
/// What is where at each crash point (kill -9):
///
/// - **upload half done**: no snapshot; the upload is collected as other abandoned ones are.
/// - **uploaded, nothing else**: the next look tidies up, by whoever has the duty then.
/// - **some deleted**: never one of the last two, so never one that the log's beginning rests on. The next
///   look deletes the rest.
/// - **deleted, not trimmed**: the log has more than it must have, until the next look.
/// - **trimmed, events not dropped**: every replica asks for the log's beginning at each look.
/// - **two replicas believe to have the duty**, one having stood still: both write whole snapshots of one
///   log, under keys that say what is in them; both trim behind one that had a later one beside it, and what
///   either deletes has two later ones. Of one key both write the same view.
///
/// An object store that is away is waited for, and everything else goes on; so does a log that is away.
public final class Snapshotting implements AutoCloseable {
    private static final Logger LOG = Logger.getLogger(Snapshotting.class);
    private static final Duration ENTRY_PATIENCE = Duration.ofSeconds(10);

    private final MetadataLog log;
    private final Replica replica;
    private final Optional<StoredSnapshots> store;
    private final InstantSource clock;
    private final Settings settings;
    private final BooleanSupplier isHere;
    private final LongSupplier publishedUpTo;
    private final OwnSnapshots own = new OwnSnapshots();
    /// Those whose last entry is the log's. Owned by the thread, as what follows.
    private final Set<Long> known = new HashSet<>();
    /// Those whose last entry is another.
    private final Set<Long> lost = new HashSet<>();
    private final ScheduledExecutorService thread = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().daemon().name("metadata-snapshots").factory());
    /// One is being written, or is about to be.
    private final AtomicBoolean isWriting = new AtomicBoolean();

    private volatile long latest;
    private volatile long logBegin;
    /// Why it does not get on, as it was said last; empty where it does.
    private String trouble = "";

    /// @param entries after how many entries a snapshot is written by itself; 0 for never
    /// @param interval pause between two looks
    record Settings(long entries, Duration interval) {}

    /// @param store empty where no snapshot is ever written
    /// @param isHere whether this replica is the one that writes them
    /// @param publishedUpTo revision up to which all events are known to be published
    Snapshotting(
            MetadataLog log,
            Replica replica,
            Optional<StoredSnapshots> store,
            InstantSource clock,
            Settings settings,
            BooleanSupplier isHere,
            LongSupplier publishedUpTo) {
        this.log = log;
        this.replica = replica;
        this.store = store;
        this.clock = clock;
        this.settings = settings;
        this.isHere = isHere;
        this.publishedUpTo = publishedUpTo;
    }

    void start() {
        if (store.isEmpty()) {
            LOG.info("no metadata snapshots: tarpon.store.* is not set, so the log is never cut");
        }
        var millis = settings.interval().toMillis();
        var _ = thread.scheduleWithFixedDelay(this::look, millis, millis, TimeUnit.MILLISECONDS);
    }

    /// Revision of the latest snapshot of this log, as far as this replica knows; 0 for none.
    long latest() {
        return latest;
    }

    /// Number of entries that were removed from the log, as far as this replica knows.
    long logBegin() {
        return logBegin;
    }

    /// Writes one now. Throws `conflict` while another is being written, or where there is nothing to write,
    /// `not-ready` where another replica has that duty, and `storage-unavailable` where the store fails: then
    /// it may be there or not, and it is safe to ask again.
    public SnapshotReport take() {
        var where = store.orElseThrow(() -> new TarponException(
                ProblemType.STORAGE_UNAVAILABLE,
                "this service was started without an object store: set tarpon.store.* as for the other services"));
        if (!isHere.getAsBoolean()) {
            throw new TarponException(
                    ProblemType.NOT_READY,
                    "snapshots are written by the replica that publishes events, and this is another one: ask that, or"
                            + " all in turn");
        }
        if (!isWriting.compareAndSet(false, true)) {
            throw new TarponException(
                    ProblemType.CONFLICT, "a snapshot is being written already: wait until that is done");
        }
        try {
            return answer(thread.submit(() -> {
                try {
                    var report = write(where);
                    tidy(where);
                    return report;
                } finally {
                    isWriting.set(false);
                }
            }));
        } catch (RejectedExecutionException e) {
            throw stopping(e);
        }
    }

    private static SnapshotReport answer(Future<SnapshotReport> asked) {
        try {
            return asked.get();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw stopping(e);
        } catch (CancellationException e) {
            throw stopping(e);
        } catch (ExecutionException e) {
            switch (Objects.requireNonNull(e.getCause())) {
                case TarponException problem -> throw problem;
                case IOException reason -> throw failed(reason);
                case ImageStoreException reason -> throw failed(reason);
                case Throwable reason -> throw new IllegalStateException(reason);
            }
        }
    }

    private static TarponException stopping(Exception reason) {
        return new TarponException(ProblemType.NOT_READY, "the service is stopping", reason);
    }

    private static TarponException failed(Exception reason) {
        return new TarponException(
                ProblemType.STORAGE_UNAVAILABLE,
                "the snapshot was not written, or not all that goes with it done: " + reason.getMessage()
                        + "; ask again",
                reason);
    }

    /// What goes wrong in one look must not end the next ones.
    private void look() {
        try {
            logBegin = log.begin();
            replica.forgetEvents(logBegin);
            if (store.isPresent() && isCurrent()) {
                look(store.get());
            }
            if (!trouble.isEmpty()) {
                trouble = "";
                LOG.info("metadata snapshots go on");
            }
        } catch (LogUnavailableException e) {
            LOG.debugf("metadata log is away, nothing is cut reason=%s", e.getMessage());
        } catch (IOException | ImageStoreException | TarponException e) {
            say(String.valueOf(e.getMessage()));
        } catch (RuntimeException | Error e) {
            LOG.errorf(e, "metadata snapshot not written");
        }
    }

    /// Each reason once.
    private void say(String reason) {
        if (!Thread.currentThread().isInterrupted() && !reason.equals(trouble)) {
            trouble = reason;
            LOG.warnf("metadata snapshots wait reason=%s", reason);
        }
    }

    private boolean isCurrent() {
        return replica.broken() == null && replica.behind().isEmpty();
    }

    private void look(StoredSnapshots where) throws IOException {
        var found = ours(where);
        latest = found.isEmpty() ? 0 : found.getFirst();
        if (!isHere.getAsBoolean()) {
            return;
        }
        if (settings.entries() > 0
                && replica.revision() - latest >= settings.entries()
                && isWriting.compareAndSet(false, true)) {
            try {
                var _ = write(where);
            } finally {
                isWriting.set(false);
            }
        }
        tidy(where);
    }

    private SnapshotReport write(StoredSnapshots where) throws IOException {
        var began = clock.instant();
        try (var image = replica.read(Image::saved).value()) {
            if (image.revision() == 0) {
                throw new TarponException(ProblemType.CONFLICT, "the log is empty: there is nothing to write");
            }
            own.requireFree(where, image.revision(), image.logId());
            var report = where.write(image, began);
            // Whatever had its key.
            lost.remove(report.revision());
            latest = Math.max(latest, report.revision());
            LOG.infof(
                    "metadata snapshot written snapshot=%s entries=%d bytes=%d sha256=%s millis=%d",
                    report.name(),
                    report.entries(),
                    report.bytes(),
                    report.sha256(),
                    Duration.between(began, clock.instant()).toMillis());
            return report;
        }
    }

    /// Deletes what comes before the last two, and trims the log behind the second last.
    private void tidy(StoredSnapshots where) throws IOException {
        var found = ours(where);
        if (found.size() < 2) {
            return;
        }
        for (var needless : found.subList(2, found.size())) {
            where.delete(needless);
            LOG.infof("metadata snapshot deleted revision=%d", needless);
        }
        // Its last entry stays, by which it is known as one of this log.
        var upTo = Math.min(found.get(1) - 1, publishedUpTo.getAsLong());
        if (upTo > log.begin()) {
            log.trim(upTo);
            LOG.infof("metadata log trimmed log=%s upTo=%d snapshot=%d", log.name(), upTo, found.get(1));
        }
        logBegin = log.begin();
        replica.forgetEvents(logBegin);
    }

    /// Those of this log as it is, latest first: of one whose end was lost, and that has grown since, there may be some
    /// that are of the entries which it has no more. These are neither counted nor deleted.
    private List<Long> ours(StoredSnapshots where) throws IOException {
        var there = own.in(where, logId());
        known.retainAll(there);
        lost.retainAll(there);
        var begin = log.begin();
        for (var revision : there) {
            if (revision <= replica.revision() && !known.contains(revision) && !lost.contains(revision)) {
                compare(where, revision, begin);
            }
        }
        return there.stream().filter(known::contains).toList();
    }

    /// By its last entry, where the log still has that.
    private void compare(StoredSnapshots where, long revision, long begin) throws IOException {
        var last = where.header(revision).lastEntry();
        if (revision <= begin
                || last.isEmpty()
                || Digests.sha256Hex(entry(revision)).equals(last.get())) {
            known.add(revision);
        } else {
            lost.add(revision);
            LOG.warnf(
                    "metadata snapshot is of entries that the log has no more, left alone revision=%d log=%s",
                    revision, log.name());
        }
    }

    private byte[] entry(long position) throws IOException {
        try (var reader = log.reader(position - 1)) {
            return reader.next(1, ENTRY_PATIENCE).stream()
                    .findFirst()
                    .orElseThrow(() ->
                            new LogUnavailableException("entry " + position + " of " + log.name() + " cannot be read"));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted while entry " + position + " was read");
        }
    }

    private Optional<String> logId() {
        return replica.read(Image::logId).value();
    }

    /// Afterwards nothing is written any more; what runs then is broken off, and who waits for it is told.
    @Override
    public void close() throws InterruptedException {
        for (var waiting : thread.shutdownNow()) {
            if (waiting instanceof Future<?> asked) {
                asked.cancel(true);
            }
        }
        while (!thread.awaitTermination(1, TimeUnit.MINUTES)) {
            LOG.warn("metadata snapshot is still being written, the service waits for it");
        }
    }
}
