package io.tarpon.store.s3;

import io.tarpon.store.KeyOrder;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.s3.model.EncodingType;
import software.amazon.awssdk.services.s3.model.ListObjectsV2Request;
import software.amazon.awssdk.services.s3.model.ListObjectsV2Response;

/// The folders directly below a bucket's prefix, by a listing that stops at the next `/`.
final class FolderListing {
    private final Bucket bucket;

    FolderListing(Bucket bucket) {
        this.bucket = bucket;
    }

    /// Names without prefix and `/`; of more than `most` the first ones. Objects beside the folders are passed over,
    /// but cost their pages.
    List<String> list(String after, int most) throws IOException {
        var names = new ArrayList<String>();
        // The least key behind everything in that folder: '0' follows '/'.
        String startAfter = after.isEmpty() ? null : bucket.prefix() + after + "0";
        String token = null;
        do {
            ListObjectsV2Response page = page(startAfter, token);
            for (var folder : page.commonPrefixes()) {
                var name = name(folder.prefix());
                if (names.size() == most) {
                    return names;
                }
                if (after.isEmpty() || KeyOrder.compare(name + "/", after + "/") > 0) {
                    names.add(name);
                }
            }
            token = S3Listing.nextToken(page);
        } while (token != null);
        return names;
    }

    private ListObjectsV2Response page(@Nullable String startAfter, @Nullable String token) throws IOException {
        var request = ListObjectsV2Request.builder()
                .bucket(bucket.name())
                .prefix(bucket.prefix())
                .delimiter("/")
                .startAfter(startAfter)
                .continuationToken(token)
                .encodingType(EncodingType.URL)
                .build();
        return S3Listing.requireListing(
                "list folders in " + bucket,
                bucket.demandListing("list folders", () -> bucket.client().listObjectsV2(request)));
    }

    private String name(String folder) throws IOException {
        if (!folder.startsWith(bucket.prefix()) || !folder.endsWith("/")) {
            throw new IOException("list folders in " + bucket + ": the server answered with " + folder);
        }
        return folder.substring(bucket.prefix().length(), folder.length() - 1);
    }
}
