package io.tarpon.ingest;

import io.tarpon.ingest.upload.OneLine;
import io.tarpon.service.retry.AbandonedException;
import io.tarpon.wire.DatasetName;
import io.tarpon.wire.http.TarponException;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jboss.logging.Logger;

/// Makes good what got lost: every so often the folders of each configured s3 source are looked through for markers,
/// and one whose request has no version yet is requested. Every process of the group goes round; the same marker makes
/// the same request, so it does not matter which comes first. Owned by the one thread that goes round.
final class MarkerRounds {
    private static final Logger LOG = Logger.getLogger(MarkerRounds.class);

    private final MarkerSources sources;
    private final MarkerName markerName;
    private final MarkerRequests requests;
    private final NoticeCounts counts;
    private final int mostFolders;
    private final Shutdown shutdown;

    /// The last folder that was looked into, of sources that have more of them.
    private final Map<String, String> lastFolders = new HashMap<>();

    /// @param mostFolders of one source that are looked into in one round; the next round goes on behind them
    MarkerRounds(
            MarkerSources sources,
            MarkerName markerName,
            MarkerRequests requests,
            NoticeCounts counts,
            int mostFolders,
            Shutdown shutdown) {
        this.sources = sources;
        this.markerName = markerName;
        this.requests = requests;
        this.counts = counts;
        this.mostFolders = mostFolders;
        this.shutdown = shutdown;
    }

    /// Afterwards every marker that could be seen is requested. A source that cannot be read, or that breaks
    /// us, does not keep others from being looked at.
    ///
    /// @return how many requests were sent
    int round() {
        int sent = 0;
        for (var source : sources.ids()) {
            try {
                sent += round(source);
            } catch (AbandonedException e) {
                throw e;
            } catch (IOException | TarponException e) {
                LOG.warnf("source not looked through source=%s reason=%s", source, OneLine.of(e.getMessage() + ""));
                counts.countRound(NoticeOutcome.SOURCE_UNREADABLE);
            } catch (RuntimeException e) {
                LOG.errorf(e, "looking through a source broke source=%s", source);
                counts.countRound(NoticeOutcome.SOURCE_UNREADABLE);
            }
        }
        return sent;
    }

    private int round(String source) throws IOException {
        var after = lastFolders.getOrDefault(source, "");
        List<String> folders = sources.folders(source, after, mostFolders);
        int sent = 0;
        for (var folder : folders) {
            shutdown.check();
            var outcome = request(source, folder);
            if (outcome.isPresent()) {
                counts.countRound(outcome.get());
                sent += outcome.get() == NoticeOutcome.REQUESTED ? 1 : 0;
            }
        }
        remember(source, folders);
        return sent;
    }

    /// A source that broke in the middle is looked through from the same place again.
    private void remember(String source, List<String> folders) {
        if (folders.size() < mostFolders) {
            lastFolders.remove(source);
            return;
        }
        lastFolders.put(source, folders.getLast());
        LOG.infof("source is looked through in parts source=%s folders=%d", source, mostFolders);
    }

    /// Empty for a folder that is no dataset, or is not complete.
    private Optional<NoticeOutcome> request(String source, String folder) throws IOException {
        Marker marker;
        try {
            marker = markerName.of(source, new DatasetName(folder));
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
        var stamp = sources.stamp(marker.object());
        return stamp.isEmpty()
                ? Optional.empty()
                : Optional.of(requests.request(marker, stamp.get(), Optional.empty()));
    }
}
