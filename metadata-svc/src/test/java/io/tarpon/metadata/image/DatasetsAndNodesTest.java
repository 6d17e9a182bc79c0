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
        decided.apply(new JoinNode("node-1", node(1)));
        decided.changesNothing(new JoinNode("node-1", node(1)));
    }

    @Test
    void aNodeThatMovedJoinsAnew() {
        decided.apply(new JoinNode("node-1", node(1)));
        decided.apply(new JoinNode("node-1", node(2)));
        assertThat(image.reads().nodes()).containsEntry("node-1", node(2));
        assertThat(image.reads().nodesRevision()).isEqualTo(2);
    }

    @Test
    void aNodeThatLeftIsNotThere() {
        decided.apply(new JoinNode("node-1", node(1)));
        decided.apply(new LeaveNode("node-1"));
        assertThat(image.reads().nodes()).isEmpty();
        decided.changesNothing(new LeaveNode("node-1"));
        assertThatThrownBy(() -> image.reads().node("node-1"))
                .isInstanceOfSatisfying(
                        TarponException.class, e -> assertThat(e.type()).isEqualTo(ProblemType.NOT_FOUND));
    }

    @Test
    void aJoinDecidedBeforeTheNodeLeftAndCameBackIsRejected() {
        decided.apply(new JoinNode("node-1", node(1)));
        var late = decided.entry(new JoinNode("node-1", node(2)));
        decided.apply(new LeaveNode("node-1"));
        decided.apply(new JoinNode("node-1", node(3)));
        assertThat(decided.replay(late).applied()).isFalse();
        assertThat(image.reads().node("node-1")).isEqualTo(node(3));
    }

    @Test
    void malformedNodesAreRefused() {
        assertThatThrownBy(() -> new JoinNode("a/b", node(1))).hasMessageContaining("a/b");
        var nowhere = new NodeRegistration("ftp://x", "h", "z", 1, 1, List.of("/d"));
        assertThatThrownBy(() -> new JoinNode("node-1", nowhere)).hasMessageContaining("ftp://x");
    }

    @Test
    void sameEntriesGiveTheSameDigestAndOneMoreGivesAnother() {
        var other = new DecidedImage();
        for (var each : List.of(decided, other)) {
            each.apply(new RegisterDataset(DEMO, SPEC));
            each.apply(new JoinNode("node-1", node(1)));
        }
        assertThat(image.digest()).isEqualTo(other.image.digest());
        other.apply(new JoinNode("node-2", node(2)));
        assertThat(image.digest()).isNotEqualTo(other.image.digest());
    }
}
