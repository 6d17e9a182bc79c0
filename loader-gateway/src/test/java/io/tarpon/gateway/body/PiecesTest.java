package io.tarpon.gateway.body;

import static org.assertj.core.api.Assertions.assertThat;

import io.tarpon.gateway.fixture.MadeShard;
import io.tarpon.wire.ShardRef;
import java.io.ByteArrayOutputStream;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class PiecesTest {
    private static final ShardRef REF = ShardRef.parse("demo/v1/train/shard-000000");
    private static final int ROUNDS = 300;

    private final long seed = System.nanoTime();
    private final Random random = new Random(seed);

    @Test
    void piecesOfAnyRangeAreThatRangeAndStayInsideBlocks() {
        var made = MadeShard.of("s", random, 60, _ -> random.nextInt(60_000));
        var shard = new LaidOutShard(made.sealed(REF, 2), made.index().layout());
        for (int i = 0; i < ROUNDS; i++) {
            var from = random.nextInt(made.tar().length + 1);
            var to = from + random.nextInt(made.tar().length + 1 - from);
            var out = new ByteArrayOutputStream();
            new Pieces(List.of(new Segment.ShardRange(shard, from, to, false)).iterator())
                    .forEachRemaining(piece -> append(made, (Piece.OfBlock) piece, out));
            assertThat(out.toByteArray())
                    .as("seed %d, bytes %d to %d", seed, from, to)
                    .isEqualTo(Arrays.copyOfRange(made.tar(), from, to));
        }
    }

    @Test
    void segmentsBetweenTwoBytesAreThatSlice() {
        var whole = new byte[1000];
        random.nextBytes(whole);
        for (int i = 0; i < ROUNDS; i++) {
            var content = inPieces(whole);
            var from = random.nextInt(whole.length + 1);
            var to = from + random.nextInt(whole.length + 1 - from);
            var out = new ByteArrayOutputStream();
            content.open(from, to).join().forEachRemaining(segment -> {
                assertThat(segment.length()).isPositive();
                var literal = (Segment.Literal) segment;
                out.write(literal.array(), literal.offset(), (int) literal.length());
            });
            assertThat(out.toByteArray())
                    .as("seed %d, bytes %d to %d", seed, from, to)
                    .isEqualTo(Arrays.copyOfRange(whole, from, to));
        }
    }

    @Test
    void whatMayBeTheLastByteLiesInsideAMember() {
        var made = MadeShard.of("s", random, 40, _ -> random.nextInt(3) == 0 ? 0 : random.nextInt(9_000));
        var shard = made.sealed(REF, 2);
        for (int i = 0; i < ROUNDS; i++) {
            var block = random.nextInt(made.index().blockCount());
            var length = made.index().block(block).length();
            var piece = new Piece.OfBlock(shard, made.index().layout(), block, shard.blockId(block), 0, length);
            var at = random.nextInt(length);
            var count = 1 + random.nextInt(length - at);
            var safe = piece.safe(at, count);
            assertThat(safe).as("seed %d", seed).isBetween(0L, (long) count);
            if (safe > 0) {
                assertThat(TarCut.isInsideData(made.index(), piece.shardOffset() + at + safe))
                        .as("seed %d, block %d, %d bytes from %d", seed, block, count, at)
                        .isTrue();
            }
        }
    }

    private static void append(MadeShard made, Piece.OfBlock piece, ByteArrayOutputStream out) {
        var block = made.index().block(piece.block());
        assertThat(piece.from()).isBetween(0, block.length() - 1);
        assertThat(piece.to()).isBetween(piece.from() + 1, block.length());
        out.write(made.tar(), (int) piece.shardOffset(), (int) piece.length());
    }

    private Content inPieces(byte[] whole) {
        var segments = new java.util.ArrayList<Segment>();
        for (int at = 0; at < whole.length; ) {
            var end = Math.min(whole.length, at + random.nextInt(200));
            segments.add(Segment.Literal.of(Arrays.copyOfRange(whole, at, end)));
            at = end;
        }
        return Content.of(segments.toArray(Segment[]::new));
    }
}
