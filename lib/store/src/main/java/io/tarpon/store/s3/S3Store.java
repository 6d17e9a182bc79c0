package io.tarpon.store.s3;

import io.tarpon.store.AbandonedUpload;
import io.tarpon.store.AbandonedVisitor;
import io.tarpon.store.NoSuchObjectException;
import io.tarpon.store.ObjectStore;
import io.tarpon.store.StoreKeys;
import io.tarpon.store.StoreVisitor;
import io.tarpon.store.StoredObject;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.OptionalLong;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.services.s3.model.ObjectIdentifier;

/// Our objects in a bucket, or under a prefix of one. A write is one PUT or one multipart upload, both of which S3
/// makes visible whole or not at all; what a crash leaves of an upload is found by [#abandoned].
public final class S3Store implements ObjectStore {
    /// Of one request, by S3.
    private static final int MOST_DELETES = 1_000;

    private final Bucket bucket;
    private final PartSizes parts;

    /// @param bucket closed with the store
    public S3Store(Bucket bucket, PartSizes parts) {
        this.bucket = bucket;
        this.parts = parts;
    }

    @Override
    public OptionalLong size(String key) throws IOException {
        var head = bucket.head(StoreKeys.require(key));
        if (head.isEmpty()) {
            return OptionalLong.empty();
        }
        if (head.get().contentLength() == null) {
            throw new IOException("look at " + key + " in " + bucket + ": the server does not say how long it is");
        }
        return OptionalLong.of(head.get().contentLength());
    }

    @Override
    public InputStream open(String key, long offset, long lengthBytes) throws IOException {
        Objects.checkFromIndexSize(offset, lengthBytes, Long.MAX_VALUE);
        if (lengthBytes == 0) {
            return nothing(key, offset);
        }
        var range = new StoredRange(bucket, key, objectKey(key), offset, lengthBytes);
        return new ResumingStream("read " + key + " in " + bucket, range, lengthBytes, bucket.limits());
    }

    @Override
    public byte[] read(String key, int maxBytes) throws IOException {
        var whole = StoredWhole.open(bucket, key, objectKey(key));
        if (whole.sizeBytes() > maxBytes) {
            whole.abort();
            throw new IOException(key + " has " + whole.sizeBytes() + " bytes, at most " + maxBytes + " are taken");
        }
        try (var in = new ResumingStream("read " + key + " in " + bucket, whole, whole.sizeBytes(), bucket.limits())) {
            return in.readNBytes((int) whole.sizeBytes());
        }
    }

    @Override
    public void write(String key, byte[] bytes) throws IOException {
        String objectKey = objectKey(key);
        var answer = bucket.demand(
                "write " + key,
                () -> bucket.client()
                        .putObject(
                                request -> request.bucket(bucket.name()).key(objectKey), RequestBody.fromBytes(bytes)));
        PartBody.requireETag("write " + key + " in " + bucket, answer.eTag());
    }

    @Override
    public Upload upload(String key) {
        return new PartedUpload(bucket, key, objectKey(key), parts);
    }

    @Override
    public void list(String prefix, StoreVisitor visitor) throws IOException {
        new S3Listing(bucket).list(prefix, (key, object) -> visitor.visit(new StoredObject(key, object.size())));
    }

    @Override
    public void delete(String key) throws IOException {
        String objectKey = objectKey(key);
        bucket.call(
                "delete " + key,
                () -> bucket.client()
                        .deleteObject(request -> request.bucket(bucket.name()).key(objectKey)));
    }

    @Override
    public void deleteAll(Collection<String> keys) throws IOException {
        var batch = new ArrayList<String>();
        for (var key : keys) {
            if (!isXml(key)) {
                delete(key);
                continue;
            }
            batch.add(objectKey(key));
            if (batch.size() == MOST_DELETES) {
                deleteBatch(batch);
                batch.clear();
            }
        }
        if (!batch.isEmpty()) {
            deleteBatch(batch);
        }
    }

    /// A server may refuse single keys in an answer that is a success.
    private void deleteBatch(List<String> objectKeys) throws IOException {
        var what = "delete " + objectKeys.size() + " objects from " + objectKeys.getFirst() + " on";
        var named = objectKeys.stream()
                .map(key -> ObjectIdentifier.builder().key(key).build())
                .toList();
        var answer = bucket.demand(
                what,
                () -> bucket.client()
                        .deleteObjects(request -> request.bucket(bucket.name())
                                .delete(delete -> delete.objects(named).quiet(true))));
        if (answer.hasErrors() && !answer.errors().isEmpty()) {
            var first = answer.errors().getFirst();
            throw new IOException(
                    what + " in " + bucket + ": " + answer.errors().size() + " were refused, " + first.key() + " with "
                            + first.code() + " " + first.message());
        }
    }

    /// The request is an XML 1.0 document, which cannot hold every character that a key can, and changes some.
    private static boolean isXml(String key) {
        return key.chars().noneMatch(unit -> unit < ' ' || unit == 0xfffe || unit == 0xffff);
    }

    @Override
    public void abandoned(Duration olderThan, AbandonedVisitor visitor) throws IOException {
        new UploadListing(bucket).list(olderThan, visitor);
    }

    @Override
    public void abandon(AbandonedUpload upload) throws IOException {
        bucket.call(
                "abandon the upload of " + upload.key(),
                () -> bucket.client()
                        .abortMultipartUpload(request -> request.bucket(bucket.name())
                                .key(bucket.objectKey(upload.key()))
                                .uploadId(upload.id())));
    }

    @Override
    public void close() {
        bucket.close();
    }

    private String objectKey(String key) {
        return bucket.objectKey(StoreKeys.require(key));
    }

    /// HTTP has no range of no bytes.
    private InputStream nothing(String key, long offset) throws IOException {
        long sizeBytes = size(key).orElseThrow(() -> new NoSuchObjectException(key));
        if (offset > sizeBytes) {
            throw new EOFException(key + " has " + sizeBytes + " bytes, asked for 0 from " + offset);
        }
        return InputStream.nullInputStream();
    }
}
