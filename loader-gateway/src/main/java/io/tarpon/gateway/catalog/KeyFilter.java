package io.tarpon.gateway.catalog;

import io.tarpon.wire.index.ShardIndex;

/// Says of a key that a shard does not have it, or that it may: a Bloom filter of 10 bits a sample, wrong for about one
/// key in a hundred. Immutable.
final class KeyFilter {
    private static final int BITS_PER_KEY = 10;
    private static final int PROBES = 7;

    private final long[] bits;

    private KeyFilter(long[] bits) {
        this.bits = bits;
    }

    static KeyFilter of(ShardIndex index) {
        var filter = new KeyFilter(new long[index.sampleCount() * BITS_PER_KEY / Long.SIZE + 1]);
        for (int sample = 0; sample < index.sampleCount(); sample++) {
            var hash = hash(index.key(sample));
            for (int probe = 0; probe < PROBES; probe++) {
                var bit = filter.bit(hash, probe);
                filter.bits[bit >>> 6] |= 1L << bit;
            }
        }
        return filter;
    }

    boolean mayHave(String key) {
        return mayHave(hash(key));
    }

    /// The same for a key's [#hash].
    boolean mayHave(long hash) {
        for (int probe = 0; probe < PROBES; probe++) {
            var bit = bit(hash, probe);
            if ((bits[bit >>> 6] & 1L << bit) == 0) {
                return false;
            }
        }
        return true;
    }

    int memoryBytes() {
        return 32 + Long.BYTES * bits.length;
    }

    /// Two halves of one hash make all probes (Kirsch and Mitzenmacher).
    private int bit(long hash, int probe) {
        var mixed = (int) hash + probe * ((int) (hash >>> 32) | 1);
        return (int) (Integer.toUnsignedLong(mixed) % ((long) bits.length * Long.SIZE));
    }

    /// FNV-1a with the finaliser of SplitMix64.
    static long hash(String key) {
        var hash = 0xcbf29ce484222325L;
        for (int i = 0; i < key.length(); i++) {
            hash = (hash ^ key.charAt(i)) * 0x100000001b3L;
        }
        hash = (hash ^ (hash >>> 30)) * 0xbf58476d1ce4e5b9L;
        hash = (hash ^ (hash >>> 27)) * 0x94d049bb133111ebL;
        return hash ^ (hash >>> 31);
    }
}
