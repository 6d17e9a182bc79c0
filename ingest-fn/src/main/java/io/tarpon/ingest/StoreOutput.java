package io.tarpon.ingest;

import io.tarpon.store.ObjectStore;
import io.tarpon.wire.Digests;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.util.HexFormat;

/// One object of the store as a stream, with its SHA-256. Nothing is visible unless [#complete] returned. For one
/// thread.
final class StoreOutput extends OutputStream {
    private static final int BUFFER_BYTES = 64 << 10;

    private final ObjectStore.Upload upload;
    private final MessageDigest sha256 = Digests.sha256();
    private final byte[] buffer = new byte[BUFFER_BYTES];
    private int buffered;

    StoreOutput(ObjectStore store, String key) throws IOException {
        this.upload = store.upload(key);
    }

    @Override
    public void write(int value) throws IOException {
        if (buffered == buffer.length) {
            drain();
        }
        buffer[buffered++] = (byte) value;
    }

    @Override
    public void write(byte[] bytes, int from, int length) throws IOException {
        int at = from;
        int left = length;
        while (left > 0) {
            if (buffered == buffer.length) {
                drain();
            }
            int count = Math.min(left, buffer.length - buffered);
            System.arraycopy(bytes, at, buffer, buffered, count);
            buffered += count;
            at += count;
            left -= count;
        }
    }

    /// Makes the object visible and durable; gives its SHA-256 in hex.
    String complete() throws IOException {
        drain();
        upload.complete();
        return HexFormat.of().formatHex(sha256.digest());
    }

    /// Without [#complete] before it, throws the bytes away.
    @Override
    public void close() {
        upload.close();
    }

    private void drain() throws IOException {
        sha256.update(buffer, 0, buffered);
        upload.write(ByteBuffer.wrap(buffer, 0, buffered));
        buffered = 0;
    }
}
