package io.tarpon.cli.verify;

import io.tarpon.wire.Digests;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.security.MessageDigest;
import java.util.zip.CRC32C;

/// Passes bytes on and hashes them: SHA-256 and CRC-32C of all that was read.
final class HashedStream extends FilterInputStream {
    private final MessageDigest sha256 = Digests.sha256();
    private final CRC32C crc32c = new CRC32C();

    HashedStream(InputStream in) {
        super(in);
    }

    @Override
    public int read() throws IOException {
        int value = in.read();
        if (value >= 0) {
            sha256.update((byte) value);
            crc32c.update(value);
        }
        return value;
    }

    @Override
    public int read(byte[] target, int offset, int length) throws IOException {
        int read = in.read(target, offset, length);
        if (read > 0) {
            sha256.update(target, offset, read);
            crc32c.update(target, offset, read);
        }
        return read;
    }

    byte[] sha256() {
        return sha256.digest();
    }

    int crc32c() {
        return (int) crc32c.getValue();
    }
}
