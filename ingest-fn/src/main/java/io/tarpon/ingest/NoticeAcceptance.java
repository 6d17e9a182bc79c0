package io.tarpon.ingest;

import io.cloudevents.CloudEvent;
import io.tarpon.ingest.UploadAcceptance.UploadMessages;
import io.tarpon.ingest.notice.NoticeReading.Notices;
import io.tarpon.ingest.upload.NotifiedEvents;
import io.tarpon.ingest.upload.OneLine;
import io.tarpon.ingest.upload.UploadReading;
import io.tarpon.wire.http.ProblemType;
import io.tarpon.wire.http.TarponException;
import java.io.IOException;
import org.jboss.logging.Logger;

/// An object store's notification by HTTP, in a CloudEvent: what can be known at once is checked at once, then it goes
/// to `tarpon.uploads` as it came, in structured mode.
public final class NoticeAcceptance {
    private static final Logger LOG = Logger.getLogger(NoticeAcceptance.class);

    private final UploadNotices notices;
    private final UploadMessages messages;

    NoticeAcceptance(UploadNotices notices, UploadMessages messages) {
        this.notices = notices;
        this.messages = messages;
    }

    /// Afterwards the notification is in the topic.
    ///
    /// @throws TarponException `bad-parameter` naming what cannot be, `not-ready` where the broker does not take it
    public void accept(Notices message, CloudEvent event) {
        notices.flaw(message).ifPresent(flaw -> {
            throw TarponException.badParameter(flaw);
        });
        var bytes = NotifiedEvents.encode(event);
        if (bytes.length > UploadReading.MAX_BYTES) {
            throw new TarponException(
                    ProblemType.PAYLOAD_TOO_LARGE,
                    "the event in structured mode has more than " + UploadReading.MAX_BYTES + " bytes");
        }
        try {
            messages.send(key(message), bytes);
        } catch (IOException e) {
            throw new TarponException(
                    ProblemType.NOT_READY,
                    "the event is not known to be in tarpon.uploads: " + e.getMessage()
                            + "; send it again once the broker is up",
                    e);
        }
        LOG.infof(
                "notification accepted id=%s source=%s records=%d",
                OneLine.of(event.getId()),
                OneLine.of(event.getSource().toString()),
                message.notices().size());
    }

    /// As MinIO keys its messages: events of one object stay in order.
    private static String key(Notices message) {
        if (message.notices().isEmpty()) {
            return "";
        }
        var first = message.notices().getFirst();
        return first.bucket() + "/" + first.key();
    }
}
