package io.tarpon.gateway.client;

import io.netty.bootstrap.Bootstrap;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoop;
import io.netty.channel.epoll.EpollSocketChannel;
import io.netty.channel.nio.NioEventLoop;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.handler.codec.http.HttpClientCodec;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.IntSupplier;

/// Connections to nodes on one event loop: the idle ones are kept, a bounded number for a bounded time, the last used
/// first. Everything on that loop.
final class LoopConnections {
    private static final int IDLE_PER_NODE = 16;
    private static final Duration IDLE = Duration.ofSeconds(20);
    private static final int MAX_LINE = 4096;
    private static final int MAX_HEADERS = 16 << 10;
    private static final int MAX_CHUNK = 1 << 20;

    private final EventLoop loop;
    private final Duration connectTimeout;
    private final IntSupplier readBytes;
    private final Map<NodeAddress, Deque<Idle>> idle = new HashMap<>();

    /// @param readBytes most that one read of a new connection takes
    LoopConnections(EventLoop loop, Duration connectTimeout, IntSupplier readBytes) {
        this.loop = loop;
        this.connectTimeout = connectTimeout;
        this.readBytes = readBytes;
    }

    private record Idle(NodeConnection connection, long since) {}

    /// An idle connection or a new one; exactly one of the two is called, now or later on the loop.
    void acquire(NodeAddress address, boolean fresh, Consumer<NodeConnection> ready, Consumer<IOException> failed) {
        var kept = idle.get(address);
        while (!fresh && kept != null && !kept.isEmpty()) {
            var connection = kept.pop().connection;
            if (connection.isUsable()) {
                ready.accept(connection);
                return;
            }
        }
        connect(address, ready, failed);
    }

    /// Takes back a connection whose exchange ended well.
    void release(NodeAddress address, NodeConnection connection) {
        var kept = idle.computeIfAbsent(address, _ -> new ArrayDeque<>());
        if (!connection.isUsable() || kept.size() >= IDLE_PER_NODE) {
            connection.abandon();
            return;
        }
        if (kept.isEmpty()) {
            var _ = loop.schedule(() -> sweep(address), IDLE.toMillis(), TimeUnit.MILLISECONDS);
        }
        kept.push(new Idle(connection, System.nanoTime()));
        // So that it is noticed when the node closes it.
        connection.read();
    }

    private void sweep(NodeAddress address) {
        var kept = idle.get(address);
        if (kept == null) {
            return;
        }
        var now = System.nanoTime();
        kept.removeIf(entry -> {
            var old = !entry.connection.isUsable() || now - entry.since >= IDLE.toNanos();
            if (old) {
                entry.connection.abandon();
            }
            return old;
        });
        if (kept.isEmpty()) {
            idle.remove(address);
        } else {
            var _ = loop.schedule(() -> sweep(address), IDLE.toMillis(), TimeUnit.MILLISECONDS);
        }
    }

    private void connect(NodeAddress address, Consumer<NodeConnection> ready, Consumer<IOException> failed) {
        var reads = new ReadSize(readBytes.getAsInt());
        var connecting = new Bootstrap()
                .group(loop)
                .channel(loop instanceof NioEventLoop ? NioSocketChannel.class : EpollSocketChannel.class)
                .option(ChannelOption.AUTO_READ, false)
                .option(ChannelOption.TCP_NODELAY, true)
                .option(ChannelOption.ALLOCATOR, PooledByteBufAllocator.DEFAULT)
                .option(ChannelOption.RCVBUF_ALLOCATOR, reads)
                .option(ChannelOption.CONNECT_TIMEOUT_MILLIS, (int) connectTimeout.toMillis())
                .handler(new ChannelInitializer<>() {
                    @Override
                    protected void initChannel(Channel channel) {
                        channel.pipeline()
                                .addLast(new HttpClientCodec(MAX_LINE, MAX_HEADERS, MAX_CHUNK))
                                .addLast(new NodeConnection(channel, reads));
                    }
                })
                .connect(address.socketAddress());
        var _ = connecting.addListener(done -> {
            if (done.isSuccess()) {
                ready.accept(connecting.channel().pipeline().get(NodeConnection.class));
            } else {
                failed.accept(new IOException("cannot connect to " + address.authority(), done.cause()));
            }
        });
    }
}
