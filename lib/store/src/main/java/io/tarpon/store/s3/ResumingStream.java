package io.tarpon.store.s3;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.util.Objects;
import software.amazon.awssdk.core.ResponseInputStream;
import software.amazon.awssdk.core.exception.AbortedException;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.services.s3.model.GetObjectResponse;

/// Exactly one range of an object. A body that breaks, ends early or comes too slowly is asked for again from the same
/// byte, at most [io.tarpon.store.S3Config#attempts] times in a row and within the client's budget.
///
/// The call that would hand out the last byte first reads the body's end, where the SDK compares a checksum that the
/// server sent, and has the range checked. For one thread.
final class ResumingStream extends InputStream {
    /// So many bytes without a break, and the breaks before no longer count.
    private static final long PROGRESS_BYTES = 1 << 20;

    private final String what;
    private final RangeRead range;
    private final long lengthBytes;
    private final CallLimits limits;
    private ResponseInputStream<GetObjectResponse> body;
    private long at;
    private long bodyStart;
    private long waitedNanos;
    private int breaks;
    private int repetitions;

    ResumingStream(String what, RangeRead range, long lengthBytes, CallLimits limits) throws IOException {
        this.what = what;
        this.range = range;
        this.lengthBytes = lengthBytes;
        this.limits = limits;
        this.body = connect();
        if (lengthBytes == 0) {
            endOrAbort();
        }
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
        int count = readResuming(into, offset, wanted);
        range.received(into, offset, count);
        if (at + count == lengthBytes) {
            end();
        }
        at += count;
        return count;
    }

    /// A body that was not read to its end is dropped with its connection: to read the rest only to keep the
    /// connection would cost more than a new one.
    @Override
    public void close() throws IOException {
        if (at == lengthBytes) {
            body.close();
        } else {
            body.abort();
        }
    }

    private int readResuming(byte[] into, int offset, int wanted) throws IOException {
        while (true) {
            try {
                return readOnce(into, offset, wanted);
            } catch (IOException | SdkException e) {
                body.abort();
                goOn(e);
                body = connect();
            }
        }
    }

    private int readOnce(byte[] into, int offset, int wanted) throws IOException {
        long before = System.nanoTime();
        int count = body.read(into, offset, wanted);
        waitedNanos += System.nanoTime() - before;
        if (count < 0) {
            throw new EOFException("the body ended early");
        }
        if (limits.isTooSlow(at + count - bodyStart, waitedNanos) && at + count < lengthBytes) {
            throw new IOException("the body came too slowly: " + (at + count - bodyStart) + " bytes in "
                    + waitedNanos / 1_000_000_000 + " s");
        }
        return count;
    }

    /// Reads the end of the body, of which all bytes were received: there is no byte left to go on from.
    private void end() throws IOException {
        try {
            if (body.read() >= 0) {
                throw range.damaged("the server sends more than the " + lengthBytes + " bytes it should have", null);
            }
        } catch (AbortedException e) {
            throw stopped(e);
        } catch (SdkException e) {
            throw range.damaged("its bytes do not match the checksum sent with them", e);
        }
        range.check();
        limits.budget().succeeded(repetitions);
    }

    /// Nobody gets this stream, and so nobody closes it, where its end is not as it should be.
    private void endOrAbort() throws IOException {
        try {
            end();
        } catch (IOException e) {
            body.abort();
            throw e;
        }
    }

    private ResponseInputStream<GetObjectResponse> connect() throws IOException {
        while (true) {
            bodyStart = at;
            waitedNanos = 0;
            try {
                return range.from(at);
            } catch (BrokenAnswerException e) {
                goOn(e);
            }
        }
    }

    /// Returns when another attempt may be made.
    private void goOn(Exception broken) throws IOException {
        if (broken instanceof AbortedException || Thread.currentThread().isInterrupted()) {
            throw stopped(broken);
        }
        breaks = at - bodyStart >= PROGRESS_BYTES ? 1 : breaks + 1;
        if (breaks >= limits.config().attempts() || !limits.budget().take()) {
            throw new IOException(
                    what + " broke off at byte " + at + " of " + lengthBytes + ": " + broken.getMessage(), broken);
        }
        repetitions++;
        limits.pause(breaks);
    }

    private IOException stopped(Exception cause) {
        var e = new InterruptedIOException(what + " was interrupted at byte " + at + " of " + lengthBytes);
        e.initCause(cause);
        return e;
    }
}
