package io.tarpon.store.s3;

import io.tarpon.store.KeyOrder;
import io.tarpon.store.KeysNotInOrderException;
import java.io.IOException;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.s3.model.EncodingType;
import software.amazon.awssdk.services.s3.model.ListObjectsV2Request;
import software.amazon.awssdk.services.s3.model.ListObjectsV2Response;
import software.amazon.awssdk.services.s3.model.S3Object;

/// A listing page by page, each key once and in order: a server that answers otherwise (S3's directory buckets do) is
/// refused.
final class S3Listing {
    private final Bucket bucket;

    S3Listing(Bucket bucket) {
        this.bucket = bucket;
    }

    /// Takes an object and its key without the bucket's prefix.
    @FunctionalInterface
    interface Visitor {
        void visit(String key, S3Object object) throws IOException;
    }

    /// The object named like the bucket's prefix itself, which consoles make to show a folder, is not visited.
    void list(String prefix, Visitor visitor) throws IOException {
        list(prefix, "", visitor);
    }

    /// @param after only keys that come after this one are visited; empty for all. The server skips the others
    void list(String prefix, String after, Visitor visitor) throws IOException {
        String fullPrefix = bucket.objectKey(prefix);
        String last = after.isEmpty() ? "" : bucket.objectKey(after);
        String startAfter = after.isEmpty() ? null : last;
        String token = null;
        do {
            ListObjectsV2Response page = page(fullPrefix, startAfter, token);
            for (S3Object object : page.contents()) {
                last = inOrder(last, object.key(), fullPrefix);
                if (last.length() > bucket.prefix().length()) {
                    visitor.visit(last.substring(bucket.prefix().length()), object);
                }
            }
            token = nextToken(page);
        } while (token != null);
    }

    private ListObjectsV2Response page(String fullPrefix, @Nullable String startAfter, @Nullable String token)
            throws IOException {
        var request = ListObjectsV2Request.builder()
                .bucket(bucket.name())
                .prefix(fullPrefix)
                .startAfter(startAfter)
                .continuationToken(token)
                .encodingType(EncodingType.URL)
                .build();
        return requireListing(
                "list in " + bucket,
                bucket.demandListing("list", () -> bucket.client().listObjectsV2(request)));
    }

    /// Every listing says whether it goes on; some other document under status 200 would look like an empty one.
    static ListObjectsV2Response requireListing(String what, ListObjectsV2Response page) throws IOException {
        if (page.isTruncated() == null) {
            throw new IOException(what + ": the server's answer is no listing");
        }
        return page;
    }

    /// Null after the last page.
    static @Nullable String nextToken(ListObjectsV2Response page) throws IOException {
        if (!page.isTruncated()) {
            return null;
        }
        if (page.nextContinuationToken() == null) {
            throw new IOException("the server cut a listing short and did not say how to go on");
        }
        return page.nextContinuationToken();
    }

    private String inOrder(String last, String key, String fullPrefix) throws IOException {
        if (!key.startsWith(fullPrefix) || KeyOrder.compare(last, key) >= 0) {
            throw new KeysNotInOrderException(
                    "list in " + bucket + ": the server's keys are not in order: " + key + " after " + last);
        }
        return key;
    }
}
