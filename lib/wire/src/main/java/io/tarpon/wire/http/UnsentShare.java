package io.tarpon.wire.http;

/// How much of one response the kernel may hold that it has not sent yet (`TCP_NOTSENT_LOWAT`): the less, the more
/// responses there are. Without it each client that takes little has the kernel hold some 2.5 MiB for it; a thousand
/// of them fill what the kernel has for all of TCP, and then every connection of the machine stands still.
public final class UnsentShare {
    private static final long ALL = 64 << 20;
    private static final long LEAST = 128 << 10;
    private static final long MOST = 4 << 20;

    private UnsentShare() {}

    /// A power of two, so that it seldom changes and the kernel is seldom told.
    ///
    /// @param responses that are being sent
    public static long of(int responses) {
        return Math.clamp(Long.highestOneBit(ALL / Math.max(1, responses)), LEAST, MOST);
    }
}
