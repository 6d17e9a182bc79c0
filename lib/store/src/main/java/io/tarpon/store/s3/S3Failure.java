package io.tarpon.store.s3;

import java.io.IOException;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.services.s3.model.S3Exception;

/// A request that the server refused or that never got an answer.
final class S3Failure extends IOException {
    private final int status;

    S3Failure(String message, SdkException cause) {
        super(message, cause);
        this.status = cause instanceof S3Exception answer ? answer.statusCode() : 0;
    }

    /// The answer's HTTP status, 0 when there was none.
    int status() {
        return status;
    }
}
