package io.tarpon.store.s3;

import io.tarpon.store.SourceChangedException;
import java.io.IOException;
import software.amazon.awssdk.core.ResponseInputStream;
import software.amazon.awssdk.services.s3.model.GetObjectRequest;
import software.amazon.awssdk.services.s3.model.GetObjectResponse;

/// One object of a source as it was planned. Reads are pinned by `If-Match`, and the answer's ETag is compared as well,
/// since not every server keeps to it. Another ETag is another object; the planned ETag with another length, or an
/// answer without one (an error document under status 200), is a server in trouble. For one thread.
final class PlannedObject extends SummedRead {
    private final Bucket bucket;
    private final String etag;
    private final long sizeBytes;

    PlannedObject(Bucket bucket, String key, String etag, long sizeBytes) {
        super(key);
        this.bucket = bucket;
        this.etag = etag;
        this.sizeBytes = sizeBytes;
    }

    @Override
    public ResponseInputStream<GetObjectResponse> from(long skipBytes) throws IOException {
        var request = GetObjectRequest.builder()
                .bucket(bucket.name())
                .key(bucket.objectKey(key))
                .ifMatch(ETags.quoted(etag));
        if (skipBytes > 0) {
            request.range("bytes=" + skipBytes + "-");
        }
        ResponseInputStream<GetObjectResponse> body = get(request.build());
        try {
            check(body.response(), skipBytes);
        } catch (IOException e) {
            body.abort();
            throw e;
        }
        if (skipBytes == 0) {
            sum = BodySum.of(body.response(), bucket.limits().config().checkEtag());
        }
        return body;
    }

    private ResponseInputStream<GetObjectResponse> get(GetObjectRequest request) throws IOException {
        try {
            return bucket.call("read " + key, () -> bucket.client().getObject(request))
                    .orElseThrow(() -> new SourceChangedException(key, "it is gone"));
        } catch (S3Failure e) {
            // 416: so short now that the byte to go on from is not there.
            if (e.status() == 412 || e.status() == 416) {
                var changed = new SourceChangedException(key, "it has another ETag");
                changed.initCause(e);
                throw changed;
            }
            throw e;
        }
    }

    private void check(GetObjectResponse answer, long skipBytes) throws IOException {
        if (answer.eTag() == null) {
            throw new BrokenAnswerException("the server's answer has no ETag");
        }
        if (!ETags.unquoted(answer.eTag()).equals(etag)) {
            throw new SourceChangedException(key, "it has another ETag");
        }
        if (skipBytes > 0
                && (answer.contentRange() == null || !answer.contentRange().startsWith("bytes " + skipBytes + "-"))) {
            throw new BrokenAnswerException(
                    "asked for bytes from " + skipBytes + ", the server offers " + answer.contentRange());
        }
        if (answer.contentLength() != null && answer.contentLength() != sizeBytes - skipBytes) {
            throw new BrokenAnswerException(
                    "the server offers " + answer.contentLength() + " bytes, planned were " + (sizeBytes - skipBytes));
        }
    }
}
