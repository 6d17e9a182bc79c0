package io.tarpon.gateway.epoch;

import io.tarpon.gateway.flow.StreamProgress;
import io.tarpon.gateway.flow.StreamProgress.WaitsOn;
import io.tarpon.gateway.order.EpochPart;
import io.tarpon.wire.gateway.EpochsDocument;
import java.util.Comparator;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/// The epoch streams that are open: who waits for whom. No larger than the number of responses.
///
/// Threads: any.
public final class OpenEpochs {
    private static final double NANOS_PER_SECOND = 1e9;

    private final Map<StreamProgress, Open> open = new ConcurrentHashMap<>();

    private record Open(EpochPart part, String client, long length, long since) {}

    /// @param client address and port
    /// @param length bytes that will be sent
    public void begin(StreamProgress progress, EpochPart part, String client, long length) {
        open.put(progress, new Open(part, client, length, System.nanoTime()));
    }

    public void end(StreamProgress progress) {
        open.remove(progress);
    }

    /// All of them now, the longest first.
    public EpochsDocument document() {
        var now = System.nanoTime();
        return new EpochsDocument(open.entrySet().stream()
                .sorted(Comparator.comparingLong(entry -> entry.getValue().since))
                .map(entry -> stream(entry.getKey(), entry.getValue(), now))
                .toList());
    }

    private static EpochsDocument.Stream stream(StreamProgress progress, Open stream, long now) {
        var part = stream.part;
        var share = part.share();
        return new EpochsDocument.Stream(
                part.dataset().value(),
                part.version().toString(),
                part.split().value(),
                part.seed(),
                part.epoch(),
                share.rank(),
                share.world(),
                share.worker(),
                share.workers(),
                stream.client,
                (now - stream.since) / NANOS_PER_SECOND,
                progress.samples(),
                part.samples(),
                progress.bytes(),
                stream.length,
                progress.waitedNanos(WaitsOn.CLIENT) / NANOS_PER_SECOND,
                progress.waitedNanos(WaitsOn.STORAGE) / NANOS_PER_SECOND,
                progress.waitsOn().name().toLowerCase(Locale.ROOT));
    }
}
