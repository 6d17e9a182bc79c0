package io.tarpon.metadata.replica;

import io.tarpon.metadata.entry.FollowedLog;
import io.tarpon.metadata.entry.LogTrimmedException;
import io.tarpon.metadata.entry.LogUnavailableException;
import io.tarpon.metadata.entry.MetadataLog;
import io.tarpon.metadata.image.Image;
import io.tarpon.wire.Digests;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import org.jboss.logging.Logger;

/// Whether the log that is replayed is the one that was replayed here before. Owned by the replaying thread.
///
/// Crash points: between the entry that names the log and its being remembered, it is remembered by the next start.
final class LogIdentity {
    private static final Logger LOG = Logger.getLogger(LogIdentity.class);

    private static final Duration SHORT_PATIENCE = Duration.ofSeconds(10);

    private final FollowedLog followed;
    private final MetadataLog log;
    private boolean isKnown;
    private boolean isForgetful;
    /// Since when the log says that it ends before the image, by the clock of waits; 0 where it does not.
    private long shortSince;

    LogIdentity(FollowedLog followed, MetadataLog log) {
        this.followed = followed;
        this.log = log;
    }

    /// Before anything more is replayed: the log goes on from where the image is.
    ///
    /// @param end of the log
    /// @throws LogUnavailableException that cannot be told now
    /// @throws IOException it holds less than was replayed of it, or other entries
    void requireSame(Image image, long end) throws IOException, InterruptedException {
        if (end < image.revision()) {
            requireStillShort(image, end);
            throw new IOException(log.name() + " ends at entry " + end + ", and the view holds " + image.revision()
                    + ": the log lost its end, or is another one; bring it back, or delete the view to begin with what"
                    + " the log has");
        }
        requireSameEntry(image);
        if (end == image.revision()) {
            seeAll(image);
        }
    }

    /// One broker that others have forgotten may say so for a while.
    private void requireStillShort(Image image, long end) throws LogUnavailableException {
        var now = System.nanoTime();
        if (shortSince == 0) {
            shortSince = now;
        }
        if (now - shortSince < SHORT_PATIENCE.toNanos()) {
            throw new LogUnavailableException(
                    log.name() + " says that it ends at entry " + end + ", and the view holds " + image.revision());
        }
    }

    /// A log that lost its end, and has grown since, has another entry where the image ends.
    private void requireSameEntry(Image image) throws IOException, InterruptedException {
        var revision = image.revision();
        var known = image.lastEntry();
        if (revision == 0 || known.isEmpty()) {
            return;
        }
        List<byte[]> there;
        var again = log.reader(revision - 1);
        try {
            there = again.next(1, SHORT_PATIENCE);
        } catch (LogTrimmedException e) {
            // It is the log's beginning that is gone.
            return;
        } finally {
            again.close();
        }
        if (there.isEmpty()) {
            throw new LogUnavailableException("entry " + revision + " of " + log.name() + " cannot be read");
        }
        if (!Digests.sha256Hex(there.getFirst()).equals(known.get())) {
            throw new IOException("entry " + revision + " of " + log.name() + " is not the one that was replayed here:"
                    + " the log lost its end, and has grown since, or is another one; delete the view to begin with"
                    + " what the log has");
        }
    }

    /// Throws where the log has an id by now and another one than the log of before.
    void see(Image image) throws IOException {
        var id = image.logId();
        if (isKnown || id.isEmpty()) {
            return;
        }
        var before = followed.id();
        if (before.isPresent() && !before.equals(id)) {
            throw another("has the id " + id.get(), before.get());
        }
        if (before.isEmpty() && !isRemembered(id.get())) {
            return;
        }
        isKnown = true;
        LOG.debugf("metadata log identified log=%s id=%s", log.name(), id.get());
    }

    /// Where the folder takes nothing, its disk being full say, it is tried again with the next entry.
    private boolean isRemembered(String id) {
        try {
            followed.follow(id);
            return true;
        } catch (IOException e) {
            if (!isForgetful) {
                isForgetful = true;
                LOG.warnf("metadata log id not remembered yet log=%s id=%s reason=%s", log.name(), id, e.getMessage());
            }
            return false;
        }
    }

    /// All that was in the log when replay began is replayed. Throws where it has no id by then, and the log of
    /// before had one.
    void seeAll(Image image) throws IOException {
        see(image);
        if (!isKnown) {
            var before = followed.id();
            if (before.isPresent()) {
                throw another("has no id", before.get());
            }
        }
    }

    private IOException another(String what, String before) {
        return new IOException("the metadata log " + log.name() + " " + what
                + ", and what was replayed here was of the id "
                + before + ": it was deleted and made again, or is of another cluster; bring the old one back, or begin"
                + " anew with an empty tarpon.metadata.dir");
    }
}
