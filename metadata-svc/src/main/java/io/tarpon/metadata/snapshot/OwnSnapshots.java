package io.tarpon.metadata.snapshot;

import io.tarpon.metadata.image.StoredImage;
import io.tarpon.store.NoSuchObjectException;
import io.tarpon.wire.ObjectKeys;
import io.tarpon.wire.format.CorruptFormatException;
import io.tarpon.wire.format.UnknownFormatException;
import io.tarpon.wire.http.ProblemType;
import io.tarpon.wire.http.TarponException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jboss.logging.Logger;

/// Tells the snapshots of one log from others in the same store, which was kept when the log was begun anew,
/// say. Those of others are left alone, which is said once of each. Owned by one thread.
public final class OwnSnapshots {
    private static final Logger LOG = Logger.getLogger(OwnSnapshots.class);

    private final Set<Long> said = new HashSet<>();

    /// Revisions of those of this log that this build can load, latest first.
    ///
    /// @param log its id; empty while it has none, and then only those are its own that have none either
    public List<Long> in(StoredSnapshots store, Optional<String> log) throws IOException {
        var own = new ArrayList<Long>();
        for (var revision : store.revisions()) {
            if (isOwn(store, revision, log)) {
                own.add(revision);
            }
        }
        return own;
    }

    /// Throws `conflict` where the snapshot of another log has the key: it would be lost.
    public void requireFree(StoredSnapshots store, long revision, Optional<String> log) throws IOException {
        try {
            var there = store.header(revision);
            if (!there.logId().equals(log)) {
                throw new TarponException(
                        ProblemType.CONFLICT,
                        ObjectKeys.snapshot(revision) + " is of the log "
                                + there.logId().orElse("without an id")
                                + ", and this one is " + log.orElse("without an id")
                                + ": delete it, or ask again at another revision");
            }
        } catch (NoSuchObjectException | CorruptFormatException e) {
            LOG.debugf("metadata snapshot may be written reason=%s", e.getMessage());
        }
    }

    private boolean isOwn(StoredSnapshots store, long revision, Optional<String> log) throws IOException {
        try {
            var header = store.header(revision);
            if (header.logId().equals(log) && header.imageFormat() == StoredImage.FORMAT) {
                return true;
            }
            leftAlone(revision, "of log " + header.logId().orElse("-") + " and format " + header.imageFormat());
        } catch (NoSuchObjectException e) {
            LOG.debugf("metadata snapshot is gone reason=%s", e.getMessage());
        } catch (CorruptFormatException | UnknownFormatException e) {
            leftAlone(revision, String.valueOf(e.getMessage()));
        }
        return false;
    }

    private void leftAlone(long revision, String why) {
        if (said.add(revision)) {
            LOG.infof(
                    "metadata snapshot is not one of this log, left alone snapshot=%s reason=%s",
                    ObjectKeys.snapshot(revision), why);
        }
    }
}
