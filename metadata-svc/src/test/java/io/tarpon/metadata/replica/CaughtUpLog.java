package io.tarpon.metadata.replica;

import io.tarpon.metadata.entry.LogUnavailableException;
import io.tarpon.metadata.entry.MetadataLog;
import io.tarpon.metadata.log.ForwardingLog;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// A log whose replica has replayed an entry by the time its append returns, and what was there by the time its end
/// is told: the replay thread's part, on the thread of whoever asks.
final class CaughtUpLog extends ForwardingLog {
    private final End seen;
    private @Nullable Replica replica;
    /// A replica that is being caught up asks for the log's end where it needs a snapshot.
    private boolean isCatchingUp;

    CaughtUpLog(MetadataLog log) {
        super(log);
        this.seen = log::end;
    }

    /// @param seen where the log ends for who catches up, and does not ask for the latest
    CaughtUpLog(MetadataLog log, End seen) {
        super(log);
        this.seen = seen;
    }

    interface End {
        long get() throws IOException;
    }

    CaughtUpLog(MetadataLog log, Replica replica) {
        this(log);
        replayedBy(replica);
    }

    /// Once, before anything is asked of it.
    void replayedBy(Replica replica) {
        this.replica = replica;
    }

    @Override
    public long append(byte[] entry) throws IOException {
        var position = log.append(entry);
        catchUp();
        return position;
    }

    @Override
    public long end() throws IOException {
        if (isCatchingUp) {
            return seen.get();
        }
        var end = log.end();
        catchUp();
        return end;
    }

    /// Unless that is what this is asked for.
    void catchUp() throws IOException {
        if (isCatchingUp) {
            return;
        }
        isCatchingUp = true;
        try {
            Objects.requireNonNull(replica).catchUp();
        } catch (LogUnavailableException e) {
            // The replay thread would come again later; who waits for it is told that it has not yet.
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException();
        } finally {
            isCatchingUp = false;
        }
    }
}
