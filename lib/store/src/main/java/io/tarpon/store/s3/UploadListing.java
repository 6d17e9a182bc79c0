package io.tarpon.store.s3;

import io.tarpon.store.AbandonedUpload;
import io.tarpon.store.AbandonedVisitor;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.s3.model.EncodingType;
import software.amazon.awssdk.services.s3.model.ListMultipartUploadsRequest;
import software.amazon.awssdk.services.s3.model.ListMultipartUploadsResponse;
import software.amazon.awssdk.services.s3.model.MultipartUpload;

/// The multipart uploads that a bucket holds parts of, page by page. Ages are by the server's word and our clock.
final class UploadListing {
    private final Bucket bucket;

    UploadListing(Bucket bucket) {
        this.bucket = bucket;
    }

    void list(Duration olderThan, AbandonedVisitor visitor) throws IOException {
        if (olderThan.isNegative()) {
            throw new IllegalArgumentException("older than " + olderThan);
        }
        Instant before = Instant.now().minus(olderThan);
        ListMultipartUploadsResponse page = null;
        do {
            page = pageAfter(page);
            for (MultipartUpload upload : page.uploads()) {
                // Looked at again here: not every server keeps to the prefix.
                if (upload.key().length() > bucket.prefix().length()
                        && upload.key().startsWith(bucket.prefix())
                        && upload.initiated().isBefore(before)) {
                    visitor.visit(new AbandonedUpload(
                            upload.key().substring(bucket.prefix().length()), upload.uploadId(), upload.initiated()));
                }
            }
        } while (Boolean.TRUE.equals(page.isTruncated()));
    }

    private ListMultipartUploadsResponse pageAfter(@Nullable ListMultipartUploadsResponse last) throws IOException {
        var request =
                ListMultipartUploadsRequest.builder().bucket(bucket.name()).encodingType(EncodingType.URL);
        if (!bucket.prefix().isEmpty()) {
            request.prefix(bucket.prefix());
        }
        if (last != null) {
            request.keyMarker(last.nextKeyMarker()).uploadIdMarker(last.nextUploadIdMarker());
        }
        var page = bucket.demandListing("list uploads", () -> bucket.client().listMultipartUploads(request.build()));
        if (Boolean.TRUE.equals(page.isTruncated()) && !goesOn(last, page)) {
            throw new IOException(
                    "list uploads in " + bucket + ": the server cut the listing short and did not say how to go on");
        }
        return page;
    }

    private static boolean goesOn(@Nullable ListMultipartUploadsResponse last, ListMultipartUploadsResponse page) {
        return page.nextKeyMarker() != null
                && (last == null
                        || !page.nextKeyMarker().equals(last.nextKeyMarker())
                        || !Objects.equals(page.nextUploadIdMarker(), last.nextUploadIdMarker()));
    }
}
