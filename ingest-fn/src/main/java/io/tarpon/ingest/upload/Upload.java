package io.tarpon.ingest.upload;

import io.tarpon.wire.event.DatasetUploaded;
import io.tarpon.wire.event.Events;
import io.tarpon.wire.metadata.BeginVersion;
import io.tarpon.wire.metadata.DatasetSpec;
import java.time.Instant;
import java.util.Optional;

/// A request to make a dataset version.
///
/// @param id of the event, and of the request for a version: the same one again gives the same version
/// @param eventSource the event's `source` attribute, a URI reference
/// @param time empty where the event has none
/// @param traceparent W3C Trace Context
public record Upload(
        String id, String eventSource, Optional<Instant> time, Optional<String> traceparent, DatasetUploaded data) {
    public Upload {
        if (id.isBlank()
                || id.length() > BeginVersion.MAX_REQUEST_ID_CHARS
                || !OneLine.of(id).equals(id)) {
            throw new IllegalArgumentException("the event's id must have 1 to " + BeginVersion.MAX_REQUEST_ID_CHARS
                    + " characters, none of them a control character");
        }
    }

    /// The same request for another spelling of its source.
    public Upload from(String source) {
        return new Upload(
                id,
                eventSource,
                time,
                traceparent,
                new DatasetUploaded(source, data.dataset(), data.spec(), data.force()));
    }

    /// In this trace, where the event itself names none.
    public Upload tracedBy(Optional<String> parent) {
        return new Upload(id, eventSource, time, traceparent.or(() -> parent), data);
    }

    /// The whole specification, with what is neither asked for here nor registered at its default. Throws
    /// [IllegalArgumentException] naming a value that is out of its bounds.
    public DatasetSpec specification(Optional<DatasetSpec> registered) {
        return data.over(registered.orElseGet(() -> DatasetSpec.of(data.source())));
    }

    /// The same request as the cause of something else in its trace, or in none.
    public Upload continuedBy(Optional<String> parent) {
        return new Upload(id, eventSource, time, parent, data);
    }

    /// Our own encoding, structured mode.
    public byte[] encode(Instant now) {
        return Events.encode(new Events.Envelope(id, eventSource, time.orElse(now), traceparent), data);
    }
}
