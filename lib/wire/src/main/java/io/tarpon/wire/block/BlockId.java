package io.tarpon.wire.block;

import io.tarpon.wire.Digests;
import java.nio.ByteBuffer;
import java.util.HexFormat;

/// Names a block by its content: the first 32 hex digits of SHA-256(shard SHA-256, block number as u32 big-endian).
///
/// @param high the first 64 bits
/// @param low the last 64 bits
public record BlockId(long high, long low) implements Comparable<BlockId> {
    /// Characters of an id.
    public static final int DIGITS = 32;

    private static final int SHA256_BYTES = 32;

    /// @param hex 32 lower-case hex digits
    public static BlockId parse(String hex) {
        if (!Digests.isHex(hex, DIGITS)) {
            throw new IllegalArgumentException("block id is not 32 lower-case hex digits");
        }
        return new BlockId(
                HexFormat.fromHexDigitsToLong(hex, 0, DIGITS / 2),
                HexFormat.fromHexDigitsToLong(hex, DIGITS / 2, DIGITS));
    }

    /// @param shardSha256 64 hex digits
    /// @param blockNumber 0-based in the shard
    public static BlockId of(String shardSha256, int blockNumber) {
        return of(HexFormat.of().parseHex(Digests.requireSha256("shard digest", shardSha256)), blockNumber);
    }

    /// @param shardSha256 32 bytes
    /// @param blockNumber 0-based in the shard
    public static BlockId of(byte[] shardSha256, int blockNumber) {
        if (shardSha256.length != SHA256_BYTES || blockNumber < 0) {
            throw new IllegalArgumentException("a block id is of 32 bytes and a number from 0, not " + blockNumber);
        }
        ByteBuffer named = ByteBuffer.allocate(SHA256_BYTES + Integer.BYTES)
                .put(shardSha256)
                .putInt(blockNumber);
        return parse(Digests.sha256Hex(named.array()).substring(0, DIGITS));
    }

    /// 32 lower-case hex digits.
    public String hex() {
        HexFormat digits = HexFormat.of();
        return digits.toHexDigits(high) + digits.toHexDigits(low);
    }

    /// As the digits do.
    @Override
    public int compareTo(BlockId other) {
        int order = Long.compareUnsigned(high, other.high);
        return order == 0 ? Long.compareUnsigned(low, other.low) : order;
    }

    @Override
    public String toString() {
        return hex();
    }
}
