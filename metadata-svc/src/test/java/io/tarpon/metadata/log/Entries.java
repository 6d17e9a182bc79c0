package io.tarpon.metadata.log;

import static org.assertj.core.api.Assertions.assertThat;

import io.tarpon.metadata.entry.MetadataLog;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/// What is in a log, for tests that look at all of it.
public final class Entries {
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final int AT_ONCE = 7;

    private Entries() {}

    /// Entries after `position`, at most `limit`; as many as there are at the time.
    public static List<byte[]> after(MetadataLog log, long position, int limit) throws IOException {
        var entries = new ArrayList<byte[]>();
        try (var reader = log.reader(position)) {
            for (var left = Math.min(limit, log.end() - position); left > 0; ) {
                var read = reader.next((int) Math.min(left, AT_ONCE), PATIENCE);
                assertThat(read)
                        .as("entries of %s after %d", log.name(), position)
                        .isNotEmpty();
                entries.addAll(read);
                left -= read.size();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException();
        }
        return entries;
    }

    public static byte[] first(MetadataLog log, long after) throws IOException {
        return after(log, after, 1).getFirst();
    }
}
