package io.tarpon.wire.metadata;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;

/// What changes make of the list that they are changes to.
class NodeChangesTest {
    private static final NodeList BEFORE = new NodeList(7, List.of(node("a", 1), node("c", 1), node("d", 1)));

    @Test
    void whatCameAndChangedAndLeftIsInTheListAfter() {
        var changes = new NodeChanges("new", "old", 9, List.of(node("b", 1), node("d", 2)), List.of("c"));
        assertThat(changes.after(BEFORE)).isEqualTo(new NodeList(9, List.of(node("a", 1), node("b", 1), node("d", 2))));
        assertThat(changes.changesNothing()).isFalse();
    }

    @Test
    void changesToNothingAreTheList() {
        var changes = new NodeChanges("new", null, 9, List.of(node("b", 1)), List.of());
        assertThat(changes.after(BEFORE)).isEqualTo(new NodeList(9, List.of(node("b", 1))));
        assertThat(changes.changesNothing()).isFalse();
    }

    @Test
    void noChangesLeaveTheListAsItIs() {
        var changes = new NodeChanges("old", "old", 7, List.of(), List.of());
        assertThat(changes.after(BEFORE)).isEqualTo(BEFORE);
        assertThat(changes.changesNothing()).isTrue();
    }

    @Test
    void nobodyLeavesWhatIsNotKnown() {
        assertThatThrownBy(() -> new NodeChanges("new", null, 7, List.of(), List.of("a")))
                .hasMessageContaining("nothing is known");
    }

    private static NodeRecord node(String id, long blocks) {
        return new NodeRecord(
                id,
                new NodeRegistration("http://" + id, "host-" + id, "zone", 1, 1 << 20, List.of("/data")),
                NodeState.UP,
                blocks,
                0);
    }
}
