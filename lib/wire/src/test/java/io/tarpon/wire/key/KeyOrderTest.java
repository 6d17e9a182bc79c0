package io.tarpon.wire.key;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;

class KeyOrderTest {
    @Test
    void orderIsThatOfTheUnsignedUtf8Bytes() {
        long seed = 7;
        System.out.println("seed " + seed);
        Random random = new Random(seed);
        for (int i = 0; i < 100_000; i++) {
            String a = word(random);
            String b = word(random);
            int bytes = Integer.signum(Arrays.compareUnsigned(a.getBytes(UTF_8), b.getBytes(UTF_8)));
            assertThat(Integer.signum(KeyOrder.UTF8.compare(a, b)))
                    .as("%s | %s", a, b)
                    .isEqualTo(bytes);
        }
    }

    @Test
    void characterOutsideTheBasicPlaneSortsAfterAllInsideIt() {
        assertThat(KeyOrder.UTF8.compare("\ud83d\ude00", "\uffee")).isPositive();
    }

    private static String word(Random random) {
        int[] points = {'a', 'b', '/', '.', 0xe9, 0x20ac, 0xd7ff, 0xe000, 0xffee, 0x10000, 0x1f600, 0x10ffff};
        StringBuilder word = new StringBuilder();
        for (int i = random.nextInt(4); i >= 0; i--) {
            word.appendCodePoint(points[random.nextInt(points.length)]);
        }
        return word.toString();
    }
}
