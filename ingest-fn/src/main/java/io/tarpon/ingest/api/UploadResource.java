package io.tarpon.ingest.api;

import io.cloudevents.CloudEvent;
import io.opentelemetry.api.trace.SpanKind;
import io.quarkus.runtime.annotations.RegisterForReflection;
import io.smallrye.common.annotation.RunOnVirtualThread;
import io.tarpon.ingest.NoticeAcceptance;
import io.tarpon.ingest.UploadAcceptance;
import io.tarpon.ingest.upload.NotifiedEvents;
import io.tarpon.ingest.upload.Reading;
import io.tarpon.ingest.upload.Upload;
import io.tarpon.ingest.upload.UploadReading;
import io.tarpon.service.WriteAccess;
import io.tarpon.wire.http.ProblemType;
import io.tarpon.wire.http.TarponException;
import io.tarpon.wire.trace.Traces;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import java.io.IOException;
import java.io.InputStream;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// `POST /`: one upload, or one notification of an object store, as a CloudEvent, structured or binary.
@Path("/")
public class UploadResource {
    /// Longest body taken, and longest event in a topic.
    static final int MAX_BODY_BYTES = UploadReading.MAX_BYTES;

    private final UploadReading reading;
    private final UploadAcceptance acceptance;
    private final NoticeAcceptance notices;
    private final WriteAccess access;
    private final Traces traces;

    UploadResource(
            UploadReading reading,
            UploadAcceptance acceptance,
            NoticeAcceptance notices,
            WriteAccess access,
            Traces traces) {
        this.reading = reading;
        this.acceptance = acceptance;
        this.notices = notices;
        this.access = access;
        this.traces = traces;
    }

    /// @param id of the event; under an upload's, metadata-svc will know the version
    @RegisterForReflection
    public record Accepted(String id) {}

    @POST
    @Produces(MediaType.APPLICATION_JSON)
    @RunOnVirtualThread
    public Response post(@Context HttpHeaders headers, InputStream body) throws IOException {
        access.check(headers.getHeaderString(HttpHeaders.AUTHORIZATION));
        return Response.accepted(new Accepted(accept(headers, read(body)))).build();
    }

    private String accept(HttpHeaders headers, byte[] body) {
        var attributes = new HeaderAttributes(name -> header(headers, name));
        switch (reading.read(header(headers, HttpHeaders.CONTENT_TYPE), attributes, body)) {
            case Reading.Read(var upload) -> {
                return accept(upload.tracedBy(header(headers, "traceparent")));
            }
            case Reading.Notified notified -> {
                return accept(notified, notified.traceparent().or(() -> header(headers, "traceparent")));
            }
            case Reading.Nothing(var _, var event) -> {
                return required(event).getId();
            }
            case Reading.Unreadable unreadable -> throw TarponException.badParameter(unreadable.detail());
        }
    }

    private String accept(Upload upload) {
        var parent = upload.traceparent().orElse(null);
        return traces.begin("accept upload", SpanKind.SERVER, parent).during(step -> {
            step.with("tarpon.dataset", upload.data().dataset().value()).with("tarpon.request", upload.id());
            acceptance.accept(upload.continuedBy(step.traceparent()));
            return upload.id();
        });
    }

    private String accept(Reading.Notified notified, Optional<String> parent) {
        var event = required(notified.event());
        return traces.begin("accept notification", SpanKind.SERVER, parent.orElse(null))
                .during(step -> {
                    step.with("tarpon.notices", notified.notices().notices().size());
                    var traced = step.traceparent().map(trace -> NotifiedEvents.continuedBy(event, trace));
                    notices.accept(notified.notices(), traced.orElse(event));
                    return event.getId();
                });
    }

    private static CloudEvent required(@Nullable CloudEvent event) {
        if (event == null) {
            throw TarponException.badParameter("a notification by HTTP is the data of a CloudEvent, structured or"
                    + " binary, with a type that begins with com.amazonaws.; as it is, it goes to tarpon.uploads");
        }
        return event;
    }

    private static Optional<String> header(HttpHeaders headers, String name) {
        return Optional.ofNullable(headers.getHeaderString(name));
    }

    private static byte[] read(InputStream body) throws IOException {
        var bytes = body.readNBytes(MAX_BODY_BYTES + 1);
        if (bytes.length > MAX_BODY_BYTES) {
            throw new TarponException(
                    ProblemType.PAYLOAD_TOO_LARGE, "the body has more than " + MAX_BODY_BYTES + " bytes");
        }
        return bytes;
    }
}
