package io.tarpon.store.s3;

import io.tarpon.store.DamagedObjectException;
import io.tarpon.store.SourceChangedException;
import java.io.IOException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.core.ResponseInputStream;
import software.amazon.awssdk.services.s3.model.GetObjectRequest;
import software.amazon.awssdk.services.s3.model.GetObjectResponse;

/// One object of a source as it was planned. Reads are pinned by `If-Match`, and the answer's ETag is compared as well,
/// since not every server keeps to it. Another ETag is another object; the planned ETag with another length, or an
/// answer without one (an error document under status 200), is a server in trouble. For one thread.
final class PlannedObject implements RangeRead {
    private final Bucket bucket;
    private final String key;
    private final String etag;
    private final long sizeBytes;
    private Optional<BodySum> sum = Optional.empty();

    PlannedObject(Bucket bucket, String key, String etag, long sizeBytes) {
        this.bucket = bucket;
        this.key = key;
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

    @Override
    public void received(byte[] bytes, int offset, int count) {
        sum.ifPresent(it -> it.add(bytes, offset, count));
    }

    @Override
    public void check() throws IOException {
        if (sum.isPresent() && !sum.get().matches()) {
            throw damaged("its bytes do not match its " + sum.get().name(), null);
        }
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
