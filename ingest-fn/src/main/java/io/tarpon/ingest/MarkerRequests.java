package io.tarpon.ingest;

import io.tarpon.ingest.UploadAcceptance.UploadMessages;
import io.tarpon.ingest.upload.OneLine;
import io.tarpon.ingest.upload.Upload;
import io.tarpon.service.retry.AbandonedException;
import io.tarpon.service.retry.Patience;
import io.tarpon.store.ObjectStamp;
import io.tarpon.wire.client.MetadataClient;
import io.tarpon.wire.event.DatasetUploaded;
import io.tarpon.wire.http.TarponException;
import java.io.IOException;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jboss.logging.Logger;

/// A marker that is there becomes a request for a version: our own upload event in `tarpon.uploads`, with the id that
/// is a function of the marker, so that it takes the way of all uploads and of many requests one version comes.
///
/// Safe for several threads. A crash after the event was sent and before it is remembered sends it again; a second one
/// changes nothing.
final class MarkerRequests {
    private static final Logger LOG = Logger.getLogger(MarkerRequests.class);
    private static final String EVENT_SOURCE = "/ingest-fn";

    /// Request ids sent by this process that are remembered.
    private static final int REMEMBERED = 4_096;

    private final MarkerSources sources;
    private final MetadataClient metadata;
    private final UploadMessages messages;
    private final Patience patience;
    private final Set<String> sent = Collections.synchronizedSet(Collections.newSetFromMap(new Remembered()));

    MarkerRequests(MarkerSources sources, MetadataClient metadata, UploadMessages messages, Patience patience) {
        this.sources = sources;
        this.metadata = metadata;
        this.messages = messages;
        this.patience = patience;
    }

    private static final class Remembered extends LinkedHashMap<String, Boolean> {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Boolean> eldest) {
            return size() > REMEMBERED;
        }
    }

    /// Afterwards the request is in the topic, or a version was begun for it before.
    ///
    /// @param stamp the marker as its source shows it now
    /// @return [NoticeOutcome#REQUESTED] or [NoticeOutcome#KNOWN]
    /// @throws AbandonedException when this process is to end
    NoticeOutcome request(Marker marker, ObjectStamp stamp, Optional<String> traceparent) throws IOException {
        var id = marker.requestId(stamp);
        if (sent.contains(id) || isBegun(id)) {
            return NoticeOutcome.KNOWN;
        }
        var source = sources.reference(marker.object().source(), marker.folder());
        var data = new DatasetUploaded(source, marker.dataset(), null, false);
        var upload = new Upload(id, EVENT_SOURCE, Optional.of(stamp.modified()), traceparent, data);
        patience.keepTrying("send request " + id, () -> {
            messages.send(marker.dataset().value(), upload.encode(stamp.modified()));
            return true;
        });
        sent.add(id);
        LOG.infof(
                "version requested by its marker id=%s dataset=%s source=%s etag=%s modified=%s marker_version=%s",
                id,
                marker.dataset(),
                OneLine.of(source),
                OneLine.of(stamp.etag()),
                stamp.modified(),
                stamp.versionId() == null ? "-" : OneLine.of(stamp.versionId()));
        return NoticeOutcome.REQUESTED;
    }

    /// Only saves a message: when metadata-svc does not say, the request is sent.
    private boolean isBegun(String id) {
        try {
            return metadata.versionOfRequest(id).isPresent();
        } catch (IOException | TarponException e) {
            LOG.warnf("metadata-svc not asked about a request id=%s reason=%s", id, OneLine.of(e.getMessage() + ""));
            return false;
        }
    }
}
