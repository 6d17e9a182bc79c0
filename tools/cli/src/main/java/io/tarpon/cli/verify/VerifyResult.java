package io.tarpon.cli.verify;

import java.util.ArrayList;
import java.util.List;

/// What a verification found: counts of what was read, and every disagreement in words.
public record VerifyResult(long shards, long samples, long members, long bytes, List<String> bad) {
    public static final VerifyResult NOTHING = new VerifyResult(0, 0, 0, 0, List.of());

    public VerifyResult {
        bad = List.copyOf(bad);
    }

    public VerifyResult plus(VerifyResult other) {
        var all = new ArrayList<>(bad);
        all.addAll(other.bad);
        return new VerifyResult(
                shards + other.shards, samples + other.samples, members + other.members, bytes + other.bytes, all);
    }

    public boolean agrees() {
        return bad.isEmpty();
    }
}
