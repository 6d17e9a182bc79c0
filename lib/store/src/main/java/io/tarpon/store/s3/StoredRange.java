package io.tarpon.store.s3;

import io.tarpon.store.DamagedObjectException;
import io.tarpon.store.NoSuchObjectException;
import java.io.EOFException;
import java.io.IOException;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.core.ResponseInputStream;
import software.amazon.awssdk.services.s3.model.GetObjectRequest;
import software.amazon.awssdk.services.s3.model.GetObjectResponse;

/// One range of one of our objects; a resumed read is pinned to the object that the first answer was of. For one
/// thread.
final class StoredRange implements RangeRead {
    private final Bucket bucket;
    private final String key;
    private final String objectKey;
    private final long offset;
    private final long lengthBytes;
    private @Nullable String etag;

    StoredRange(Bucket bucket, String key, String objectKey, long offset, long lengthBytes) {
        this.bucket = bucket;
        this.key = key;
        this.objectKey = objectKey;
        this.offset = offset;
        this.lengthBytes = lengthBytes;
    }

    @Override
    public ResponseInputStream<GetObjectResponse> from(long skipBytes) throws IOException {
        long first = offset + skipBytes;
        long last = offset + lengthBytes - 1;
        var request = GetObjectRequest.builder()
                .bucket(bucket.name())
                .key(objectKey)
                .ifMatch(etag)
                .range("bytes=" + first + "-" + last)
                .build();
        ResponseInputStream<GetObjectResponse> body = get(request);
        GetObjectResponse answer = body.response();
        String offered = answer.contentRange() == null ? "no range" : answer.contentRange();
        if (!offered.startsWith("bytes " + first + "-")) {
            body.abort();
            throw new BrokenAnswerException(
                    "asked for bytes " + first + " to " + last + ", the server offers " + offered);
        }
        if (!offered.startsWith("bytes " + first + "-" + last + "/")) {
            body.abort();
            throw new EOFException(
                    key + ": asked for bytes " + first + " to " + last + ", the server offers " + offered);
        }
        if (answer.contentLength() != null && answer.contentLength() != last - first + 1) {
            body.abort();
            throw new BrokenAnswerException(offered + " announced with " + answer.contentLength() + " bytes");
        }
        etag = answer.eTag();
        return body;
    }

    @Override
    public void received(byte[] bytes, int offsetInBytes, int count) {
        // Of a part no sum is known; whoever reads it has one.
    }

    @Override
    public void check() {
        // As above.
    }

    @Override
    public IOException damaged(String what, @Nullable Exception cause) {
        var e = new DamagedObjectException(key, what);
        e.initCause(cause);
        return e;
    }

    private ResponseInputStream<GetObjectResponse> get(GetObjectRequest request) throws IOException {
        try {
            return bucket.call("read " + key, () -> bucket.client().getObject(request))
                    .orElseThrow(() -> new NoSuchObjectException(key));
        } catch (S3Failure e) {
            if (e.status() == 416) {
                throw new EOFException(key + " is shorter than the range asked for, " + request.range());
            }
            throw e;
        }
    }
}
