package io.tarpon.gateway.flow;

import java.time.Duration;
import java.util.function.LongConsumer;

/// The connection of one response as the writer sees it. On its event loop.
public interface Outlet {
    /// Writes status and headers.
    ///
    /// @param length of the body that follows
    void head(long length);

    /// How much the system may hold that it has not sent yet.
    void holdUnsent(long bytes);

    /// Writes bytes of the body; `written` runs with their number when they left this process, or never will.
    void write(Chunk chunk, LongConsumer written);

    /// What was written so far leaves now, full packet or not: nothing follows for a while.
    void push();

    /// Bytes of the body that the system took so far, which may be more than `written` was told.
    long accepted();

    /// How long the system has sent nothing to the client; very long where it does not say.
    Duration quiet();

    /// Ends the response; the connection goes on to the next request.
    void end();

    /// Answers an error: nothing was written yet.
    void refuse(Throwable why);

    /// Closes the connection with a reset: what the system still holds for the client is dropped.
    void reset(Throwable why);

    /// Sends what was written, then closes the connection so that the client notices.
    void breakOff(Throwable why);
}
