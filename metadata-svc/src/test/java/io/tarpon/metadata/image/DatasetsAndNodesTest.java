package io.tarpon.metadata.image;

import static io.tarpon.metadata.Fixtures.DEMO;
import static io.tarpon.metadata.Fixtures.SPEC;
import static io.tarpon.metadata.Fixtures.node;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tarpon.wire.http.ProblemType;
import io.tarpon.wire.http.TarponException;
import io.tarpon.wire.metadata.DatasetSpec;
import io.tarpon.wire.metadata.NodeRegistration;
import java.util.List;
import org.junit.jupiter.api.Test;

class DatasetsAndNodesTest {
    private final DecidedImage decided = new DecidedImage();
    private final Image image = decided.image;

    @Test
    void registeringTheSameSpecificationChangesNothing() {
        decided.apply(new RegisterDataset(DEMO, SPEC));
        decided.changesNothing(new RegisterDataset(DEMO, SPEC));
    }

    @Test
    void aNewSpecificationReplacesTheOldOne() {
        decided.apply(new RegisterDataset(DEMO, SPEC));
        var other = DatasetSpec.of("s3://bucket/in");
        decided.apply(new RegisterDataset(DEMO, other));
        assertThat(image.reads().dataset(DEMO).spec()).isEqualTo(other);
    }

    @Test
    void ofTwoRegistrationsDecidedAtOnceTheSecondIsRejected() {
        var first = decided.entry(new RegisterDataset(DEMO, SPEC));
        var second = decided.entry(new RegisterDataset(DEMO, DatasetSpec.of("s3://bucket/in")));
        assertThat(decided.replay(first).applied()).isTrue();
        assertThat(decided.replay(second).applied()).isFalse();
    }

    @Test
    void joiningAgainAsRegisteredChangesNothing() {
        decided.apply(new JoinNode("node-1", node(1), null));
        decided.changesNothing(new JoinNode("node-1", node(1), null));
    }

    @Test
    void aNodeThatMovedJoinsAnew() {
        decided.apply(new JoinNode("node-1", node(1), null));
        decided.apply(new JoinNode("node-1", node(2), null));
        assertThat(image.reads().nodes()).containsEntry("node-1", node(2));
        assertThat(image.reads().nodesRevision()).isEqualTo(2);
    }

    @Test
    void aNodeThatLeftIsNotThere() {
        decided.apply(new JoinNode("node-1", node(1), null));
        decided.apply(new LeaveNode("node-1", null));
        assertThat(image.reads().nodes()).isEmpty();
        decided.changesNothing(new LeaveNode("node-1", null));
        assertThatThrownBy(() -> image.reads().node("node-1"))
                .isInstanceOfSatisfying(
                        TarponException.class, e -> assertThat(e.type()).isEqualTo(ProblemType.NOT_FOUND));
    }

    @Test
    void aJoinDecidedBeforeTheNodeLeftAndCameBackIsRejected() {
        decided.apply(new JoinNode("node-1", node(1), null));
        var late = decided.entry(new JoinNode("node-1", node(2), null));
        decided.apply(new LeaveNode("node-1", null));
        decided.apply(new JoinNode("node-1", node(3), null));
        assertThat(decided.replay(late).applied()).isFalse();
        assertThat(image.reads().node("node-1")).isEqualTo(node(3));
    }

    @Test
    void aProcessThatWasOvertakenTakesNobodyElseOut() {
        decided.apply(new JoinNode("node-1", node(1), "first"));
        decided.apply(new JoinNode("node-1", node(2), "second"));
        decided.refuses(new LeaveNode("node-1", "first"), ProblemType.CONFLICT, "at http://127.0.0.1:7083");
        decided.apply(new LeaveNode("node-1", "second"));
        assertThat(image.reads().nodes()).isEmpty();
        decided.changesNothing(new LeaveNode("node-1", "first"));
    }

    @Test
    void aNodeThatTellsNoIncarnationIsTakenOutByAnybody() {
        decided.apply(new JoinNode("node-1", node(1), null));
        decided.apply(new LeaveNode("node-1", "first"));
        decided.apply(new JoinNode("node-1", node(1), "second"));
        decided.apply(new LeaveNode("node-1", null));
        assertThat(image.reads().nodes()).isEmpty();
    }

    @Test
    void aNodeThatLeftLongAgoIsForgottenAndItsRoomFree() {
        for (int i = 0; i < Limits.MAX_NODES; i++) {
            decided.apply(new JoinNode("node-" + i, node(1), null));
        }
        decided.refuses(new JoinNode("one-more", node(1), null), ProblemType.INSUFFICIENT_STORAGE, "one-more");
        decided.apply(new LeaveNode("node-1", null));
        var left = decided.now().minusSeconds(1);
        decided.refuses(new JoinNode("one-more", node(1), null), ProblemType.INSUFFICIENT_STORAGE, "one-more");
        decided.changesNothing(new ForgetNode("node-1", left.minusMillis(1)));
        decided.changesNothing(new ForgetNode("node-2", left));
        assertThat(image.reads().forgettableNodes(left, 10)).containsExactly("node-1");
        decided.apply(new ForgetNode("node-1", left));
        assertThat(image.reads().forgettableNodes(left, 10)).isEmpty();
        decided.changesNothing(new ForgetNode("node-1", left));
        decided.apply(new JoinNode("one-more", node(1), null));
    }

    /// Decided while the node was not there, and again not there when it is replayed: but it was in between.
    @Test
    void aJoinDecidedBeforeTheNodeCameLeftAndWasForgottenIsRejected() {
        var late = decided.entry(new JoinNode("node-1", node(1), null));
        decided.apply(new JoinNode("node-1", node(2), null));
        decided.apply(new LeaveNode("node-1", null));
        decided.apply(new ForgetNode("node-1", decided.now()));
        assertThat(decided.replay(late).applied()).isFalse();
        assertThat(image.reads().nodes()).isEmpty();
        decided.apply(new JoinNode("node-1", node(1), null));
        assertThat(image.reads().node("node-1")).isEqualTo(node(1));
    }

    @Test
    void malformedNodesAreRefused() {
        assertThatThrownBy(() -> new JoinNode("a/b", node(1), null)).hasMessageContaining("a/b");
        var nowhere = new NodeRegistration("ftp://x", "h", "z", 1, 1, List.of("/d"));
        assertThatThrownBy(() -> new JoinNode("node-1", nowhere, null)).hasMessageContaining("ftp://x");
    }

    @Test
    void sameEntriesGiveTheSameDigestAndOneMoreGivesAnother() {
        var other = new DecidedImage();
        for (var each : List.of(decided, other)) {
            each.apply(new RegisterDataset(DEMO, SPEC));
            each.apply(new JoinNode("node-1", node(1), null));
        }
        assertThat(image.digest()).isEqualTo(other.image.digest());
        other.apply(new JoinNode("node-2", node(2), null));
        assertThat(image.digest()).isNotEqualTo(other.image.digest());
    }
}
