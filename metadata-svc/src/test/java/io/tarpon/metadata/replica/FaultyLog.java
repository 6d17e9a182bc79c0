package io.tarpon.metadata.replica;

import io.tarpon.metadata.entry.MetadataLog;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A log whose appends fail when told so. Set up before the append, by the thread that makes it.
final class FaultyLog implements MetadataLog {
    /// What happens in between.
    interface Intrusion {
        void run() throws InterruptedException;
    }

    private final MetadataLog log;
    private @Nullable IOException before;
    private @Nullable IOException after;
    private @Nullable Intrusion intrusion;
    private int appends;

    FaultyLog(MetadataLog log) {
        this.log = log;
    }

    void failBeforeEveryAppend(IOException failure) {
        before = failure;
    }

    void failAfterNextAppend(IOException failure) {
        after = failure;
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
            if (before != null) {
                throw before;
            }
        }
        var position = log.append(entry);
        synchronized (this) {
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
    public List<byte[]> read(long position, int limit) throws IOException {
        return log.read(position, limit);
    }

    @Override
    public long end() {
        return log.end();
    }

    @Override
    public long awaitBeyond(long position, Duration timeout) throws InterruptedException {
        return log.awaitBeyond(position, timeout);
    }

    @Override
    public String name() {
        return log.name();
    }

    @Override
    public void close() {
        log.close();
    }
}
