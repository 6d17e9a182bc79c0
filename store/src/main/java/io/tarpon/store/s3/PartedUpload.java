package io.tarpon.store.s3;

import io.tarpon.store.ObjectStore;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.http.ContentStreamProvider;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.CompletedPart;
import software.amazon.awssdk.services.s3.model.PutObjectRequest;
import software.amazon.awssdk.services.s3.model.UploadPartRequest;

/// A write whose memory is one part. What fits into the first part goes as one PUT, the rest as a multipart upload,
/// which an answer lost at its completion may or may not have made visible.
final class PartedUpload implements ObjectStore.Upload {
    private static final Logger LOG = Logger.getLogger(PartedUpload.class);

    private final Bucket bucket;
    private final S3Client client;
    private final String key;
    private final String objectKey;
    private final PartSizes sizes;
    private final List<CompletedPart> sent = new ArrayList<>();
    private ByteBuffer part;
    private @Nullable String uploadId;
    private boolean completed;

    PartedUpload(Bucket bucket, String key, String objectKey, PartSizes sizes) {
        this.bucket = bucket;
        this.client = bucket.client();
        this.key = key;
        this.objectKey = objectKey;
        this.sizes = sizes;
        this.part = ByteBuffer.allocate(sizes.bytesOfPart(1));
    }

    @Override
    public void write(ByteBuffer bytes) throws IOException {
        while (bytes.hasRemaining()) {
            if (!part.hasRemaining()) {
                sendPart();
            }
            int count = Math.min(bytes.remaining(), part.remaining());
            part.put(part.position(), bytes, bytes.position(), count);
            part.position(part.position() + count);
            bytes.position(bytes.position() + count);
        }
    }

    @Override
    public void complete() throws IOException {
        if (uploadId == null) {
            var request = PutObjectRequest.builder()
                    .bucket(bucket.name())
                    .key(objectKey)
                    .build();
            bucket.demand("write " + key, () -> client.putObject(request, body()));
        } else {
            sendPart();
            String id = uploadId;
            bucket.demand(
                    "complete the upload of " + key,
                    () -> client.completeMultipartUpload(request -> request.bucket(bucket.name())
                            .key(objectKey)
                            .uploadId(id)
                            .multipartUpload(all -> all.parts(sent))));
        }
        completed = true;
    }

    @Override
    public void close() {
        String id = uploadId;
        if (completed || id == null) {
            return;
        }
        uploadId = null;
        try {
            client.abortMultipartUpload(
                    request -> request.bucket(bucket.name()).key(objectKey).uploadId(id));
        } catch (SdkException e) {
            // Parts are left behind, which cost space until the bucket's lifecycle rule removes them.
            LOG.warnf(e, "upload not aborted bucket=%s key=%s uploadId=%s", bucket.name(), objectKey, id);
        }
    }

    private void sendPart() throws IOException {
        int number = sent.size() + 1;
        if (number > PartSizes.MAX_PARTS) {
            throw new IOException(key + " needs more than " + PartSizes.MAX_PARTS + " parts: raise part-bytes");
        }
        var request = UploadPartRequest.builder()
                .bucket(bucket.name())
                .key(objectKey)
                .uploadId(uploadId())
                .partNumber(number)
                .build();
        var answer = bucket.demand("write part " + number + " of " + key, () -> client.uploadPart(request, body()));
        sent.add(CompletedPart.builder().partNumber(number).eTag(answer.eTag()).build());
        int next = sizes.bytesOfPart(number + 1);
        part = next == part.capacity() ? part.clear() : ByteBuffer.allocate(next);
    }

    private String uploadId() throws IOException {
        if (uploadId == null) {
            uploadId = bucket.demand(
                            "begin the upload of " + key,
                            () -> client.createMultipartUpload(
                                    request -> request.bucket(bucket.name()).key(objectKey)))
                    .uploadId();
        }
        return uploadId;
    }

    /// The part as it stands, not copied: it is not written to before the request has ended.
    private RequestBody body() {
        int count = part.position();
        ContentStreamProvider stream = () -> new ByteArrayInputStream(part.array(), 0, count);
        return RequestBody.fromContentProvider(stream, count, "application/octet-stream");
    }
}
