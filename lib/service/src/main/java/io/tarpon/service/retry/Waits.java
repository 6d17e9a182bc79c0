package io.tarpon.service.retry;

import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/// What the threads of this process wait for at this moment: no more entries than threads that wait. Safe for several
/// threads; each entry is one thread's.
public final class Waits {
    private final Map<Entry, Wait> now = new ConcurrentHashMap<>();

    /// An attempt that failed and is made again.
    ///
    /// @param what the step and the thing, such as `seal demo/v1/train/shard-000000`
    /// @param since the first failure in a row
    /// @param failures so far, from 1
    /// @param reason the last of them
    public record Wait(String what, Instant since, int failures, String reason) {}

    /// Those of this moment, the oldest first.
    public List<Wait> now() {
        return now.values().stream()
                .sorted(Comparator.comparing(Wait::since).thenComparing(Wait::what))
                .toList();
    }

    Entry entry(String what) {
        return new Entry(what);
    }

    /// One step's, which shows from its first failure until it is closed.
    final class Entry implements AutoCloseable {
        private final String what;

        private Entry(String what) {
            this.what = what;
        }

        Wait failed(Exception failure) {
            var reason = String.valueOf(failure.getMessage());
            var wait = now.get(this);
            var next = wait == null
                    ? new Wait(what, Instant.now(), 1, reason)
                    : new Wait(what, wait.since(), wait.failures() + 1, reason);
            now.put(this, next);
            return next;
        }

        @Override
        public void close() {
            now.remove(this);
        }
    }
}
