package io.tarpon.shard.assembly;

import io.tarpon.store.ObjectSource;
import io.tarpon.store.SourceChangedException;
import io.tarpon.wire.plan.PlannedMember;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;

/// The source of one shard, whose every failure names the object. Safe for several threads.
final class Inputs {
    private final ObjectSource source;
    private volatile boolean stopped;

    Inputs(ObjectSource source) {
        this.source = source;
    }

    /// Reads no further object: whoever asks gets an exception.
    void stop() {
        stopped = true;
    }

    void read(PlannedMember member, ByteBuffer into) throws IOException {
        requireRunning();
        try {
            source.read(member.sourceKey(), member.etag(), into);
        } catch (IOException e) {
            throw named(member, e);
        }
    }

    InputStream open(PlannedMember member) throws IOException {
        requireRunning();
        try {
            return source.open(member.sourceKey(), member.etag(), member.size());
        } catch (IOException e) {
            throw named(member, e);
        }
    }

    void requireRunning() throws IOException {
        if (stopped) {
            throw new IOException("the assembly has ended");
        }
    }

    static IOException named(PlannedMember member, IOException e) {
        return e instanceof SourceChangedException || e instanceof UnreadableInputException
                ? e
                : new UnreadableInputException(member.sourceKey(), e);
    }
}
