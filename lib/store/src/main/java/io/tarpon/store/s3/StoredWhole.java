package io.tarpon.store.s3;

import io.tarpon.store.NoSuchObjectException;
import java.io.IOException;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.core.ResponseInputStream;
import software.amazon.awssdk.services.s3.model.GetObjectRequest;
import software.amazon.awssdk.services.s3.model.GetObjectResponse;

/// One of our objects whole, its length taken from the first answer; a read that goes on is pinned to that object. For
/// one thread.
final class StoredWhole extends SummedRead {
    private final Bucket bucket;
    private final String objectKey;
    private final String etag;
    private final long sizeBytes;
    private @Nullable ResponseInputStream<GetObjectResponse> first;

    private StoredWhole(Bucket bucket, String key, String objectKey, ResponseInputStream<GetObjectResponse> first) {
        super(key);
        this.bucket = bucket;
        this.objectKey = objectKey;
        this.first = first;
        this.etag = first.response().eTag();
        this.sizeBytes = first.response().contentLength();
        this.sum = BodySum.of(first.response(), bucket.limits().config().checkEtag());
    }

    /// Asks for the object.
    ///
    /// @throws NoSuchObjectException when there is none
    static StoredWhole open(Bucket bucket, String key, String objectKey) throws IOException {
        for (int broken = 1; ; broken++) {
            var body = get(bucket, key, request(bucket, objectKey).build());
            if (body.response().eTag() != null && body.response().contentLength() != null) {
                return new StoredWhole(bucket, key, objectKey, body);
            }
            body.abort();
            if (broken >= bucket.limits().config().attempts()
                    || !bucket.limits().budget().take()) {
                throw new BrokenAnswerException(
                        "read " + key + " in " + bucket + ": the server's answer has no ETag or no length");
            }
            bucket.limits().pause(broken);
        }
    }

    long sizeBytes() {
        return sizeBytes;
    }

    /// Gives up before anything is read.
    void abort() {
        if (first != null) {
            first.abort();
        }
    }

    @Override
    public ResponseInputStream<GetObjectResponse> from(long skipBytes) throws IOException {
        var body = first;
        first = null;
        if (body != null) {
            return body;
        }
        var request = request(bucket, objectKey).ifMatch(etag);
        if (skipBytes > 0) {
            request.range("bytes=" + skipBytes + "-");
        }
        body = get(bucket, key, request.build());
        Long offered = body.response().contentLength();
        if (!etag.equals(body.response().eTag()) || offered == null || offered != sizeBytes - skipBytes) {
            body.abort();
            throw new BrokenAnswerException(
                    "asked for " + (sizeBytes - skipBytes) + " bytes of " + etag + ", the server offers " + offered
                            + " of " + body.response().eTag());
        }
        return body;
    }

    private static GetObjectRequest.Builder request(Bucket bucket, String objectKey) {
        return GetObjectRequest.builder().bucket(bucket.name()).key(objectKey);
    }

    private static ResponseInputStream<GetObjectResponse> get(Bucket bucket, String key, GetObjectRequest request)
            throws IOException {
        return bucket.call("read " + key, () -> bucket.client().getObject(request))
                .orElseThrow(() -> new NoSuchObjectException(key));
    }
}
