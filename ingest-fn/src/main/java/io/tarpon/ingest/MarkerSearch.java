package io.tarpon.ingest;

import io.tarpon.ingest.notice.Notice;
import io.tarpon.ingest.upload.OneLine;
import io.tarpon.store.ObjectStamp;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jboss.logging.Logger;

/// Looks for markers that a message told of, in their sources. An event may come before what it tells of can be seen:
/// then the search waits, for all markers of the message together and for a bounded time, since no more than so many
/// searches are in work at a time ([BesidePlans]). An event of long ago is not waited for: its marker was seen, or
/// overwritten, or taken away.
///
/// However many markers a message has, a source that does not answer is waited for once in a look. What sources take
/// that answer slowly counts as waiting: once the waits are over, however they were spent, the next look is the last.
///
/// A marker that does not show is not an error. Should it show later, the next round over the sources finds it.
final class MarkerSearch {
    private static final Logger LOG = Logger.getLogger(MarkerSearch.class);

    private final MarkerSources sources;
    /// What one look may take beyond the waits before the next one is the last.
    private static final Duration ONE_LOOK = Duration.ofMinutes(1);

    private final List<Duration> waits;
    private final Duration longest;
    private final Duration fresh;
    private final Clock clock;
    private final Shutdown shutdown;

    /// @param waits before the second look, the third, and so on
    /// @param fresh older events are looked for once
    MarkerSearch(MarkerSources sources, List<Duration> waits, Duration fresh, Clock clock, Shutdown shutdown) {
        this.sources = sources;
        this.waits = List.copyOf(waits);
        this.longest = waits.stream().reduce(ONE_LOOK, Duration::plus);
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

    Result look(List<Told> markers) {
        var found = new ArrayList<Seen>();
        var missing = new ArrayList<Told>();
        var unreadable = new ArrayList<Told>();
        var open = List.copyOf(markers);
        long end = System.nanoTime() + longest.toNanos();
        for (int look = 0; !open.isEmpty(); look++) {
            boolean isLast = look == waits.size() || System.nanoTime() > end;
            var again = new ArrayList<Told>();
            var silent = new HashSet<String>();
            for (var told : open) {
                boolean mayShow = !isLast && isWorthWaiting(told.notice());
                lookOnce(told, silent, found, mayShow ? again : missing, isLast ? unreadable : again);
            }
            open = again;
            if (!open.isEmpty()) {
                shutdown.pause(waits.get(look));
            }
        }
        return new Result(found, missing, unreadable);
    }

    /// @param silent sources that did not answer in this look: they are not asked for another marker
    private void lookOnce(
            Told told, Set<String> silent, List<Seen> found, List<Told> ifMissing, List<Told> ifUnreadable) {
        shutdown.check();
        var source = told.marker().object().source();
        if (silent.contains(source)) {
            ifUnreadable.add(told);
            return;
        }
        try {
            sources.stamp(told.marker().object())
                    .ifPresentOrElse(stamp -> found.add(new Seen(told, stamp)), () -> ifMissing.add(told));
        } catch (IOException e) {
            LOG.warnf(
                    "marker not looked for source=%s dataset=%s reason=%s",
                    source, told.marker().dataset(), OneLine.of(e.getMessage() + ""));
            silent.add(source);
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
