package io.tarpon.metadata.replica;

import io.tarpon.metadata.entry.LogBusyException;
import io.tarpon.metadata.entry.LogUnavailableException;
import io.tarpon.metadata.entry.MetadataLog;
import io.tarpon.metadata.log.ForwardingLog;
import java.io.IOException;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// A log that tells a recorded call what became of its appends, as far as the call itself learns that.
final class WatchedLog extends ForwardingLog {
    private Recorder.@Nullable Call call;

    WatchedLog(MetadataLog log) {
        super(log);
    }

    /// Appends are this call's from here on.
    void by(Recorder.Call next) {
        call = next;
    }

    @Override
    public long append(byte[] entry) throws IOException {
        var of = Objects.requireNonNull(call);
        of.appends();
        try {
            var position = log.append(entry);
            of.appended();
            return position;
        } catch (LogBusyException | LogUnavailableException e) {
            throw e;
        } catch (IOException e) {
            of.doubts();
            throw e;
        }
    }
}
