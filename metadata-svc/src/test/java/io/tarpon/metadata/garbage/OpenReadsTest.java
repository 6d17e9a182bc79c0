package io.tarpon.metadata.garbage;

import static io.tarpon.metadata.Fixtures.DEMO;
import static io.tarpon.metadata.Fixtures.V1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tarpon.metadata.image.VersionName;
import io.tarpon.wire.VersionId;
import io.tarpon.wire.http.ProblemType;
import io.tarpon.wire.http.TarponException;
import java.time.Duration;
import java.util.Set;
import org.junit.jupiter.api.Test;

class OpenReadsTest {
    private static final VersionName ONE = new VersionName(DEMO, V1);
    private static final VersionName TWO = new VersionName(DEMO, new VersionId(2));
    private static final Duration LAPSE = Duration.ofNanos(100);

    private final OpenReads reads = new OpenReads(LAPSE, 2, 1_000);

    @Test
    void everyReadersVersionsAreOpen() {
        reads.report("g1", Set.of(ONE), 1_000);
        reads.report("g2", Set.of(ONE, TWO), 1_000);
        assertThat(reads.open(1_001)).containsExactlyInAnyOrder(ONE, TWO);
        reads.report("g2", Set.of(), 1_002);
        assertThat(reads.open(1_003)).containsExactly(ONE);
    }

    @Test
    void aReportCountsUntilItLapses() {
        reads.report("g1", Set.of(ONE), 1_000);
        assertThat(reads.open(1_100)).containsExactly(ONE);
        assertThat(reads.open(1_101)).isEmpty();
    }

    @Test
    void nothingIsKnownUntilEveryReaderHadTimeToReport() {
        assertThat(reads.isKnown(1_100)).isFalse();
        assertThat(reads.isKnown(1_101)).isTrue();
    }

    @Test
    void oneReaderMoreThanAllowedIsRefusedUntilAnotherLapses() {
        reads.report("g1", Set.of(ONE), 1_000);
        reads.report("g2", Set.of(ONE), 1_050);
        assertThatThrownBy(() -> reads.report("g3", Set.of(TWO), 1_060))
                .isInstanceOfSatisfying(
                        TarponException.class, e -> assertThat(e.type()).isEqualTo(ProblemType.OVERLOADED));
        reads.report("g2", Set.of(TWO), 1_060);
        reads.report("g3", Set.of(TWO), 1_101);
        assertThat(reads.open(1_101)).containsExactly(TWO);
    }

    @Test
    void nothingIsKnownWhileAReaderIsNotListenedTo() {
        reads.report("g1", Set.of(ONE), 1_200);
        reads.report("g2", Set.of(ONE), 1_200);
        assertThat(reads.isKnown(1_200)).isTrue();
        assertThatThrownBy(() -> reads.report("g3", Set.of(TWO), 1_210)).isInstanceOf(TarponException.class);
        assertThat(reads.isKnown(1_310)).isFalse();
        assertThat(reads.isKnown(1_311)).isTrue();
    }
}
