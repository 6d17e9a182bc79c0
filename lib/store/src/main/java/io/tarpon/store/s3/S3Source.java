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
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.s3.model.HeadObjectResponse;

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
        listAfter("", visitor);
    }

    @Override
    public void listAfter(String after, SourceVisitor visitor) throws IOException {
        new S3Listing(bucket).list("", after, (key, object) -> {
            if (key.endsWith("/") || hasDotPart(key)) {
                visitor.visit(SourceObject.notRegular(key));
            } else {
                visitor.visit(file(key, object.size(), object.eTag()));
            }
        });
    }

    @Override
    public Optional<SourceObject> find(String key) throws IOException {
        if (!canBeRead(key) || key.endsWith("/")) {
            return Optional.empty();
        }
        var head = bucket.head(key);
        return head.isEmpty()
                ? Optional.empty()
                : Optional.of(file(key, head.get().contentLength(), head.get().eTag()));
    }

    /// As [#find], with what tells one writing of the object from another.
    public Optional<ObjectStamp> stamp(String key) throws IOException {
        if (!canBeRead(key) || key.endsWith("/")) {
            return Optional.empty();
        }
        var head = bucket.head(key);
        return head.isEmpty() ? Optional.empty() : Optional.of(stamp(key, head.get()));
    }

    /// The names of folders that hold an object, directly below the prefix and in the order of their names; of more
    /// than `most` the first ones. The bucket is not listed: a folder is one line, whatever lies in it.
    ///
    /// @param after of these only those that come behind that one; empty for all
    public List<String> folders(String after, int most) throws IOException {
        return new FolderListing(bucket).list(after, most);
    }

    @Override
    public InputStream open(String key, String etag, long sizeBytes) throws IOException {
        if (!canBeRead(key)) {
            throw new SourceChangedException(key, "a source does not hold an object of that key");
        }
        return new ResumingStream(
                "read " + key + " in " + bucket,
                new PlannedObject(bucket, key, etag, sizeBytes),
                sizeBytes,
                bucket.limits());
    }

    @Override
    public void close() {
        // The bucket is its opener's.
    }

    private SourceObject file(String key, @Nullable Long sizeBytes, @Nullable String etag) throws IOException {
        if (sizeBytes == null
                || sizeBytes < 0
                || etag == null
                || ETags.unquoted(etag).isEmpty()) {
            throw new IOException(
                    "look at " + key + " in " + bucket + ": the server says size=" + sizeBytes + " etag=" + etag);
        }
        return SourceObject.file(key, sizeBytes, ETags.unquoted(etag));
    }

    private ObjectStamp stamp(String key, HeadObjectResponse head) throws IOException {
        var file = file(key, head.contentLength(), head.eTag());
        if (head.lastModified() == null) {
            throw new IOException("look at " + key + " in " + bucket + ": the server does not say when it was written");
        }
        return new ObjectStamp(file.etag(), head.lastModified(), head.versionId());
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
