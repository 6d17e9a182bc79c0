package io.tarpon.gateway.order;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import java.util.BitSet;
import java.util.Random;
import org.junit.jupiter.api.Test;

class PermutationTest {
    private static final int SMALL = 5_000;
    private static final int WINDOW = 50_000;

    private final long seed = System.nanoTime();
    private final Random random = new Random(seed);

    @Test
    void everySizeTo5000IsABijection() {
        for (int size = 0; size <= SMALL; size++) {
            requireBijection(key().permutation(random.nextLong(), size), size);
        }
    }

    @Test
    void largerSizesAreBijections() {
        for (int power = 13; power <= 21; power++) {
            for (int off = -1; off <= 1; off++) {
                requireBijection(key().permutation(0, (1 << power) + off), (1 << power) + off);
            }
        }
    }

    @Test
    void positionsOfHugeSizesGoToDifferentOrdinals() {
        for (int i = 0; i < 40; i++) {
            var size = i == 0 ? Long.MAX_VALUE : WINDOW + (random.nextLong() >>> (2 + random.nextInt(40)));
            requireInjective(key().permutation(i, size), size);
        }
    }

    @Test
    void otherKeysAndGroupsAreOtherPermutations() {
        var key = key();
        var first = window(key.permutation(0, SMALL), 0, SMALL);
        assertThat(window(key.permutation(1, SMALL), 0, SMALL))
                .as("seed %d", seed)
                .isNotEqualTo(first);
        assertThat(window(key().permutation(0, SMALL), 0, SMALL))
                .as("seed %d", seed)
                .isNotEqualTo(first);
        assertThat(window(key.permutation(0, SMALL), 0, SMALL))
                .as("seed %d", seed)
                .isEqualTo(first);
    }

    @Test
    void positionsOutsideAreRefused() {
        assertThatThrownBy(() -> key().permutation(0, 0).at(0)).isInstanceOf(IndexOutOfBoundsException.class);
        assertThatThrownBy(() -> key().permutation(0, 1).at(1)).isInstanceOf(IndexOutOfBoundsException.class);
        assertThatThrownBy(() -> key().permutation(0, 7).at(-1)).isInstanceOf(IndexOutOfBoundsException.class);
        assertThatThrownBy(() -> key().permutation(0, -1)).isInstanceOf(IllegalArgumentException.class);
    }

    private PermutationKey key() {
        return new PermutationKey(random.nextLong(), random.nextLong(), random.nextLong(), random.nextLong());
    }

    private void requireBijection(Permutation permutation, int size) {
        var seen = new BitSet(size);
        for (int position = 0; position < size; position++) {
            var ordinal = permutation.at(position);
            if (ordinal < 0 || ordinal >= size || seen.get((int) ordinal)) {
                throw new AssertionError("seed " + seed + ", size " + size + ": position " + position + " goes to "
                        + ordinal + ", outside or for the second time");
            }
            seen.set((int) ordinal);
        }
    }

    private void requireInjective(Permutation permutation, long size) {
        var from = (long) (random.nextDouble() * (size - WINDOW));
        var ordinals = window(permutation, from, WINDOW);
        assertThat(ordinals[0]).as("seed %d, size %d", seed, size).isGreaterThanOrEqualTo(0);
        assertThat(ordinals[WINDOW - 1]).as("seed %d, size %d", seed, size).isLessThan(size);
        for (int i = 1; i < WINDOW; i++) {
            if (ordinals[i] == ordinals[i - 1]) {
                throw new AssertionError("seed " + seed + ", size " + size + ": " + ordinals[i] + " came twice");
            }
        }
    }

    /// In ascending order.
    private static long[] window(Permutation permutation, long from, int count) {
        var ordinals = new long[count];
        Arrays.setAll(ordinals, i -> permutation.at(from + i));
        if (count == WINDOW) {
            Arrays.sort(ordinals);
        }
        return ordinals;
    }
}
