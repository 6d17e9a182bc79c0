package io.tarpon.gateway.order;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tarpon.wire.format.CorruptFormatException;
import io.tarpon.wire.format.UnknownFormatException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;

class SparseSumsTest {
    private static final int ROUNDS = 60;

    private final long seed = System.nanoTime();
    private final Random random = new Random(seed);

    @Test
    void everySampleAndByteIsWhereAddingUpPutsIt() {
        for (int round = 0; round < ROUNDS; round++) {
            var lengths = lengths(round < 3 ? round : round < 10 ? 1022 + round % 5 : random.nextInt(5_000));
            var sums = SparseSums.of(lengths.length, i -> lengths[(int) i]);
            long at = 0;
            for (int sample = 0; sample < lengths.length; sample++) {
                if (sample % 97 == 0 || sample % SparseSums.EVERY < 2 || sample + 2 > lengths.length) {
                    requireAt(sums, lengths, sample, at);
                }
                at += lengths[sample];
            }
            var total = at;
            assertThat(sums.total()).isEqualTo(total);
            assertThat(sums.start(lengths.length, i -> lengths[(int) i])).isEqualTo(total);
            assertThatThrownBy(() -> sums.place(total, i -> lengths[(int) i]))
                    .isInstanceOf(IndexOutOfBoundsException.class);
        }
    }

    private void requireAt(SparseSums sums, long[] lengths, int sample, long at) {
        var inside = (long) (random.nextDouble() * lengths[sample]);
        var what = "seed %d, sample %d of %d".formatted(seed, sample, lengths.length);
        assertThat(sums.start(sample, i -> lengths[(int) i])).as(what).isEqualTo(at);
        for (var offset : new long[] {0, inside, lengths[sample] - 1}) {
            assertThat(sums.place(at + offset, i -> lengths[(int) i])).as(what).isEqualTo(new Place(sample, offset));
        }
    }

    @Test
    void aCancelledSumHasNoResultAndAsksForNoMoreLengths() {
        var asked = new AtomicInteger();
        var chunks = new AtomicInteger();
        var sums = SparseSums.of(10_000, i -> asked.incrementAndGet(), () -> chunks.incrementAndGet() > 3);
        assertThat(sums).isEmpty();
        assertThat(asked).hasValue(3 * SparseSums.EVERY);
    }

    @Test
    void otherLengthsThanThoseSummedAreNoticed() {
        var sums = SparseSums.of(10, _ -> 100);
        assertThatThrownBy(() -> sums.place(999, _ -> 99)).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void lengthsThatAreNoneAreRefused() {
        assertThatThrownBy(() -> SparseSums.of(2, i -> i)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> SparseSums.of(2, _ -> Long.MAX_VALUE)).isInstanceOf(ArithmeticException.class);
        assertThatThrownBy(() -> SparseSums.of(-1, _ -> 1)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new SparseSumsBuilder(1).build()).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> new SparseSumsBuilder(0).add(1)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void whatWasStoredIsReadBack() throws IOException {
        for (var samples : new int[] {0, 1, 1023, 1024, 1025, 30_000}) {
            var lengths = lengths(samples);
            var bytes = SparseSumsFormat.encode(SparseSums.of(samples, i -> lengths[(int) i]));
            var read = SparseSumsFormat.decode("sums", bytes);
            assertThat(SparseSumsFormat.encode(read)).isEqualTo(bytes);
            assertThat(bytes).hasSize(28 + 8 * ((samples + 1023) / 1024));
            if (samples > 0) {
                requireAt(read, lengths, samples - 1, read.total() - lengths[samples - 1]);
            }
        }
    }

    @Test
    void everyFlippedBitAndEveryCutIsNoticed() {
        var bytes = SparseSumsFormat.encode(SparseSums.of(2_000, i -> 512 + i));
        for (int bit = 0; bit < bytes.length * 8; bit++) {
            var flipped = bytes.clone();
            flipped[bit / 8] ^= (byte) (1 << bit % 8);
            assertThatThrownBy(() -> SparseSumsFormat.decode("sums", flipped))
                    .as("bit %d", bit)
                    .isInstanceOfAny(CorruptFormatException.class, UnknownFormatException.class);
        }
        for (int length = 0; length < bytes.length; length++) {
            var cut = java.util.Arrays.copyOf(bytes, length);
            assertThatThrownBy(() -> SparseSumsFormat.decode("sums", cut)).isInstanceOf(CorruptFormatException.class);
        }
    }

    @Test
    void anUnknownFormatAndNumbersThatCannotBeAreRefused() {
        var unknown = stored(2, 0, 0);
        assertThatThrownBy(() -> SparseSumsFormat.decode("sums", unknown))
                .isInstanceOf(UnknownFormatException.class)
                .hasMessageContaining("sums has format 2, this build knows format 1");
        for (var bytes : new byte[][] {
            stored(1, 0, 5),
            stored(1, -1, 5),
            stored(1, Long.MAX_VALUE, 5),
            stored(1, 1, 5),
            stored(1, 1, 5, 1),
            stored(1, 10, 9, 0),
            stored(1, 10, -9, 0),
            stored(1, 1025, 1025, 0, 1025),
            stored(1, 1025, 1025, 0, 1023),
            stored(1, 1025, Long.MAX_VALUE, 0, Long.MAX_VALUE),
            stored(1, 2049, 5000, 0, 3000, 2000)
        }) {
            assertThatThrownBy(() -> SparseSumsFormat.decode("sums", bytes)).isInstanceOf(CorruptFormatException.class);
        }
    }

    private static byte[] stored(int format, long samples, long total, long... marks) {
        var buffer = ByteBuffer.allocate(28 + 8 * marks.length);
        buffer.putInt(0x54505353).putInt(format).putLong(samples).putLong(total);
        for (var mark : marks) {
            buffer.putLong(mark);
        }
        var crc = new CRC32C();
        crc.update(buffer.array(), 0, buffer.position());
        return buffer.putInt((int) crc.getValue()).array();
    }

    private long[] lengths(int samples) {
        return random.longs(samples, 1, random.nextBoolean() ? 5 : 1L << 40).toArray();
    }
}
