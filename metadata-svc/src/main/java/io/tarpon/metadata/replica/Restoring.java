package io.tarpon.metadata.replica;

import io.tarpon.metadata.entry.EntryFormat;
import io.tarpon.metadata.entry.FollowedLog;
import io.tarpon.metadata.entry.LogTrimmedException;
import io.tarpon.metadata.entry.LogUnavailableException;
import io.tarpon.metadata.entry.MetadataLog;
import io.tarpon.metadata.image.Image;
import io.tarpon.metadata.image.ImageStoreException;
import io.tarpon.metadata.image.StoredImage;
import io.tarpon.metadata.snapshot.SnapshotHeader;
import io.tarpon.metadata.snapshot.SnapshotReader;
import io.tarpon.metadata.snapshot.Snapshots;
import io.tarpon.store.DamagedObjectException;
import io.tarpon.wire.Digests;
import io.tarpon.wire.ObjectKeys;
import io.tarpon.wire.format.CorruptFormatException;
import io.tarpon.wire.format.UnknownFormatException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/// Puts a snapshot in the place of an image that the log cannot carry on: the latest that is whole and of
/// this log. Owned by the replaying thread, and nobody may read the image meanwhile.
///
/// Whether a snapshot is of this log is settled before anything of the image is deleted: its last entry is
/// the one that the log has there, or, where that was removed, the next one names the same log.
///
/// Crash points: killed while it loads, the view is unfinished and made anew by the next start
/// ([io.tarpon.metadata.image.Refill]). A snapshot that is deleted, or overtaken by the log's beginning,
/// while it is read breaks off, and the next attempt looks for what is there then. One that turns out to be
/// damaged is followed by the one before, from nothing again.
final class Restoring {
    private static final Logger LOG = Logger.getLogger(Restoring.class);
    private static final Duration PATIENCE = Duration.ofSeconds(10);
    /// After which one that does not name the log is not to be expected.
    private static final int LOOK_AT_ENTRIES = 256;
    private static final String VIEW = "metadata view";

    private final MetadataLog log;
    private final FollowedLog followed;
    private final Snapshots snapshots;
    private final Set<Long> saidForeign = new HashSet<>();
    private final Set<Long> saidDamaged = new HashSet<>();
    /// The image is empty, and its store has parts of a snapshot.
    private boolean isUnfinished;
    /// The id of the log; null while nothing names it.
    private @Nullable String known;
    /// Why the last one that was tried cannot be loaded; empty where there is nothing to say.
    private String damage = "";

    Restoring(MetadataLog log, FollowedLog followed, Snapshots snapshots) {
        this.log = log;
        this.followed = followed;
        this.snapshots = snapshots;
    }

    /// Whether the image should come from a snapshot: it must, where the log does not have what follows it,
    /// and it may, where there is nothing of it yet.
    boolean isWanted(Image image, long begin, long end) {
        return image.revision() < begin
                || isUnfinished
                || (image.revision() == 0 && end > 0 && !Snapshots.NONE.equals(snapshots));
    }

    /// Loads one where one is to be had. Returns whether it did: otherwise the image is empty, and the log is
    /// whole.
    ///
    /// @throws NoSnapshotException none can be had now, and the log is not whole
    /// @throws LogUnavailableException that cannot be told now
    /// @throws UnsavedException there is no room for it now
    boolean restore(Image image, long begin, long end)
            throws IOException, InterruptedException, NoSnapshotException, UnsavedException {
        try {
            if (loadLatest(image, begin, end)) {
                return true;
            }
        } catch (LogUnavailableException e) {
            throw e;
        } catch (InterruptedIOException e) {
            throw Replica.interrupted(e);
        } catch (IOException e) {
            if (begin > 0) {
                throw new NoSnapshotException(missing(begin, end) + ", which cannot be read: " + e.getMessage(), e);
            }
            LOG.warnf("metadata snapshots cannot be read, the log is replayed whole reason=%s", e.getMessage());
        } catch (ImageStoreException e) {
            throw new UnsavedException(e);
        }
        if (begin > 0) {
            throw new NoSnapshotException(missing(begin, end) + damage
                    + "; put one there, as a backup of the store has it, or as another replica writes it when it is"
                    + " asked to (POST /v1/snapshots)");
        }
        if (isUnfinished) {
            clear(image);
        }
        return false;
    }

    private void clear(Image image) throws UnsavedException {
        try {
            var _ = image.refill();
            isUnfinished = false;
        } catch (ImageStoreException e) {
            throw new UnsavedException(e);
        }
    }

    private String missing(long begin, long end) {
        return "entries up to " + begin + " were removed from " + log.name()
                + ", and what they said must come from a snapshot of revision " + begin + " to " + end + " in "
                + snapshots.where();
    }

    private boolean loadLatest(Image image, long begin, long end) throws IOException, InterruptedException {
        damage = "";
        if (known == null) {
            known = image.logId().orElse(followed.id().orElse(null));
        }
        for (var revision : snapshots.revisions()) {
            if (revision >= begin
                    && revision <= end
                    && revision > image.revision()
                    && load(revision, image, begin, end)) {
                return true;
            }
        }
        return false;
    }

    /// False where it is not whole, or not of this log.
    private boolean load(long revision, Image image, long begin, long end) throws IOException, InterruptedException {
        try (var reader = snapshots.open(revision)) {
            var header = reader.header();
            if (header.imageFormat() != StoredImage.FORMAT) {
                throw new UnknownFormatException(
                        ObjectKeys.snapshot(revision), VIEW, header.imageFormat(), StoredImage.FORMAT);
            }
            if (!isOfThisLog(header, begin, end)) {
                if (saidForeign.add(revision)) {
                    LOG.infof(
                            "metadata snapshot of another log left alone snapshot=%s log=%s",
                            ObjectKeys.snapshot(revision), header.logId().orElse("-"));
                }
                return false;
            }
            LOG.infof(
                    "metadata snapshot is loaded snapshot=%s created=%s view=%d log=%s",
                    ObjectKeys.snapshot(revision), header.created(), image.revision(), log.name());
            fill(image, reader);
            LOG.infof("metadata snapshot loaded snapshot=%s", ObjectKeys.snapshot(revision));
            return true;
        } catch (CorruptFormatException | UnknownFormatException | DamagedObjectException e) {
            damage = "; " + e.getMessage();
            if (saidDamaged.add(revision)) {
                LOG.warnf(
                        "metadata snapshot cannot be used, the one before is taken snapshot=%s reason=%s",
                        ObjectKeys.snapshot(revision), e.getMessage());
            }
            return false;
        }
    }

    private void fill(Image image, SnapshotReader reader) throws IOException {
        isUnfinished = true;
        var refill = image.refill();
        reader.read((key, value) -> {
            if (Thread.currentThread().isInterrupted()) {
                throw new InterruptedIOException("interrupted while a snapshot was loaded");
            }
            refill.put(key, value);
        });
        if (refill.revision() != reader.header().revision()) {
            throw new CorruptFormatException(
                    ObjectKeys.snapshot(reader.header().revision()), VIEW, "it holds revision " + refill.revision());
        }
        refill.finish();
        isUnfinished = false;
    }

    private boolean isOfThisLog(SnapshotHeader header, long begin, long end) throws IOException, InterruptedException {
        if (known != null && header.log() != null && !known.equals(header.log())) {
            return false;
        }
        var isNamed = known != null && known.equals(header.log());
        if (header.revision() > begin) {
            return header.lastEntry().isEmpty()
                    ? isNamed
                    : Digests.sha256Hex(entry(header.revision()))
                            .equals(header.lastEntry().get());
        }
        // Its last entry was removed.
        return isNamed || (header.revision() == end ? known == null : isNamedByWhatFollows(header));
    }

    /// Entries that were decided before the log was named come after that too, though they change nothing any more.
    private boolean isNamedByWhatFollows(SnapshotHeader header) throws IOException, InterruptedException {
        var position = header.revision();
        for (var encoded : entries(position + 1, LOOK_AT_ENTRIES)) {
            position++;
            var named = EntryFormat.decode(log.name() + " entry " + position, encoded)
                    .log();
            if (named != null || header.log() == null) {
                return Objects.equals(named, header.log());
            }
        }
        return false;
    }

    private byte[] entry(long position) throws IOException, InterruptedException {
        return entries(position, 1).getFirst();
    }

    /// One at least.
    private List<byte[]> entries(long position, int limit) throws IOException, InterruptedException {
        List<byte[]> there;
        try (var reader = log.reader(position - 1)) {
            there = reader.next(limit, PATIENCE);
        } catch (LogTrimmedException e) {
            throw new LogUnavailableException("entry " + position + " was just removed", e);
        }
        if (there.isEmpty()) {
            throw new LogUnavailableException("entry " + position + " of " + log.name() + " cannot be read");
        }
        return there;
    }
}
