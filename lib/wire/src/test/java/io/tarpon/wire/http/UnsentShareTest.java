package io.tarpon.wire.http;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class UnsentShareTest {
    private static final long MIB = 1 << 20;

    @Test
    void aFewResponsesAreNotHeldUp() {
        assertThat(UnsentShare.of(0)).isEqualTo(4 * MIB);
        assertThat(UnsentShare.of(16)).isEqualTo(4 * MIB);
    }

    @Test
    void manyShareWhatAllMayHave() {
        assertThat(UnsentShare.of(64)).isEqualTo(MIB);
        assertThat(UnsentShare.of(512)).isEqualTo(128 << 10);
    }

    @Test
    void noneHasTooLittleToGoOn() {
        assertThat(UnsentShare.of(1_000_000)).isEqualTo(128 << 10);
    }
}
