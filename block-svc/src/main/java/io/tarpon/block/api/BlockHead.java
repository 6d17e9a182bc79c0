package io.tarpon.block.api;

import io.tarpon.wire.block.BlockId;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerResponse;

/// The headers of every answer with a block, with or without its bytes.
final class BlockHead {
    static final CharSequence PRESENCE = HttpHeaders.createOptimized("Tarpon-Block");
    private static final CharSequence HIT = HttpHeaders.createOptimized("hit");
    private static final CharSequence MISS = HttpHeaders.createOptimized("miss");
    private static final CharSequence BYTES = HttpHeaders.createOptimized("bytes");
    private static final CharSequence OCTETS = HttpHeaders.createOptimized("application/octet-stream");
    private static final CharSequence FOR_GOOD =
            HttpHeaders.createOptimized("max-age=31536000, immutable, no-transform");

    private BlockHead() {}

    /// @param bytes of the body
    static void put(HttpServerResponse response, BlockId id, boolean hit, long bytes) {
        response.putHeader(HttpHeaders.CONTENT_LENGTH, Long.toString(bytes))
                .putHeader(HttpHeaders.CONTENT_TYPE, OCTETS)
                .putHeader(HttpHeaders.ACCEPT_RANGES, BYTES)
                .putHeader(HttpHeaders.CACHE_CONTROL, FOR_GOOD)
                .putHeader(HttpHeaders.ETAG, '"' + id.hex() + '"')
                .putHeader(PRESENCE, hit ? HIT : MISS);
    }
}
