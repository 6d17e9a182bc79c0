package io.tarpon.metadata.replica;

import io.tarpon.metadata.entry.LogReader;
import io.tarpon.metadata.entry.LogUnavailableException;
import io.tarpon.metadata.entry.MetadataLog;
import io.tarpon.metadata.log.ForwardingLog;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A log whose appends fail when told so. Set up before the append, by the thread that makes it.
final class FaultyLog extends ForwardingLog {
    /// What happens in between.
    interface Intrusion {
        void run() throws InterruptedException;
    }

    private @Nullable IOException before;
    private @Nullable IOException after;
    private @Nullable Intrusion intrusion;
    private volatile boolean away;
    private @Nullable IOException lostOnTheWay;
    private long answer;
    private int appends;

    FaultyLog(MetadataLog log) {
        super(log);
    }

    void failBeforeEveryAppend(IOException failure) {
        before = failure;
    }

    void failAfterNextAppend(IOException failure) {
        after = failure;
    }

    /// Nothing is appended, read or told meanwhile.
    void away(boolean isAway) {
        away = isAway;
    }

    /// The next entry goes nowhere, and is said to have this position.
    synchronized void answerNextAppend(long position) {
        answer = position;
    }

    /// The entry gets there, and nobody hears of it.
    synchronized void goAwayInNextAppend(IOException failure) {
        lostOnTheWay = failure;
    }

    /// Runs before every append, but not before its own.
    void beforeEveryAppend(Intrusion what) {
        intrusion = what;
    }

    int appends() {
        return appends;
    }

    @Override
    public long append(byte[] entry) throws IOException {
        intrude();
        synchronized (this) {
            appends++;
            requireThere();
            if (lostOnTheWay != null) {
                away = true;
            }
            if (answer > 0) {
                var told = answer;
                answer = 0;
                return told;
            }
            if (before != null) {
                throw before;
            }
        }
        var position = log.append(entry);
        synchronized (this) {
            if (lostOnTheWay != null) {
                var lost = lostOnTheWay;
                lostOnTheWay = null;
                throw lost;
            }
            var failure = after;
            if (failure != null) {
                after = null;
                throw failure;
            }
        }
        return position;
    }

    private void intrude() {
        var now = intrusion;
        if (now != null) {
            intrusion = null;
            try {
                now.run();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            } finally {
                intrusion = now;
            }
        }
    }

    @Override
    public LogReader reader(long position) {
        return new Reading(log.reader(position));
    }

    /// What was read when the log went away is given later.
    private final class Reading implements LogReader {
        private final LogReader reader;
        private List<byte[]> held = List.of();

        private Reading(LogReader reader) {
            this.reader = reader;
        }

        @Override
        public List<byte[]> next(int limit, Duration patience) throws IOException, InterruptedException {
            requireThere();
            if (held.isEmpty()) {
                held = reader.next(limit, patience);
                requireThere();
            }
            var read = held;
            held = List.of();
            return read;
        }

        @Override
        public void close() {
            reader.close();
        }
    }

    private void requireThere() throws LogUnavailableException {
        if (away) {
            throw new LogUnavailableException("away, for a test");
        }
    }

    @Override
    public long end() throws IOException {
        requireThere();
        return log.end();
    }

    @Override
    public long begin() throws IOException {
        requireThere();
        return log.begin();
    }

    @Override
    public void trim(long position) throws IOException {
        requireThere();
        log.trim(position);
    }
}
