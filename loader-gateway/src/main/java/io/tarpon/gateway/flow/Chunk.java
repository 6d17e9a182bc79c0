package io.tarpon.gateway.flow;

/// Consecutive bytes of a body that were checked and can be sent: in memory, or in a file. Has one owner, who sends or
/// releases it.
public interface Chunk {
    long length();

    /// Makes the first `bytes` bytes a chunk of their own; this one keeps the rest. Neither is empty.
    Chunk split(long bytes);

    /// What the channel takes. The chunk's bytes belong to the channel afterwards, which releases them.
    Object toMessage();

    void release();
}
