package io.tarpon.ingest.api;

import io.smallrye.common.annotation.RunOnVirtualThread;
import io.tarpon.ingest.UploadAcceptance;
import io.tarpon.ingest.WriteAccess;
import io.tarpon.ingest.upload.Reading;
import io.tarpon.ingest.upload.Upload;
import io.tarpon.ingest.upload.UploadReading;
import io.tarpon.wire.http.ProblemType;
import io.tarpon.wire.http.TarponException;
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

/// `POST /`: one upload as a CloudEvent, structured or binary.
@Path("/")
public class UploadResource {
    /// Longest body taken, and longest event in a topic.
    static final int MAX_BODY_BYTES = 1 << 20;

    private final UploadAcceptance acceptance;
    private final WriteAccess access;

    UploadResource(UploadAcceptance acceptance, WriteAccess access) {
        this.acceptance = acceptance;
        this.access = access;
    }

    /// @param id of the event, under which metadata-svc will know the version
    public record Accepted(String id) {}

    @POST
    @Produces(MediaType.APPLICATION_JSON)
    @RunOnVirtualThread
    public Response post(@Context HttpHeaders headers, InputStream body) throws IOException {
        access.check(headers.getHeaderString(HttpHeaders.AUTHORIZATION));
        var upload = upload(headers, read(body)).tracedBy(header(headers, "traceparent"));
        acceptance.accept(upload);
        return Response.accepted(new Accepted(upload.id())).build();
    }

    private static Upload upload(HttpHeaders headers, byte[] body) {
        var attributes = new HeaderAttributes(name -> header(headers, name));
        return switch (UploadReading.read(header(headers, HttpHeaders.CONTENT_TYPE), attributes, body)) {
            case Reading.Read(var upload) -> upload;
            case Reading.Unreadable unreadable -> throw TarponException.badParameter(unreadable.detail());
        };
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
