package io.tarpon.ingest;

import io.tarpon.ingest.upload.OneLine;
import io.tarpon.service.retry.AbandonedException;
import io.tarpon.wire.DatasetName;
import io.tarpon.wire.http.TarponException;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.jboss.logging.Logger;

/// Makes good what got lost: every so often the folders of each configured s3 source are looked through for markers,
/// and one whose request has no version yet is requested. Every process of the group goes round; the same marker makes
/// the same request, so it does not matter which comes first.
final class MarkerRounds implements AutoCloseable {
    private static final Logger LOG = Logger.getLogger(MarkerRounds.class);

    private final MarkerSources sources;
    private final MarkerName markerName;
    private final MarkerRequests requests;
    private final NoticeCounts counts;
    private final int mostFolders;
    private final Shutdown shutdown;
    private final ScheduledExecutorService clockwork = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().daemon().name("marker-rounds").factory());

    /// @param mostFolders of one source that are looked into in one round
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

    /// From now on a round begins so long after the last one ended.
    void every(Duration pause) {
        long millis = pause.toMillis();
        var _ = clockwork.scheduleWithFixedDelay(this::roundOrLog, millis, millis, TimeUnit.MILLISECONDS);
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

    @Override
    public void close() {
        clockwork.shutdownNow();
    }

    private void roundOrLog() {
        try {
            shutdown.run(() -> {
                int sent = round();
                LOG.debugf("sources looked through for markers requests=%d", sent);
            });
        } catch (AbandonedException e) {
            LOG.debug("round over the sources ended early", e);
        } catch (IOException | RuntimeException e) {
            // A round that throws would be the last one.
            LOG.error("round over the sources broke", e);
        }
    }

    private int round(String source) throws IOException {
        List<String> folders = sources.folders(source, mostFolders);
        if (folders.size() == mostFolders) {
            LOG.warnf(
                    "source has more folders than are looked into source=%s folders=%d"
                            + " key=tarpon.ingest.reconcile-folders",
                    source, mostFolders);
        }
        int sent = 0;
        for (var folder : folders) {
            shutdown.check();
            var outcome = request(source, folder);
            if (outcome.isPresent()) {
                counts.countRound(outcome.get());
                sent += outcome.get() == NoticeOutcome.REQUESTED ? 1 : 0;
            }
        }
        return sent;
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
