package io.tarpon.wire.gateway;

import java.util.List;

/// `GET /v1/epochs`: the epoch streams that are open at one gateway, the longest first.
public record EpochsDocument(List<Stream> epochs) {
    public EpochsDocument {
        epochs = List.copyOf(epochs);
    }

    /// One response. The two waits and the rest of the seconds, in which it was busy sending, add up to `seconds`.
    ///
    /// @param client address and port
    /// @param seconds since it began
    /// @param samples sent, of `ofSamples` in the epoch's part; a response to a Range begins in its middle
    /// @param bytes sent, of `ofBytes` in this response
    /// @param waitedOnClient seconds in which the client took nothing: the GPU is busy
    /// @param waitedOnStorage seconds in which no byte was at hand: the GPU starves
    /// @param waitsOn `client`, `storage`, or `nobody` at this moment
    public record Stream(
            String dataset,
            String version,
            String split,
            long seed,
            long epoch,
            int rank,
            int world,
            int worker,
            int workers,
            String client,
            double seconds,
            long samples,
            long ofSamples,
            long bytes,
            long ofBytes,
            double waitedOnClient,
            double waitedOnStorage,
            String waitsOn) {}
}
