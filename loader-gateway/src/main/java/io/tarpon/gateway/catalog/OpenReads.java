package io.tarpon.gateway.catalog;

import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/// Which versions are being read, each with the number of its responses. No larger than the number of responses.
///
/// Threads: any.
public final class OpenReads {
    private final ConcurrentMap<String, Integer> reads = new ConcurrentHashMap<>();

    /// @param version `demo/v1`
    public void begin(String version) {
        reads.merge(version, 1, Integer::sum);
    }

    public void end(String version) {
        reads.computeIfPresent(version, (_, count) -> count == 1 ? null : count - 1);
    }

    /// Those with a response in work, at most so many.
    public List<String> versions(int most) {
        return reads.keySet().stream().limit(most).toList();
    }
}
