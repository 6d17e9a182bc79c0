package io.tarpon.store.s3;

import java.io.IOException;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.core.ResponseInputStream;
import software.amazon.awssdk.services.s3.model.GetObjectResponse;

/// What [ResumingStream] reads: one range of one object, asked for again where it broke off.
interface RangeRead {
    /// What is left of the range from `skipBytes` into it; the answer's ETag and announced length have been checked.
    ///
    /// @throws BrokenAnswerException when what came is no such answer, and asking again may help
    ResponseInputStream<GetObjectResponse> from(long skipBytes) throws IOException;

    /// Bytes of the range in order, each once.
    void received(byte[] bytes, int offset, int count);

    /// Called when all bytes were received and before the last are handed out.
    ///
    /// @throws IOException when they are not the object's
    void check() throws IOException;

    /// The exception for bytes that cannot be the object's.
    ///
    /// @param what the rest of a sentence about the object
    IOException damaged(String what, @Nullable Exception cause);
}
