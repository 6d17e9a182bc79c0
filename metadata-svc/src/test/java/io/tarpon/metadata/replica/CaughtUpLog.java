package io.tarpon.metadata.replica;

import io.tarpon.metadata.entry.MetadataLog;
import java.io.IOException;
import java.time.Duration;
import java.util.List;

/// A log whose replica has replayed an entry by the time its append returns: the replay thread's part, on the
/// proposer's own thread.
record CaughtUpLog(MetadataLog log, Replica replica) implements MetadataLog {
    @Override
    public long append(byte[] entry) throws IOException {
        var position = log.append(entry);
        replica.catchUp();
        return position;
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
