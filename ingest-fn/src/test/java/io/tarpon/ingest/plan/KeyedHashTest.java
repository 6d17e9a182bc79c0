package io.tarpon.ingest.plan;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/// Golden values, computed with Python's hashlib: a change here is another order for every dataset.
class KeyedHashTest {
    @Test
    void orderIsPinned() {
        assertThat(Long.toHexString(KeyedHash.order(0).of("a"))).isEqualTo("5f1144f58f996448");
        assertThat(Long.toHexString(KeyedHash.order(1).of("a"))).isEqualTo("f8564b75f36f6d02");
        assertThat(Long.toHexString(KeyedHash.order(0x0102030405060708L).of("train/é")))
                .isEqualTo("e0a6fe679d907ac8");
    }

    @Test
    void sharesArePinned() {
        assertThat(Long.toHexString(KeyedHash.share().of("a"))).isEqualTo("61cec93b690bb389");
    }
}
