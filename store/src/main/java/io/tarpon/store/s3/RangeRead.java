package io.tarpon.store.s3;

import java.io.IOException;
import software.amazon.awssdk.core.ResponseInputStream;
import software.amazon.awssdk.services.s3.model.GetObjectResponse;

/// Asks for what is left of one range, from `skipBytes` into it; the answer's length and ETag have been checked.
@FunctionalInterface
interface RangeRead {
    ResponseInputStream<GetObjectResponse> from(long skipBytes) throws IOException;
}
