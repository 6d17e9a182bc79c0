package io.tarpon.gateway.flow;

import io.netty.buffer.ByteBuf;
import io.tarpon.gateway.body.Segment;

/// A chunk in memory; owns one reference of its buffer.
public final class BufferChunk implements Chunk {
    private final ByteBuf bytes;

    public BufferChunk(ByteBuf bytes) {
        this.bytes = bytes;
    }

    /// The literal's bytes, not copied.
    public static BufferChunk of(Segment.Literal literal) {
        return new BufferChunk(
                io.netty.buffer.Unpooled.wrappedBuffer(literal.array(), literal.offset(), (int) literal.length()));
    }

    @Override
    public long length() {
        return bytes.readableBytes();
    }

    @Override
    public Chunk split(long count) {
        return new BufferChunk(bytes.readRetainedSlice(Math.toIntExact(count)));
    }

    @Override
    public Object toMessage() {
        return bytes;
    }

    @Override
    public void release() {
        bytes.release();
    }
}
