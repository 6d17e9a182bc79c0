package io.tarpon.gateway.flow;

import io.tarpon.gateway.body.Piece;

/// One place that a piece of a block can be had from.
@FunctionalInterface
public interface BlockSource {
    /// Begins to fetch. Never throws: what fails is told by the bytes.
    ///
    /// @param wake runs on the event loop when there is news, never inside this call or [BlockBytes#poll]
    BlockBytes open(Piece.OfBlock piece, Runnable wake);
}
