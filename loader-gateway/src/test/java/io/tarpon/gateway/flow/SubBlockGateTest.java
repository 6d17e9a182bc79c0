package io.tarpon.gateway.flow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import io.tarpon.gateway.body.Piece;
import io.tarpon.gateway.fixture.MadeShard;
import io.tarpon.wire.ShardRef;
import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class SubBlockGateTest {
    private static final ShardRef REF = ShardRef.parse("demo/v1/train/shard-000000");
    private static final int ROUNDS = 300;

    private final long seed = System.nanoTime();
    private final Random random = new Random(seed);
    private final MadeShard made = MadeShard.of("s", random, 20, _ -> random.nextInt(90_000));
    private final List<ByteBuf> buffers = new ArrayList<>();

    @AfterEach
    void everyBufferWasGivenBack() {
        assertThat(buffers).as("seed %d", seed).allMatch(buffer -> buffer.refCnt() == 0);
    }

    @Test
    void letsThePieceThroughHoweverItsBytesAreCut() throws DamagedBytesException {
        for (int i = 0; i < ROUNDS; i++) {
            var piece = piece();
            var gate = new SubBlockGate(piece);
            var out = new ByteArrayOutputStream();
            for (int at = gate.requestFrom(); at < gate.requestTo(); ) {
                var end = Math.min(gate.requestTo(), at + 1 + random.nextInt(150_000));
                gate.offer(bytes(piece, at, end));
                drain(gate, out);
                at = end;
            }
            assertThat(gate.complete()).isTrue();
            gate.release();
            assertThat(out.toByteArray()).as("seed %d, %s", seed, piece).isEqualTo(expected(piece));
        }
    }

    @Test
    void letsNothingOfADamagedSubBlockThrough() throws DamagedBytesException {
        for (int i = 0; i < ROUNDS; i++) {
            var piece = piece();
            var gate = new SubBlockGate(piece);
            var all = bytes(piece, gate.requestFrom(), gate.requestTo());
            var bad = random.nextInt(all.readableBytes());
            all.setByte(bad, all.getByte(bad) ^ 1 << random.nextInt(8));
            assertThatThrownBy(() -> gate.offer(all)).isInstanceOf(DamagedBytesException.class);
            var out = new ByteArrayOutputStream();
            drain(gate, out);
            gate.release();
            var good = (gate.requestFrom() + bad) / MadeShard.SUB_BLOCK * MadeShard.SUB_BLOCK - piece.from();
            assertThat(out.toByteArray())
                    .as("seed %d, %s", seed, piece)
                    .isEqualTo(Arrays.copyOf(expected(piece), Math.clamp(good, 0, (int) piece.length())));
        }
    }

    @Test
    void refusesMoreThanWasAskedFor() throws DamagedBytesException {
        var piece = piece(0, 0, 1);
        var gate = new SubBlockGate(piece);
        gate.offer(bytes(piece, 0, gate.requestTo()));
        assertThatThrownBy(() -> gate.offer(bytes(piece, 0, 1))).isInstanceOf(DamagedBytesException.class);
        gate.release();
    }

    private Piece.OfBlock piece() {
        var block = made.index().block(random.nextInt(made.index().blockCount()));
        var from = random.nextInt(block.length());
        var to = from + 1 + random.nextInt(block.length() - from);
        return piece(block.number(), from, to);
    }

    private Piece.OfBlock piece(int block, int from, int to) {
        var shard = made.sealed(REF, 1);
        return new Piece.OfBlock(shard, made.index().layout(), block, shard.blockId(block), from, to);
    }

    private byte[] expected(Piece.OfBlock piece) {
        var at = (int) piece.shardOffset();
        return Arrays.copyOfRange(made.tar(), at, at + (int) piece.length());
    }

    private ByteBuf bytes(Piece.OfBlock piece, int from, int to) {
        var start = (int) made.index().block(piece.block()).offset();
        var buffer = PooledByteBufAllocator.DEFAULT.directBuffer(to - from);
        buffer.writeBytes(made.tar(), start + from, to - from);
        buffers.add(buffer);
        return buffer;
    }

    private static void drain(SubBlockGate gate, ByteArrayOutputStream out) {
        for (var ready = gate.poll(); ready != null; ready = gate.poll()) {
            var copy = new byte[ready.readableBytes()];
            ready.readBytes(copy).release();
            out.writeBytes(copy);
        }
    }
}
