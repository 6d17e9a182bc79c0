package io.tarpon.store.s3;

import io.tarpon.store.ObjectSource;
import io.tarpon.store.ObjectStamp;
import io.tarpon.store.SourceChangedException;
import io.tarpon.store.SourceObject;
import io.tarpon.store.SourceVisitor;
import io.tarpon.store.StoreKeys;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import software.amazon.awssdk.core.ResponseInputStream;
import software.amazon.awssdk.services.s3.model.GetObjectRequest;
import software.amazon.awssdk.services.s3.model.GetObjectResponse;

/// A bucket, or the part of it under a prefix, as raw data. Reads are pinned by `If-Match`, and the answer's ETag and
/// length are compared as well, since not every server keeps to it.
public final class S3Source implements ObjectSource {
    /// Keys that a proxy or server may shorten to another object's, or another bucket's.
    private static final Pattern DOT_PART = Pattern.compile("(^|/)\\.{1,2}(/|$)");

    private final Bucket bucket;

    /// @param bucket stays the caller's to close
    public S3Source(Bucket bucket) {
        this.bucket = bucket;
    }

    @Override
    public void list(SourceVisitor visitor) throws IOException {
        new S3Listing(bucket).list("", (key, object) -> {
            if (key.endsWith("/") || hasDotPart(key)) {
                visitor.visit(SourceObject.notRegular(key));
            } else {
                visitor.visit(SourceObject.file(key, object.size(), ETags.unquoted(object.eTag())));
            }
        });
    }

    @Override
    public Optional<SourceObject> find(String key) throws IOException {
        if (!canBeRead(key) || key.endsWith("/")) {
            return Optional.empty();
        }
        return bucket.head(key).map(head -> SourceObject.file(key, head.contentLength(), ETags.unquoted(head.eTag())));
    }

    /// As [#find], with what tells one writing of the object from another.
    public Optional<ObjectStamp> stamp(String key) throws IOException {
        if (!canBeRead(key) || key.endsWith("/")) {
            return Optional.empty();
        }
        return bucket.head(key)
                .map(head -> new ObjectStamp(ETags.unquoted(head.eTag()), head.lastModified(), head.versionId()));
    }

    /// The names of folders that hold an object, directly below the prefix and in the order of their names; of more
    /// than `most` the first ones. The bucket is not listed: a folder is one line, whatever lies in it.
    public List<String> folders(int most) throws IOException {
        return new FolderListing(bucket).list(most);
    }

    @Override
    public InputStream open(String key, String etag, long sizeBytes) throws IOException {
        if (!canBeRead(key)) {
            throw new SourceChangedException(key, "a source does not hold an object of that key");
        }
        return new ResumingStream("read " + key + " in " + bucket, skip -> get(key, etag, sizeBytes, skip), sizeBytes);
    }

    @Override
    public void close() {
        // The bucket is its opener's.
    }

    private ResponseInputStream<GetObjectResponse> get(String key, String etag, long sizeBytes, long skip)
            throws IOException {
        var request = GetObjectRequest.builder()
                .bucket(bucket.name())
                .key(bucket.objectKey(key))
                .ifMatch(ETags.quoted(etag));
        if (skip > 0) {
            request.range("bytes=" + skip + "-");
        }
        ResponseInputStream<GetObjectResponse> body;
        try {
            body = bucket.call("read " + key, () -> bucket.client().getObject(request.build()))
                    .orElseThrow(() -> new SourceChangedException(key, "it is gone"));
        } catch (S3Failure e) {
            // 416: so short now that the byte to go on from is not there.
            throw e.status() == 412 || e.status() == 416 ? changed(key, e) : e;
        }
        check(key, etag, sizeBytes - skip, body);
        return body;
    }

    private static void check(String key, String etag, long expectedBytes, ResponseInputStream<GetObjectResponse> body)
            throws SourceChangedException {
        GetObjectResponse answer = body.response();
        if (answer.eTag() != null && !ETags.unquoted(answer.eTag()).equals(etag)) {
            body.abort();
            throw new SourceChangedException(key, "it has another ETag");
        }
        if (answer.contentLength() != expectedBytes) {
            body.abort();
            throw new SourceChangedException(
                    key, "the server offers " + answer.contentLength() + " bytes, planned were " + expectedBytes);
        }
    }

    private static SourceChangedException changed(String key, S3Failure cause) {
        var e = new SourceChangedException(key, "it has another ETag");
        e.initCause(cause);
        return e;
    }

    /// Whether a request for that key asks for that key and nothing else.
    private boolean canBeRead(String key) {
        return !key.isEmpty()
                && !hasDotPart(key)
                && StoreKeys.isText(key)
                && bucket.objectKey(key).getBytes(StandardCharsets.UTF_8).length <= StoreKeys.MAX_BYTES;
    }

    private static boolean hasDotPart(String key) {
        return DOT_PART.matcher(key).find();
    }
}
