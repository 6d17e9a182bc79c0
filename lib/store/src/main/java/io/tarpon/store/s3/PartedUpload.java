package io.tarpon.store.s3;

import io.tarpon.store.ObjectStore;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.s3.model.HeadObjectResponse;
import software.amazon.awssdk.services.s3.model.PutObjectRequest;

/// A write whose memory is a fixed number of parts. What fits into the first part goes as one PUT, the rest as a
/// multipart upload whose parts are sent beside one another ([PartsOnTheWay]) while the next is filled.
///
/// Owned by the writer's thread. Crash points: before the completion the bucket holds parts and no object; an answer to
/// the completion that gets lost leaves the object there. The client then repeats the completion and is told that there
/// is no such upload: so the object carries a mark of its upload, and is looked at before a failure is reported.
final class PartedUpload implements ObjectStore.Upload {
    private static final String MARK = "tarpon-upload";
    /// A server may copy all parts together before it answers.
    private static final int COMPLETION_TIMES_LONGER = 5;

    private final Bucket bucket;
    private final String key;
    private final String objectKey;
    private final PartSizes sizes;
    private final String mark = UUID.randomUUID().toString();
    private ByteBuffer part;
    private @Nullable PartsOnTheWay parts;
    private long sizeBytes;
    private boolean completed;

    PartedUpload(Bucket bucket, String key, String objectKey, PartSizes sizes) {
        this.bucket = bucket;
        this.key = key;
        this.objectKey = objectKey;
        this.sizes = sizes;
        this.part = ByteBuffer.allocate(sizes.bytesOfPart(1));
    }

    @Override
    public void write(ByteBuffer bytes) throws IOException {
        while (bytes.hasRemaining()) {
            if (!part.hasRemaining()) {
                part = begun().send(part, sizes);
            }
            int count = Math.min(bytes.remaining(), part.remaining());
            part.put(part.position(), bytes, bytes.position(), count);
            part.position(part.position() + count);
            bytes.position(bytes.position() + count);
            sizeBytes += count;
        }
    }

    @Override
    public void complete() throws IOException {
        if (parts == null) {
            put();
        } else {
            parts.sendLast(part);
            complete(parts);
        }
        completed = true;
    }

    @Override
    public void close() {
        if (parts != null) {
            parts.close(!completed);
            parts = null;
        }
    }

    private void put() throws IOException {
        var request = PutObjectRequest.builder()
                .bucket(bucket.name())
                .key(objectKey)
                .overrideConfiguration(bucket.deadlines(1))
                .build();
        var answer = bucket.demand("write " + key, () -> bucket.client().putObject(request, PartBody.of(part)));
        PartBody.requireETag("write " + key + " in " + bucket, answer.eTag());
    }

    private PartsOnTheWay begun() throws IOException {
        if (parts == null) {
            String uploadId = bucket.demand(
                            "begin the upload of " + key,
                            () -> bucket.client()
                                    .createMultipartUpload(request -> request.bucket(bucket.name())
                                            .key(objectKey)
                                            .metadata(Map.of(MARK, mark))))
                    .uploadId();
            parts = new PartsOnTheWay(bucket, key, objectKey, uploadId);
        }
        return parts;
    }

    private void complete(PartsOnTheWay all) throws IOException {
        var sent = all.awaitAll();
        try {
            bucket.demand(
                    "complete the upload of " + key,
                    () -> bucket.client()
                            .completeMultipartUpload(request -> request.bucket(bucket.name())
                                    .key(objectKey)
                                    .uploadId(all.uploadId())
                                    .multipartUpload(it -> it.parts(sent))
                                    .overrideConfiguration(bucket.deadlines(COMPLETION_TIMES_LONGER))));
        } catch (IOException e) {
            if (!isOurs()) {
                throw e;
            }
        }
        checkSize();
    }

    /// Whether the object there is this upload's, after a completion that seemed to fail.
    private boolean isOurs() {
        try {
            return bucket.head(key).filter(this::hasOurMark).isPresent();
        } catch (IOException e) {
            // The failure that led here says more.
            return false;
        }
    }

    /// A server that lost a part has acknowledged what it does not have.
    private void checkSize() throws IOException {
        HeadObjectResponse head = bucket.head(key)
                .orElseThrow(() -> new IOException("complete the upload of " + key + " in " + bucket
                        + ": the server says it is done and has no such object"));
        if (hasOurMark(head) && head.contentLength() != sizeBytes) {
            throw new IOException("complete the upload of " + key + " in " + bucket + ": the server has "
                    + head.contentLength() + " bytes of " + sizeBytes);
        }
    }

    private boolean hasOurMark(HeadObjectResponse head) {
        return mark.equals(head.metadata().get(MARK));
    }
}
