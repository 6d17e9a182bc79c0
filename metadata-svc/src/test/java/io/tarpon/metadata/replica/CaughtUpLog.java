package io.tarpon.metadata.replica;

import io.tarpon.metadata.entry.LogReader;
import io.tarpon.metadata.entry.LogUnavailableException;
import io.tarpon.metadata.entry.MetadataLog;
import java.io.IOException;
import java.io.InterruptedIOException;

/// A log whose replica has replayed an entry by the time its append returns, and what was there by the time its end
/// is told: the replay thread's part, on the proposer's own thread.
record CaughtUpLog(MetadataLog log, Replica replica) implements MetadataLog {
    @Override
    public long append(byte[] entry) throws IOException {
        var position = log.append(entry);
        catchUp();
        return position;
    }

    @Override
    public LogReader reader(long position) {
        return log.reader(position);
    }

    @Override
    public long end() throws IOException {
        var end = log.end();
        catchUp();
        return end;
    }

    private void catchUp() throws IOException {
        try {
            replica.catchUp();
        } catch (LogUnavailableException e) {
            // The replay thread would come again later; who waits for it is told that it has not yet.
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException();
        }
    }

    @Override
    public boolean isWhole() {
        return log.isWhole();
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
