package io.tarpon.block.client;

import io.tarpon.wire.ShardRef;
import io.tarpon.wire.block.BlockId;
import java.io.IOException;
import java.io.InputStream;
import java.net.HttpURLConnection;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

/// Blocks of other nodes over HTTP, blocking, for the threads that fill.
///
/// [HttpURLConnection] rather than the newer client: its read timeout also bounds the silence inside a body.
public final class PeerBlocks {
    private final Duration connectTimeout;
    private final Duration readTimeout;

    public PeerBlocks(Duration connectTimeout, Duration readTimeout) {
        this.connectTimeout = connectTimeout;
        this.readTimeout = readTimeout;
    }

    /// The block's bytes from `from` to its end at `length`. The node fills it from the store if it must, never
    /// from a third one. The stream breaks rather than end early.
    public InputStream open(URI node, BlockId id, ShardRef shard, int number, long from, long length)
            throws IOException {
        var uri = node.resolve("/v1/blocks/" + id + "?shard=" + URLEncoder.encode(shard.path(), StandardCharsets.UTF_8)
                + "&block=" + number + "&fill=store");
        if (!(uri.toURL().openConnection() instanceof HttpURLConnection connection)) {
            throw new IOException("node url " + node + " is not HTTP");
        }
        connection.setConnectTimeout(Math.toIntExact(connectTimeout.toMillis()));
        connection.setReadTimeout(Math.toIntExact(readTimeout.toMillis()));
        connection.setInstanceFollowRedirects(false);
        connection.setUseCaches(false);
        connection.setRequestProperty("Range", "bytes=" + from + "-");
        var status = connection.getResponseCode();
        if (status != HttpURLConnection.HTTP_PARTIAL || connection.getContentLengthLong() != length - from) {
            connection.disconnect();
            throw new IOException("node " + node + " answered " + status + " with " + connection.getContentLengthLong()
                    + " bytes, asked for " + (length - from) + " of block " + id);
        }
        return connection.getInputStream();
    }
}
