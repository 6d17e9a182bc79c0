package io.tarpon.gateway;

import io.netty.channel.EventLoop;
import io.tarpon.gateway.body.Segment;
import io.tarpon.gateway.catalog.OpenReads;
import io.tarpon.gateway.epoch.OpenEpochs;
import io.tarpon.gateway.epoch.PlanPrefetch;
import io.tarpon.gateway.flow.BodyWriter;
import io.tarpon.gateway.flow.Outlet;
import io.tarpon.gateway.flow.StreamProgress;
import io.tarpon.gateway.flow.Traffic;
import io.tarpon.gateway.order.EpochPart;
import io.tarpon.wire.http.ProblemType;
import io.tarpon.wire.http.TarponException;
import java.util.Iterator;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Response bodies on their way out: at most so many at once.
public final class BodyStreams {
    private final Traffic traffic;
    private final ReadSources sources;
    private final OpenReads reads;
    private final OpenEpochs epochs;
    private final int windowBlocks;
    private final Optional<PlanPrefetch> prefetch;

    /// @param prefetch is told of every body; absent where nothing is read ahead by plan
    BodyStreams(
            Traffic traffic,
            OpenReads reads,
            OpenEpochs epochs,
            ReadSources sources,
            int windowBlocks,
            Optional<PlanPrefetch> prefetch) {
        this.traffic = traffic;
        this.reads = reads;
        this.epochs = epochs;
        this.sources = sources;
        this.windowBlocks = windowBlocks;
        this.prefetch = prefetch;
    }

    /// What a body is read for.
    ///
    /// @param version whose bytes they are, `demo/v1`
    /// @param traceparent for whoever is asked for bytes; null where there is no trace
    /// @param part of an epoch that they are; null where they are none
    /// @param client address and port
    public record Purpose(
            String version,
            @Nullable String traceparent,
            @Nullable EpochPart part,
            String client) {
        /// Not of an epoch.
        public Purpose(String version, @Nullable String traceparent) {
            this(version, traceparent, null, "");
        }
    }

    /// Sends a body on the event loop of its connection, which is the caller's.
    ///
    /// @param length of the segments in sum
    /// @return the writer, to be started, and cancelled when the client leaves
    public BodyWriter send(EventLoop loop, Outlet outlet, Purpose purpose, Iterator<Segment> segments, long length) {
        if (!traffic.enter()) {
            throw new TarponException(
                    ProblemType.OVERLOADED,
                    traffic.maxReads() + " responses are being sent, which is the most; try again in a moment, or raise"
                            + " tarpon.gateway.max-reads, tarpon.gateway.buffers and the memory");
        }
        reads.begin(purpose.version());
        try {
            return writer(loop, outlet, purpose, segments, length);
        } catch (RuntimeException | Error e) {
            // Without a writer nobody would leave at its end.
            leave(purpose.version());
            throw e;
        }
    }

    private BodyWriter writer(EventLoop loop, Outlet outlet, Purpose purpose, Iterator<Segment> segments, long length) {
        var places = new BodyWriter.Places(piece -> sources.of(piece, loop, purpose.traceparent()), windowBlocks);
        var unfollow = prefetch.map(plan -> plan.follow(segments)).orElse(() -> {});
        var progress = new StreamProgress();
        var writer = new BodyWriter(loop, outlet, traffic, places, segments, length, progress, () -> {
            epochs.end(progress);
            unfollow.run();
            leave(purpose.version());
        });
        var part = purpose.part();
        if (part != null) {
            epochs.begin(progress, part, purpose.client(), length);
        }
        return writer;
    }

    private void leave(String version) {
        reads.end(version);
        traffic.leave();
    }
}
