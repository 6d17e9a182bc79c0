package io.tarpon.store.s3;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.http.ContentStreamProvider;

/// A part's bytes as a request body, and what its answer must have.
final class PartBody {
    private PartBody() {}

    /// The part from its start to its position, not copied: it must not be written to before the request has ended.
    static RequestBody of(ByteBuffer part) {
        int count = part.position();
        ContentStreamProvider stream = () -> new ByteArrayInputStream(part.array(), part.arrayOffset(), count);
        return RequestBody.fromContentProvider(stream, count, "application/octet-stream");
    }

    /// Returns the ETag, without which an answer of status 200 is none: nobody knows what was stored.
    static String requireETag(String what, @Nullable String etag) throws IOException {
        if (etag == null || etag.isEmpty()) {
            throw new IOException(what + ": the server's answer has no ETag");
        }
        return etag;
    }
}
