package io.tarpon.ingest;

import io.tarpon.ingest.MarkerSearch.Told;
import io.tarpon.ingest.VersionPlanning.Outcome;
import io.tarpon.ingest.notice.Notice;
import io.tarpon.ingest.notice.NoticeReading.Notices;
import io.tarpon.ingest.upload.OneLine;
import io.tarpon.ingest.upload.Refusal;
import io.tarpon.ingest.upload.UploadReading;
import io.tarpon.service.retry.AbandonedException;
import io.tarpon.store.ConfiguredObject;
import io.tarpon.wire.DatasetName;
import io.tarpon.wire.http.TarponException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/// What object stores say becomes requests for versions. Only the creation of a marker in a configured source means
/// something, and only as a hint to look there: what the source then shows decides. So duplicates, replays, events out
/// of order and events that lie all end in the versions that the markers stand for.
///
/// Safe for several threads, each with a message: what they remember only saves a look. A crash at any point leaves the
/// message unacknowledged, and
/// doing it again sends the same requests.
public final class UploadNotices {
    private static final Logger LOG = Logger.getLogger(UploadNotices.class);

    /// Markers of which the last event acted on is remembered.
    private static final int REMEMBERED = 4_096;

    private final MarkerSources sources;
    private final MarkerName markerName;
    private final MarkerSearch search;
    private final MarkerRequests requests;
    private final NoticeCounts counts;
    private final Map<ConfiguredObject, Notice> acted = Collections.synchronizedMap(new LinkedHashMap<>() {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<ConfiguredObject, Notice> eldest) {
            return size() > REMEMBERED;
        }
    });

    UploadNotices(
            MarkerSources sources,
            MarkerName markerName,
            MarkerSearch search,
            MarkerRequests requests,
            NoticeCounts counts) {
        this.sources = sources;
        this.markerName = markerName;
        this.search = search;
        this.requests = requests;
        this.counts = counts;
    }

    /// Afterwards every marker that the message tells of, and that is there, is requested. What cannot be acted on is
    /// refused after the rest of the message was acted on. A mistake of ours must not stop what comes after it: the
    /// message is refused.
    ///
    /// @throws AbandonedException when this process is to end: the message must come again
    public Outcome act(Notices message, Optional<String> traceparent) throws IOException {
        try {
            return actOn(message, traceparent);
        } catch (TarponException | AbandonedException e) {
            throw e;
        } catch (RuntimeException e) {
            LOG.errorf(e, "notification broke notices=%d", message.notices().size());
            return new Outcome.Refused(Refusal.INTERNAL, "acting on it broke: " + e + "; this is a bug");
        }
    }

    private Outcome actOn(Notices message, Optional<String> traceparent) throws IOException {
        var refused = new Refused();
        message.flaws().forEach(flaw -> refused.add(UploadReading.why(flaw), flaw.detail()));
        counts.countUnknown(NoticeOutcome.MALFORMED, message.flaws().size());
        var markers = new LinkedHashMap<ConfiguredObject, Told>();
        for (var notice : message.notices()) {
            var told = marker(notice, refused);
            if (told != null) {
                var earlier = markers.put(told.marker().object(), told);
                if (earlier != null) {
                    // One stands for all of a marker's events: what is looked at is the same.
                    markers.put(told.marker().object(), surer(earlier, told));
                    dealtWith(notice, NoticeOutcome.STALE);
                }
            }
        }
        request(List.copyOf(markers.values()), traceparent, refused);
        return refused.outcome();
    }

    /// Nothing happened to an object.
    public void ignore(String what) {
        counts.countUnknown(NoticeOutcome.NOTHING, 1);
        LOG.infof("notification tells of no object what=%s", OneLine.of(what));
    }

    /// The first reason to refuse a message, found without asking anyone.
    Optional<String> flaw(Notices message) {
        if (!message.flaws().isEmpty()) {
            return Optional.of(message.flaws().getFirst().detail());
        }
        return message.notices().stream()
                .filter(notice -> !sources.isConfigured(notice.bucket()))
                .findFirst()
                .map(UploadNotices::unknownBucket);
    }

    /// Null where the notice is dealt with.
    private @Nullable Told marker(Notice notice, Refused refused) {
        if (!sources.isConfigured(notice.bucket())) {
            refused.add(Refusal.UNKNOWN_SOURCE, unknownBucket(notice));
            return dealtWith(notice, NoticeOutcome.UNKNOWN_SOURCE);
        }
        switch (notice.op()) {
            case REMOVED -> {
                return dealtWith(notice, NoticeOutcome.REMOVED);
            }
            case OTHER -> {
                return dealtWith(notice, NoticeOutcome.OTHER);
            }
            case CREATED, PERHAPS_CREATED -> {}
        }
        var object = sources.locate(notice.bucket(), notice.key());
        if (object.isEmpty()) {
            return dealtWith(notice, NoticeOutcome.OUTSIDE);
        }
        var folder = markerName.folderOf(object.get());
        if (folder.isEmpty()) {
            return dealtWith(notice, NoticeOutcome.OBJECT);
        }
        var before = acted.get(object.get());
        if (before != null && before.isSameEvent(notice)) {
            return dealtWith(notice, NoticeOutcome.STALE);
        }
        try {
            return new Told(new Marker(object.get(), new DatasetName(folder.get())), notice);
        } catch (IllegalArgumentException e) {
            refused.add(Refusal.INVALID_DATASET, e.getMessage() + "; it is the folder of marker " + notice.key());
            return dealtWith(notice, NoticeOutcome.INVALID_DATASET);
        }
    }

    private static Told surer(Told earlier, Told later) {
        return later.notice().op() == Notice.Op.CREATED ? later : earlier;
    }

    private void request(List<Told> markers, Optional<String> traceparent, Refused refused) throws IOException {
        var result = search.look(markers);
        for (var seen : result.found()) {
            var notice = seen.told().notice();
            var outcome = requests.request(seen.told().marker(), seen.stamp(), traceparent);
            acted.put(seen.told().marker().object(), notice);
            dealtWith(notice, outcome);
        }
        for (var told : result.missing()) {
            LOG.infof(
                    "marker is not there source=%s dataset=%s key=%s event=%s time=%s",
                    told.marker().object().source(),
                    told.marker().dataset(),
                    OneLine.of(told.notice().key()),
                    OneLine.of(told.notice().name()),
                    told.notice().time());
            dealtWith(told.notice(), NoticeOutcome.MARKER_NOT_THERE);
        }
        for (var told : result.unreadable()) {
            refused.add(
                    Refusal.SOURCE_UNREADABLE,
                    "source " + told.marker().object().source() + " did not say whether "
                            + told.notice().key() + " is there; look at it, then retry this letter");
            dealtWith(told.notice(), NoticeOutcome.SOURCE_UNREADABLE);
        }
    }

    private @Nullable Told dealtWith(Notice notice, NoticeOutcome outcome) {
        counts.count(notice.dialect(), outcome);
        LOG.debugf(
                "notice dialect=%s event=%s bucket=%s key=%s size=%s etag=%s version=%s outcome=%s",
                notice.dialect().wireName(),
                OneLine.of(notice.name()),
                OneLine.of(notice.bucket()),
                OneLine.of(notice.key()),
                notice.sizeBytes(),
                OneLine.of(notice.etag()),
                OneLine.of(notice.versionId()),
                outcome.wireName());
        return null;
    }

    private static String unknownBucket(Notice notice) {
        return "no source in bucket '" + notice.bucket() + "' is configured; set tarpon.sources.<id>.bucket";
    }

    /// Why a message cannot be acted on whole: the first reason, and how many there are.
    private static final class Refused {
        private final List<Outcome.Refused> first = new ArrayList<>(1);
        private int count;

        void add(Refusal why, String detail) {
            if (count++ == 0) {
                first.add(new Outcome.Refused(why, detail));
            }
        }

        Outcome outcome() {
            if (first.isEmpty()) {
                return new Outcome.Done();
            }
            var reason = first.getFirst();
            return count == 1
                    ? reason
                    : new Outcome.Refused(reason.why(), reason.detail() + "; and " + (count - 1) + " more like it");
        }
    }
}
