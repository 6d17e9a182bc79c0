package io.tarpon.ingest.upload;

import io.cloudevents.CloudEvent;
import io.tarpon.ingest.notice.NoticeReading.Notices;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// What a message turned out to be.
public sealed interface Reading {
    record Read(Upload upload) implements Reading {}

    /// What an object store said.
    ///
    /// @param event the CloudEvent that it came in; null where it came as it is
    record Notified(Notices notices, @Nullable CloudEvent event) implements Reading {
        /// W3C Trace Context of the CloudEvent.
        public Optional<String> traceparent() {
            return Optional.ofNullable(event)
                    .map(given -> given.getExtension("traceparent"))
                    .map(Object::toString);
        }
    }

    /// Something that object stores and their channels send, in which nothing happened to an object.
    ///
    /// @param event as for [Notified]
    record Nothing(String what, @Nullable CloudEvent event) implements Reading {}

    /// @param why one of the reasons of dead letters
    /// @param detail what is wrong, and what would be right
    record Unreadable(Refusal why, String detail) implements Reading {}
}
