package io.tarpon.metadata.job;

import io.tarpon.metadata.entry.LogReader;
import io.tarpon.metadata.entry.LogUnavailableException;
import io.tarpon.metadata.entry.MetadataLog;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Arrays;

/// The entries of a log between two positions, one after another. Owned by one thread.
final class EntryScan implements AutoCloseable {
    private static final int AT_ONCE = 256;
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final long TOLD_EVERY = 1 << 10;

    private final MetadataLog log;
    private final LogReader reader;
    private final long to;
    private final ArrayDeque<byte[]> ahead = new ArrayDeque<>();
    private long position;

    /// @param from position before the first
    /// @param to position of the last
    EntryScan(MetadataLog log, long from, long to) {
        this.log = log;
        this.reader = log.reader(from);
        this.position = from;
        this.to = to;
    }

    boolean hasNext() {
        return position < to;
    }

    /// Position of the entry that was given last.
    long position() {
        return position;
    }

    byte[] next() throws IOException, InterruptedException {
        if (ahead.isEmpty()) {
            ahead.addAll(reader.next((int) Math.min(AT_ONCE, to - position), PATIENCE));
        }
        if (ahead.isEmpty()) {
            throw new LogUnavailableException("entry " + (position + 1) + " of " + log.name() + " cannot be read");
        }
        position++;
        return ahead.remove();
    }

    @Override
    public void close() {
        reader.close();
    }

    /// Two logs are not the same.
    static final class DifferentException extends IOException {
        private static final long serialVersionUID = 1L;

        private DifferentException(String message) {
            super(message);
        }
    }

    /// Throws at the first entry between two positions that is not the same in both.
    ///
    /// @throws DifferentException and which it is
    static void requireSame(MetadataLog one, MetadataLog other, long from, long to, Witness witness)
            throws IOException, InterruptedException {
        try (var here = new EntryScan(one, from, to);
                var there = new EntryScan(other, from, to)) {
            while (here.hasNext()) {
                if (!Arrays.equals(here.next(), there.next())) {
                    throw new DifferentException(
                            "entry " + here.position() + " of " + other.name() + " is not the one of " + one.name());
                }
                if (here.position() % TOLD_EVERY == 0) {
                    witness.at("compared", here.position() - from, to - from);
                }
            }
        }
    }
}
