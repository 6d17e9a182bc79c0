package io.tarpon.metadata.log;

import io.tarpon.metadata.entry.LogReader;
import io.tarpon.metadata.entry.MetadataLog;
import java.io.IOException;

/// A log as another one is, but for what is altered.
public abstract class ForwardingLog implements MetadataLog {
    protected final MetadataLog log;

    protected ForwardingLog(MetadataLog log) {
        this.log = log;
    }

    @Override
    public long append(byte[] entry) throws IOException {
        return log.append(entry);
    }

    @Override
    public LogReader reader(long position) {
        return log.reader(position);
    }

    @Override
    public long end() throws IOException {
        return log.end();
    }

    @Override
    public long begin() throws IOException {
        return log.begin();
    }

    @Override
    public void trim(long position) throws IOException {
        log.trim(position);
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
