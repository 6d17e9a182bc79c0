package io.tarpon.metadata;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.tarpon.metadata.SizedPresence.Trouble;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// What must hold in the clusters whose sizes [SizingTables] prints.
class SizingTest {
    private static final int BLOCKS = 3_000;
    private static final int NODES = 60;
    private static final long SEED = 1;

    @ParameterizedTest
    @ValueSource(ints = {3, NODES})
    void aNodeThatGoesMovesWhatItHeldAndNothingElse(int zones) {
        var sized = SizedPlacement.of(NODES, zones, BLOCKS);
        assertThat(sized.doubled()).isZero();
        assertThat(sized.left()).isEqualTo(sized.held()).isPositive();
        assertThat(sized.takers()).as("all that may take").isGreaterThan(NODES / 2);
        assertThat(sized.astray()).isZero();
        assertThat(sized.leftShare()).isCloseTo(1.0 / NODES, within(0.5 / NODES));
        assertThat(sized.joinedShare()).isCloseTo(1.0 / (NODES + 1), within(0.5 / NODES));
    }

    @Test
    void nodesHoldWhatChanceGivesThem() {
        var sized = SizedPlacement.of(NODES, NODES, BLOCKS);
        assertThat(sized.mean()).isEqualTo(100);
        assertThat(sized.spread()).isBetween(0.5, 1.6);
    }

    @Test
    void aZoneThatIsSmallerFillsItsNodesMore() {
        // Four nodes in the first zone, three in each of the others.
        var sized = SizedPlacement.of(10, 3, BLOCKS);
        assertThat(sized.doubled()).isZero();
        assertThat(sized.spread()).isGreaterThan(2);
    }

    @Test
    void nobodyIsLostWhileHeartbeatsComeOrNoReplicaHears() {
        for (var trouble : List.of(Trouble.NONE, Trouble.NO_BROKER)) {
            var sized = SizedPresence.of(NODES, trouble, SEED);
            assertThat(sized.falselyLost()).as(trouble.words).isZero();
            assertThat(sized.changes()).as(trouble.words).isZero();
        }
    }

    @Test
    void whoDiesIsToldByAllAndWhoLivesIsNot() {
        for (var trouble : List.of(Trouble.ONE_DIES, Trouble.ZONE_DIES)) {
            var sized = SizedPresence.of(NODES, trouble, SEED);
            assertThat(sized.falselyLost()).as(trouble.words).isZero();
            assertThat(sized.changes()).as(trouble.words).isPositive();
            assertThat(sized.tellSeconds()).as(trouble.words).isBetween(4.0, 7.0);
        }
    }

    @Test
    void heartbeatsThatAreLateForLongerThanTheTimeoutCostANodeItsPlace() {
        assertThat(SizedPresence.of(NODES, Trouble.LATE_BEATS, SEED).falselyLost())
                .isPositive();
    }

    @Test
    void eachNodeGatewayAndReplicaSpeaksAsOftenAsItDoes() {
        // A heartbeat a second and what it takes, a report in three seconds, a replica's own sign twice a second.
        assertThat(SizedPresence.of(NODES, Trouble.NONE, SEED).signs())
                .isCloseTo(NODES / 1.01 + NODES / 3.0 + 2 * SizedPresence.REPLICAS, within(2.0));
    }

    @Test
    void twiceTheShardsAreTwiceTheManifest() {
        var one = SizedManifests.of(3_000);
        var two = SizedManifests.of(6_000);
        assertThat(one.planEntries()).as("more than one page").isGreaterThan(1);
        assertThat(two.sealBytes() / 2.0 / one.sealBytes()).isCloseTo(1, within(0.01));
        assertThat(two.snapshotBytes() / 2.0 / one.snapshotBytes()).isCloseTo(1, within(0.02));
        assertThat(two.pageBytes() / 2.0 / one.pageBytes()).isCloseTo(1, within(0.01));
        assertThat(two.snapshotPairs() - one.snapshotPairs())
                .as("a shard is a pair")
                .isEqualTo(3_000);
    }

    @Test
    void theSameNumbersComeOutEachTime() {
        assertThat(SizedPlacement.of(10, 3, 500))
                .usingRecursiveComparison()
                .ignoringFields("micros")
                .isEqualTo(SizedPlacement.of(10, 3, 500));
        assertThat(SizedPresence.of(10, Trouble.LATE_BEATS, SEED))
                .usingRecursiveComparison()
                .ignoringFields("lookMicros")
                .isEqualTo(SizedPresence.of(10, Trouble.LATE_BEATS, SEED));
    }

    @Test
    void eachTableHasARowForEachNumberOfNodes() {
        var printed = new ByteArrayOutputStream();
        SizingTables.print(new PrintStream(printed, true, StandardCharsets.UTF_8), List.of(6, 12), 1_000);
        var text = printed.toString(StandardCharsets.UTF_8);
        assertThat(rows(text, "6")).isEqualTo(rows(text, "12")).isEqualTo(2 + 1 + Trouble.values().length + 1);
        assertThat(text).contains("| × 1.2 | 1,200 |").doesNotContain("null").doesNotContain("NaN");
    }

    /// Rows of which a cell is this number.
    private static long rows(String text, String number) {
        return text.lines()
                .filter(line -> line.startsWith("| " + number + " |")
                        || Stream.of(Trouble.values())
                                .anyMatch(trouble -> line.startsWith("| " + trouble.words + " | " + number + " |")))
                .count();
    }
}
