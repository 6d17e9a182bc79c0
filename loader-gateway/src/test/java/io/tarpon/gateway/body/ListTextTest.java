package io.tarpon.gateway.body;

import static org.assertj.core.api.Assertions.assertThat;

import io.tarpon.wire.Digests;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ListTextTest {
    private final long seed = System.nanoTime();
    private final Random random = new Random(seed);

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 255, 256, 257, 1_000})
    void anyRangeIsTheSliceOfTheWholeText(int entries) {
        for (var ends : new String[] {"", "[head"}) {
            var text = text(entries, ends);
            var whole = (ends + whole(entries) + ends).getBytes(StandardCharsets.UTF_8);
            var shape = text.measure();
            assertThat(shape.sha256()).isEqualTo(Digests.sha256Hex(whole));
            var content = text.content(shape);
            assertThat(content.length()).isEqualTo(whole.length);
            assertThat(read(content, 0, whole.length)).isEqualTo(whole);
            for (int i = 0; i < 200; i++) {
                var from = random.nextInt(whole.length);
                var to = from + 1 + random.nextInt(whole.length - from);
                assertThat(read(content, from, to))
                        .as("seed %d, %d to %d", seed, from, to)
                        .isEqualTo(Arrays.copyOfRange(whole, from, to));
            }
        }
    }

    @Test
    void aRangeMakesNoMoreThanTheGroupsItLiesIn() {
        var made = new AtomicInteger();
        var text = new ListText(
                new byte[0],
                400_000,
                i -> {
                    made.incrementAndGet();
                    return entry(i);
                },
                new byte[0]);
        var content = text.content(text.measure());
        made.set(0);
        assertThat(read(content, content.length() - 10, content.length())).hasSize(10);
        assertThat(made.get()).isBetween(1, 256);
        made.set(0);
        assertThat(content.open(0, content.length()).join().next().length()).isLessThan(256 * 32);
        assertThat(made.get()).as("at hand at once").isEqualTo(256);
    }

    @Test
    void whatIsKeptOfHundredsOfThousandsOfEntriesIsSmall() {
        assertThat(text(400_000, "").measure().memoryBytes()).isLessThan(16 << 10);
    }

    private static ListText text(int entries, String ends) {
        var bytes = ends.getBytes(StandardCharsets.UTF_8);
        return new ListText(bytes, entries, ListTextTest::entry, bytes);
    }

    private static byte[] entry(int i) {
        return line(i).getBytes(StandardCharsets.UTF_8);
    }

    private static String line(int i) {
        return "http://a/shard-" + i + ".tar\n";
    }

    private static String whole(int entries) {
        return IntStream.range(0, entries).mapToObj(ListTextTest::line).collect(Collectors.joining());
    }

    private static byte[] read(Content content, long from, long to) {
        var bytes = new ByteArrayOutputStream();
        content.open(from, to).join().forEachRemaining(segment -> {
            assertThat(segment.length()).isPositive();
            var literal = (Segment.Literal) segment;
            bytes.write(literal.array(), literal.offset(), (int) literal.length());
        });
        return bytes.toByteArray();
    }
}
