package io.tarpon.store.s3;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.util.Objects;
import software.amazon.awssdk.core.ResponseInputStream;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.services.s3.model.GetObjectResponse;

/// Exactly one range of an object. A body that breaks or ends early is asked for again from the same byte, a bounded
/// number of times.
///
/// Before the last byte is handed out the body's end is read, where the SDK compares the object's checksum if the
/// server sent one.
final class ResumingStream extends InputStream {
    private static final int RESUMES = 3;

    private final String what;
    private final RangeRead source;
    private final long lengthBytes;
    private ResponseInputStream<GetObjectResponse> body;
    private long at;
    private int resumesLeft = RESUMES;

    ResumingStream(String what, RangeRead source, long lengthBytes) throws IOException {
        this.what = what;
        this.source = source;
        this.lengthBytes = lengthBytes;
        this.body = source.from(0);
    }

    @Override
    public int read() throws IOException {
        var one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : Byte.toUnsignedInt(one[0]);
    }

    @Override
    public int read(byte[] into, int offset, int length) throws IOException {
        Objects.checkFromIndexSize(offset, length, into.length);
        if (length == 0) {
            return 0;
        }
        if (at == lengthBytes) {
            return -1;
        }
        int wanted = (int) Math.min(length, lengthBytes - at);
        while (true) {
            try {
                int count = readChecked(into, offset, wanted);
                at += count;
                return count;
            } catch (IOException | SdkException e) {
                resume(e);
            }
        }
    }

    private int readChecked(byte[] into, int offset, int wanted) throws IOException {
        int count = body.read(into, offset, wanted);
        if (count < 0) {
            throw new EOFException(what + " ended after " + at + " of " + lengthBytes + " bytes");
        }
        if (at + count == lengthBytes && body.read() >= 0) {
            throw new IOException(what + " goes on after " + lengthBytes + " bytes");
        }
        return count;
    }

    private void resume(Exception e) throws IOException {
        body.abort();
        if (resumesLeft-- == 0) {
            throw new IOException(what + " broke off at byte " + at + " of " + lengthBytes, e);
        }
        body = source.from(at);
    }

    @Override
    public void close() throws IOException {
        if (at == lengthBytes) {
            body.close();
        } else {
            // Reading the rest only to keep the connection would cost more than a new one.
            body.abort();
        }
    }
}
