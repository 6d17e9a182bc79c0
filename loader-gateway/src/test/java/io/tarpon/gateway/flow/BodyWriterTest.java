package io.tarpon.gateway.flow;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import io.tarpon.gateway.body.Content;
import io.tarpon.gateway.body.LaidOutShard;
import io.tarpon.gateway.body.Piece;
import io.tarpon.gateway.body.SealedShard;
import io.tarpon.gateway.body.Segment;
import io.tarpon.gateway.body.TarCut;
import io.tarpon.gateway.fixture.MadeShard;
import io.tarpon.wire.ShardRef;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/// A seeded simulation of responses: sources that give bytes in any portion, now or later, and fail anywhere; a client
/// that takes bytes now or later, or leaves.
class BodyWriterTest {
    private static final ShardRef REF = ShardRef.parse("demo/v1/train/shard-000000");
    private static final int ROUNDS = 400;
    private static final int WINDOW = 3;

    private final long seed = System.nanoTime();
    private final Random random = new Random(seed);
    private final List<ByteBuf> buffers = new ArrayList<>();
    private final MadeShard made =
            MadeShard.of("s", random, 40, _ -> random.nextInt(4) == 0 ? 0 : random.nextInt(70_000));
    private final SealedShard shard = made.sealed(REF, 2);
    private int open;
    private int mostOpen;

    @Test
    void anyRangeIsTheSliceWhateverFailsWhileOneSourceWorks() {
        for (int i = 0; i < ROUNDS; i++) {
            var response = run(range(), new Source(0.3), new Source(0.3), new Source(0));
            assertThat(response.outcome).as("seed %d", seed).isEqualTo("ended");
            assertThat(response.body.toByteArray()).as("seed %d", seed).isEqualTo(response.expected);
            assertAllGivenBack();
        }
        assertThat(mostOpen).as("pieces in work at once").isBetween(2, WINDOW * Window.PIECES_A_BLOCK);
    }

    @Test
    void aResponseWithoutSourcesIsRefusedOrBrokenInsideAMember() {
        var broken = 0;
        for (int i = 0; i < ROUNDS; i++) {
            var response = run(range(), new Source(0.2), new Source(0.2));
            var sent = response.body.size();
            assertThat(response.body.toByteArray())
                    .as("seed %d", seed)
                    .isEqualTo(Arrays.copyOf(response.expected, sent));
            switch (response.outcome) {
                case "ended" -> assertThat(sent).isEqualTo(response.expected.length);
                case "refused" -> assertThat(sent).isZero();
                case "broken" -> {
                    broken++;
                    assertThat(TarCut.isInsideData(made.index(), response.from + sent))
                            .as("seed %d, cut at %d", seed, response.from + sent)
                            .isTrue();
                }
                default -> throw new AssertionError(response.outcome);
            }
            assertAllGivenBack();
        }
        assertThat(broken).as("responses that were broken").isPositive();
    }

    @Test
    void aClientThatLeavesGetsNoMoreAndEverythingIsGivenBack() {
        for (int i = 0; i < ROUNDS; i++) {
            var response = new Response(range(), random.nextInt(30), BodyWriter::cancel);
            response.run(List.of(new Source(0.1), new Source(0)));
            assertThat(open).as("seed %d, sources that are open", seed).isZero();
            assertAllGivenBack();
        }
    }

    @Test
    void anInterruptedResponseEndsWholeOrBrokenWhereReadersNotice() {
        var resets = 0;
        for (int i = 0; i < ROUNDS; i++) {
            var response = new Response(range(), random.nextInt(40), BodyWriterTest::interrupt);
            response.run(List.of(new Source(0)));
            var sent = response.body.size();
            switch (response.outcome) {
                case "ended" -> assertThat(sent).isEqualTo(response.expected.length);
                case "refused" -> assertThat(sent).isZero();
                case "broken" ->
                    assertThat(TarCut.isInsideData(made.index(), response.from + sent))
                            .as("seed %d, cut at %d", seed, response.from + sent)
                            .isTrue();
                case "reset" -> resets++;
                default -> throw new AssertionError("seed " + seed + ": " + response.outcome);
            }
            assertAllGivenBack();
        }
        assertThat(resets).as("responses of which the last bytes waited").isPositive();
    }

    private static void interrupt(BodyWriter writer) {
        writer.interrupt(new IOException("the gateway stops"));
    }

    @Test
    void whatIsKeptBackIsBounded() {
        var empties = MadeShard.of("e", random, 3_000, _ -> 0);
        var most = new long[1];
        var out = new long[1];
        var holdBack = new HoldBack(chunk -> {
            out[0] += chunk.length();
            chunk.release();
        });
        for (int at = 0; at < empties.tar().length; at += 1 << 16) {
            var length = Math.min(1 << 16, empties.tar().length - at);
            holdBack.add(new BufferChunk(buffer(empties.tar(), at, length)), 0);
            most[0] = Math.max(most[0], at + length - out[0]);
        }
        assertThat(most[0]).isBetween(HoldBack.MAX_BYTES / 2, HoldBack.MAX_BYTES);
        holdBack.drain();
        assertThat(out[0]).isEqualTo(empties.tar().length);
        assertAllGivenBack();
    }

    private Response run(int[] range, Source... sources) {
        var response = new Response(range, Integer.MAX_VALUE, BodyWriter::cancel);
        response.run(List.of(sources));
        return response;
    }

    private int[] range() {
        var from = random.nextInt(made.tar().length);
        return new int[] {from, from + 1 + random.nextInt(made.tar().length - from)};
    }

    private ByteBuf buffer(byte[] bytes, int from, int length) {
        var buffer = PooledByteBufAllocator.DEFAULT.directBuffer(length).writeBytes(bytes, from, length);
        buffers.add(buffer);
        return buffer;
    }

    private void assertAllGivenBack() {
        assertThat(buffers).as("seed %d", seed).allMatch(buffer -> buffer.refCnt() == 0);
        buffers.clear();
    }

    /// One response in a world whose only thread runs what is due in any order.
    /// The same bytes, sample by sample, as those of an epoch.
    private Content samples() {
        var layout = made.index().layout();
        var laidOut = new LaidOutShard(shard, layout);
        var segments = new ArrayList<Segment>();
        for (int i = 0; i < layout.sampleCount(); i++) {
            segments.add(new Segment.WholeSample(laidOut, i));
        }
        segments.add(new Segment.ShardRange(laidOut, layout.samplesEnd(), shard.bytes(), false));
        return Content.of(segments.toArray(Segment[]::new));
    }

    private final class Response implements Outlet {
        private final ByteArrayOutputStream body = new ByteArrayOutputStream();
        private final List<Runnable> due = new ArrayList<>();
        private final int from;
        private final byte[] expected;
        private final int patience;
        private final Consumer<BodyWriter> trouble;
        private String outcome = "";
        private boolean headWritten;

        /// @param trouble comes at the turn `patience`
        Response(int[] range, int patience, Consumer<BodyWriter> trouble) {
            this.from = range[0];
            this.expected = Arrays.copyOfRange(made.tar(), range[0], range[1]);
            this.patience = patience;
            this.trouble = trouble;
        }

        void run(List<Source> sources) {
            var traffic = new Traffic(
                    10, 64 << 20, new Traffic.Memory(1L << 30, 1L << 30), Patience.UNLIMITED, new Uncounted());
            assertThat(traffic.enter()).isTrue();
            List<BlockSource> blocks = sources.stream()
                    .map(source -> (BlockSource) (piece, wake) -> source.open(piece, wake, due::add))
                    .toList();
            var places = new BodyWriter.Places(_ -> blocks.iterator(), WINDOW);
            var whole =
                    new Segment.ShardRange(new LaidOutShard(shard, made.index().layout()), 0, shard.bytes(), false);
            var content = random.nextBoolean() ? Content.of(whole) : samples();
            var writer = new BodyWriter(
                    new DueTasks(due::add),
                    this,
                    traffic,
                    places,
                    content.open(from, from + expected.length).join(),
                    expected.length,
                    new StreamProgress(),
                    traffic::leave);
            writer.start();
            for (int turn = 0; !due.isEmpty(); turn++) {
                if (turn == patience) {
                    trouble.accept(writer);
                }
                due.remove(random.nextInt(due.size())).run();
            }
            writer.cancel();
            assertThat(traffic.reads()).isZero();
        }

        @Override
        public void head(long bodyLength) {
            assertThat(headWritten).isFalse();
            headWritten = true;
        }

        @Override
        public void push() {
            // Nothing is gathered.
        }

        @Override
        public void holdUnsent(long bytes) {
            assertThat(bytes).isPositive();
        }

        @Override
        public void write(Chunk chunk, LongConsumer written) {
            assertThat(headWritten).isTrue();
            var bytes = (ByteBuf) chunk.toMessage();
            var copy = new byte[bytes.readableBytes()];
            bytes.readBytes(copy).release();
            body.writeBytes(copy);
            if (random.nextBoolean()) {
                written.accept(copy.length);
            } else {
                due.add(() -> written.accept(copy.length));
            }
        }

        @Override
        public void end() {
            end("ended");
        }

        @Override
        public void refuse(Throwable why) {
            assertThat(headWritten).isFalse();
            end("refused");
        }

        @Override
        public long accepted() {
            return body.size();
        }

        @Override
        public Duration quiet() {
            return Duration.ofDays(1);
        }

        @Override
        public void reset(Throwable why) {
            end("reset");
        }

        @Override
        public void breakOff(Throwable why) {
            assertThat(headWritten).isTrue();
            end("broken");
        }

        private void end(String how) {
            assertThat(outcome).as("seed %d, how it ended before", seed).isEmpty();
            outcome = how;
        }
    }

    /// A source that gives bytes in portions, and fails before one with a probability.
    private final class Source {
        private final double failing;

        Source(double failing) {
            this.failing = failing;
        }

        BlockBytes open(Piece.OfBlock piece, Runnable wake, Executor later) {
            open++;
            mostOpen = Math.max(mostOpen, open);
            return new Bytes(piece, wake, later, failing);
        }
    }

    private final class Bytes implements BlockBytes {
        private final Piece.OfBlock piece;
        private final Runnable wake;
        private final Executor later;
        private final double failing;
        private int given;
        private boolean ready;
        private boolean closed;
        private @Nullable IOException failure;

        Bytes(Piece.OfBlock piece, Runnable wake, Executor later, double failing) {
            this.piece = piece;
            this.wake = wake;
            this.later = later;
            this.failing = failing;
        }

        @Override
        public @Nullable Chunk poll() {
            if (!ready) {
                later.execute(this::news);
                return null;
            }
            ready = random.nextInt(3) == 0;
            var length = Math.min(1 + random.nextInt(100_000), (int) piece.length() - given);
            var chunk = new BufferChunk(buffer(made.tar(), (int) piece.shardOffset() + given, length));
            given += length;
            return chunk;
        }

        private void news() {
            if (closed || failure != null) {
                return;
            }
            if (random.nextDouble() < failing) {
                failure = new IOException("the source failed");
            } else {
                ready = true;
            }
            wake.run();
        }

        @Override
        public @Nullable Throwable failure() {
            return failure;
        }

        @Override
        public Origin origin() {
            return Origin.REMOTE;
        }

        @Override
        public void close() {
            if (!closed) {
                closed = true;
                open--;
            }
        }
    }

    private static final class Uncounted implements Traffic.Meters {
        @Override
        public void bytes(BlockBytes.Origin origin, long bytes) {
            assertThat(bytes).isPositive();
        }

        @Override
        public void waited(boolean onClient, Duration time) {
            assertThat(time.isNegative()).isFalse();
        }
    }
}
