package io.tarpon.ingest;

import io.tarpon.ingest.plan.SplitRule;
import io.tarpon.ingest.upload.OneLine;
import io.tarpon.ingest.upload.Upload;
import io.tarpon.store.ObjectSource;
import io.tarpon.store.UnknownSourceException;
import io.tarpon.wire.http.ProblemType;
import io.tarpon.wire.http.TarponException;
import java.io.IOException;
import java.time.Clock;
import java.util.Optional;
import org.jboss.logging.Logger;

/// An upload by HTTP: what can be known at once is checked at once, then the event goes to `tarpon.uploads` and takes
/// the way of all others. Registered specifications are not looked at here, so that metadata-svc need not be up.
public final class UploadAcceptance {
    private static final Logger LOG = Logger.getLogger(UploadAcceptance.class);

    private final SourceOpener sources;
    private final UploadMessages messages;
    private final Clock clock;

    UploadAcceptance(SourceOpener sources, UploadMessages messages, Clock clock) {
        this.sources = sources;
        this.messages = messages;
        this.clock = clock;
    }

    /// Where accepted uploads go.
    @FunctionalInterface
    public interface UploadMessages {
        /// Afterwards the event is in the topic.
        ///
        /// @param key the dataset: requests for one dataset are worked on in order
        /// @throws IOException where it may or may not be
        void send(String key, byte[] value) throws IOException;
    }

    /// Afterwards the upload is in the topic and will be worked on, whatever crashes.
    ///
    /// @throws TarponException `bad-parameter` naming what cannot be, `not-ready` where the broker does not take it
    public void accept(Upload upload) {
        requireSpecification(upload);
        var source = requireSource(upload.data().source());
        var event = upload.from(source).encode(clock.instant());
        try {
            messages.send(upload.data().dataset().value(), event);
        } catch (IOException e) {
            throw new TarponException(
                    ProblemType.NOT_READY,
                    "the event is not known to be in tarpon.uploads: " + e.getMessage()
                            + "; send it again with the same id once the broker is up",
                    e);
        }
        LOG.infof(
                "upload accepted id=%s dataset=%s source=%s",
                upload.id(), upload.data().dataset(), OneLine.of(source));
    }

    private static void requireSpecification(Upload upload) {
        try {
            var spec = upload.specification(Optional.empty());
            SplitRule.parse(spec.splits());
        } catch (IllegalArgumentException e) {
            throw new TarponException(ProblemType.BAD_PARAMETER, String.valueOf(e.getMessage()), e);
        }
    }

    private String requireSource(String reference) {
        try {
            var source = sources.normalise(reference);
            try (var objects = sources.open(source)) {
                requireObjects(reference, objects);
            }
            return source;
        } catch (UnknownSourceException e) {
            throw new TarponException(ProblemType.BAD_PARAMETER, String.valueOf(e.getMessage()), e);
        } catch (IOException e) {
            throw new TarponException(
                    ProblemType.BAD_PARAMETER,
                    "source " + reference + " cannot be read: " + e.getMessage()
                            + "; check that it is there and that this process may read it",
                    e);
        }
    }

    private static void requireObjects(String reference, ObjectSource objects) throws IOException {
        try {
            objects.list(_ -> {
                throw new FirstSeen();
            });
        } catch (FirstSeen e) {
            return;
        }
        throw TarponException.badParameter(
                "source " + reference + " is empty: there is no file in it; upload some and ask again");
    }

    /// Ends a listing that has shown enough.
    private static final class FirstSeen extends IOException {
        private static final long serialVersionUID = 1L;

        @Override
        public synchronized Throwable fillInStackTrace() {
            return this;
        }
    }
}
