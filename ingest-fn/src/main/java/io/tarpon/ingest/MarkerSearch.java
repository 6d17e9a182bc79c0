package io.tarpon.ingest;

import io.tarpon.ingest.notice.Notice;
import io.tarpon.ingest.upload.OneLine;
import io.tarpon.store.ObjectStamp;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jboss.logging.Logger;

/// Looks for markers that a message told of, in their sources. An event may come before what it tells of can be seen:
/// then the search waits, for all markers of the message together and for a bounded time, since what comes behind the
/// message waits too. An event of long ago is not waited for: its marker was seen, or overwritten, or taken away.
///
/// A marker that does not show is not an error. Should it show later, the next round over the sources finds it.
final class MarkerSearch {
    private static final Logger LOG = Logger.getLogger(MarkerSearch.class);

    private final MarkerSources sources;
    private final List<Duration> waits;
    private final Duration fresh;
    private final Clock clock;
    private final Shutdown shutdown;

    /// @param waits before the second look, the third, and so on
    /// @param fresh older events are looked for once
    MarkerSearch(MarkerSources sources, List<Duration> waits, Duration fresh, Clock clock, Shutdown shutdown) {
        this.sources = sources;
        this.waits = List.copyOf(waits);
        this.fresh = fresh;
        this.clock = clock;
        this.shutdown = shutdown;
    }

    /// A marker and the notice that told of it.
    record Told(Marker marker, Notice notice) {}

    /// @param found in the order in which they showed
    /// @param missing as good as never told of
    /// @param unreadable the store of their source did not answer, or would not say
    record Result(List<Seen> found, List<Told> missing, List<Told> unreadable) {}

    /// @param stamp what the source said
    record Seen(Told told, ObjectStamp stamp) {}

    Result look(List<Told> markers) throws HandedBackException {
        var found = new ArrayList<Seen>();
        var missing = new ArrayList<Told>();
        var unreadable = new ArrayList<Told>();
        var open = List.copyOf(markers);
        for (int look = 0; !open.isEmpty(); look++) {
            boolean isLast = look == waits.size();
            var again = new ArrayList<Told>();
            for (var told : open) {
                boolean mayShow = !isLast && isWorthWaiting(told.notice());
                lookOnce(told, found, mayShow ? again : missing, isLast ? unreadable : again);
            }
            open = again;
            if (!open.isEmpty()) {
                shutdown.pause(waits.get(look));
            }
        }
        return new Result(found, missing, unreadable);
    }

    private void lookOnce(Told told, List<Seen> found, List<Told> ifMissing, List<Told> ifUnreadable)
            throws HandedBackException {
        shutdown.check();
        try {
            sources.stamp(told.marker().object())
                    .ifPresentOrElse(stamp -> found.add(new Seen(told, stamp)), () -> ifMissing.add(told));
        } catch (IOException e) {
            LOG.warnf(
                    "marker not looked for source=%s dataset=%s reason=%s",
                    told.marker().object().source(), told.marker().dataset(), OneLine.of(e.getMessage() + ""));
            ifUnreadable.add(told);
        }
    }

    /// Ceph announces an upload in parts by an event that looks like a create; when it is complete, another one comes.
    private boolean isWorthWaiting(Notice notice) {
        return notice.op() == Notice.Op.CREATED
                && (notice.time() == null
                        || notice.time().isAfter(clock.instant().minus(fresh)));
    }
}
