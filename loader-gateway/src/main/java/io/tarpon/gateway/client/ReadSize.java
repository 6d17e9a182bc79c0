package io.tarpon.gateway.client;

import io.netty.channel.DefaultMaxMessagesRecvByteBufAllocator;

/// How much one read of a connection takes: what is asked for and its head, up to a most. A buffer is held as long as a
/// slice of it waits to be sent, so one much larger than an answer would be memory that nobody counts. One read a time,
/// so that no more comes than was asked for.
final class ReadSize extends DefaultMaxMessagesRecvByteBufAllocator {
    private static final int HEAD_BYTES = 1024;

    private final int most;
    private int next;

    ReadSize(int most) {
        this.most = most;
        this.next = most;
        maxMessagesPerRead(1);
    }

    /// The size of the next reads.
    void expect(int answerBytes) {
        next = Math.min(most, answerBytes + HEAD_BYTES);
    }

    @Override
    @SuppressWarnings("deprecation") // Netty's own type of a handle.
    public Handle newHandle() {
        return new MaxMessageHandle() {
            @Override
            public int guess() {
                return next;
            }
        };
    }
}
