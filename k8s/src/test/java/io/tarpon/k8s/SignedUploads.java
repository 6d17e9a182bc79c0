package io.tarpon.k8s;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Collection;

/// Files that are put into a bucket, with a client that signs: an object that did not come over S3 has no ETag.
final class SignedUploads {
    private SignedUploads() {}

    /// @param names of files of the folder
    /// @param where URL of a bucket with what the keys begin with
    static void put(Path folder, Collection<String> names, String where, String accessKey, String secretKey)
            throws IOException, InterruptedException {
        var curl = new ProcessBuilder(
                        "curl",
                        "--silent",
                        "--show-error",
                        "--fail",
                        "--aws-sigv4",
                        "aws:amz:us-east-1:s3",
                        "--user",
                        accessKey + ":" + secretKey,
                        "--header",
                        "x-amz-content-sha256: UNSIGNED-PAYLOAD",
                        "--upload-file",
                        "{" + String.join(",", names) + "}",
                        where)
                .directory(folder.toFile())
                .inheritIO()
                .start();
        if (curl.waitFor() != 0) {
            throw new AssertionError("curl ended with " + curl.exitValue() + " at " + where);
        }
    }
}
