package io.tarpon.gateway.flow;

import io.netty.buffer.ByteBuf;
import io.tarpon.gateway.body.Piece;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/// Lets bytes of a block through when the sub-block they are in is whole and has the CRC-32C that the shard was sealed
/// with. Takes the piece widened to whole sub-blocks, gives back the piece alone, without a copy. A piece that is one
/// whole sample of moderate size is let through by the sample's own CRC-32C, and not widened. Holds at most what was
/// offered and not polled. Owned by one thread.
public final class SubBlockGate {
    /// Larger samples are checked by sub-blocks: a response is planned to hold no more than one of these unchecked.
    private static final int MOST_SAMPLE_BYTES = 64 << 10;

    private final int[] crcs;
    private final boolean bySample;
    private final int subBlockBytes;
    private final int blockBytes;
    private final int requestFrom;
    private final int requestTo;
    private final Deque<ByteBuf> held = new ArrayDeque<>();
    private final CRC32C crc = new CRC32C();

    /// Offset in the block of the next byte to come, of the first one not yet checked, and of the next one to be
    /// polled.
    private int arrived;

    private int checked;
    private int polled;

    /// Of the piece.
    private final int from;

    private final int to;

    public SubBlockGate(Piece.OfBlock piece) {
        this.bySample = piece.sample() >= 0 && piece.length() <= MOST_SAMPLE_BYTES;
        this.crcs = bySample
                ? new int[] {piece.layout().sampleCrc32c(piece.sample())}
                : piece.layout().subBlockCrcs(piece.block());
        this.subBlockBytes = piece.layout().subBlockBytes();
        this.blockBytes = piece.layout().block(piece.block()).length();
        this.from = piece.from();
        this.to = piece.to();
        this.requestFrom = bySample ? from : from - from % subBlockBytes;
        this.requestTo = bySample ? to : Math.min(blockBytes, (to + subBlockBytes - 1) / subBlockBytes * subBlockBytes);
        this.arrived = requestFrom;
        this.checked = requestFrom;
        this.polled = requestFrom;
    }

    /// Where the bytes to be offered begin in the block.
    public int requestFrom() {
        return requestFrom;
    }

    /// Where they end, exclusive.
    public int requestTo() {
        return requestTo;
    }

    /// Whether every byte asked for was offered and checked.
    public boolean complete() {
        return checked == requestTo;
    }

    /// Takes the next bytes, and the buffer's reference with them.
    ///
    /// @throws DamagedBytesException where a sub-block does not match, or more bytes come than were asked for
    public void offer(ByteBuf bytes) throws DamagedBytesException {
        held.add(bytes);
        if (bytes.readableBytes() > requestTo - arrived) {
            throw new DamagedBytesException("more bytes than asked for", arrived / subBlockBytes);
        }
        var at = bytes.readerIndex();
        while (at < bytes.writerIndex()) {
            var count = Math.min(bytes.writerIndex() - at, subBlockEnd() - arrived);
            update(bytes, at, count);
            at += count;
            arrived += count;
            if (arrived == subBlockEnd()) {
                endSubBlock();
            }
        }
    }

    /// The next checked bytes of the piece, or null. Their reference goes to the caller.
    public @Nullable ByteBuf poll() {
        while (polled < checked) {
            var head = held.element();
            var count = Math.min(head.readableBytes(), checked - polled);
            if (polled < from) {
                skip(head, Math.min(count, from - polled));
            } else if (polled >= to) {
                skip(head, count);
            } else {
                return take(head, Math.min(count, to - polled));
            }
        }
        return null;
    }

    /// Gives back what is held.
    public void release() {
        held.forEach(ByteBuf::release);
        held.clear();
        polled = checked;
    }

    private ByteBuf take(ByteBuf head, int count) {
        polled += count;
        if (count == head.readableBytes()) {
            return held.remove();
        }
        return head.readRetainedSlice(count);
    }

    private void skip(ByteBuf head, int count) {
        polled += count;
        head.skipBytes(count);
        if (!head.isReadable()) {
            held.remove().release();
        }
    }

    private int subBlockEnd() {
        return bySample ? requestTo : Math.min(blockBytes, checked + subBlockBytes);
    }

    private void endSubBlock() throws DamagedBytesException {
        var number = checked / subBlockBytes;
        if ((int) crc.getValue() != crcs[bySample ? 0 : number]) {
            throw new DamagedBytesException("CRC-32C does not match", number);
        }
        crc.reset();
        checked = arrived;
    }

    private void update(ByteBuf bytes, int at, int count) {
        if (bytes.nioBufferCount() == 1) {
            crc.update(bytes.nioBuffer(at, count));
            return;
        }
        for (var part : bytes.nioBuffers(at, count)) {
            crc.update(part);
        }
    }
}
