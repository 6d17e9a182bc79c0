package io.tarpon.ingest.plan;

import java.math.BigDecimal;
import java.util.List;

/// Cuts the range of a hash into shares. For one thread.
final class ShareTable {
    /// Everything in the first split.
    static final ShareTable ONE = new ShareTable(List.of());

    private static final BigDecimal RANGE = BigDecimal.TWO.pow(62);

    /// First hash beyond each share, of the hash's upper 62 bits.
    private final long[] ends;

    private final KeyedHash hash = KeyedHash.share();

    ShareTable(List<SplitRule.Share> shares) {
        this.ends = new long[Math.max(shares.size(), 1)];
        var sum = BigDecimal.ZERO;
        for (int i = 0; i < shares.size(); i++) {
            sum = sum.add(shares.get(i).part());
            ends[i] = sum.min(BigDecimal.ONE).multiply(RANGE).longValue();
        }
        // What rounding leaves over belongs to the last one.
        ends[ends.length - 1] = Long.MAX_VALUE;
    }

    int split(String sampleKey) {
        if (ends.length == 1) {
            return 0;
        }
        long place = hash.of(sampleKey) >>> 2;
        int split = 0;
        while (place >= ends[split]) {
            split++;
        }
        return split;
    }
}
