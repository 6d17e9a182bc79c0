package io.tarpon.ingest.plan;

import io.tarpon.wire.Digests;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;

/// A pseudo-random 64-bit number for a sample key: the first eight bytes, big-endian, of
/// SHA-256(purpose, a zero byte, number as eight bytes big-endian, sample key in UTF-8). For one thread.
public final class KeyedHash {
    private final byte[] prefix;
    private final MessageDigest sha256 = Digests.sha256();

    private KeyedHash(String purpose, long number) {
        var name = purpose.getBytes(StandardCharsets.US_ASCII);
        this.prefix = new byte[name.length + 1 + Long.BYTES];
        System.arraycopy(name, 0, prefix, 0, name.length);
        for (int i = 0; i < Long.BYTES; i++) {
            prefix[name.length + 1 + i] = (byte) (number >>> (56 - 8 * i));
        }
    }

    /// The place of a sample in the order of its split.
    public static KeyedHash order(long seed) {
        return new KeyedHash("tarpon-sample-order", seed);
    }

    /// The place of a sample among shares: of the key alone, so that neither growth nor another seed moves it.
    public static KeyedHash share() {
        return new KeyedHash("tarpon-split-share", 0);
    }

    public long of(String sampleKey) {
        sha256.update(prefix);
        sha256.update(sampleKey.getBytes(StandardCharsets.UTF_8));
        var digest = sha256.digest();
        long value = 0;
        for (int i = 0; i < Long.BYTES; i++) {
            value = value << 8 | Byte.toUnsignedInt(digest[i]);
        }
        return value;
    }
}
