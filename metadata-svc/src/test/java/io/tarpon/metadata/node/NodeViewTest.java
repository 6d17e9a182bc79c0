package io.tarpon.metadata.node;

import static io.tarpon.metadata.Fixtures.node;
import static org.assertj.core.api.Assertions.assertThat;

import io.tarpon.wire.metadata.NodeList;
import io.tarpon.wire.metadata.NodeRecord;
import io.tarpon.wire.metadata.NodeState;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Random;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// What one who saw a list is told of the list that came of it.
class NodeViewTest {
    private final NodeView view = new NodeView(100);

    @Test
    void whoSeesTheSameIsToldNothing() {
        view.update(1, List.of(up("a", 1), up("b", 2)));
        var tag = tagOf(view);
        assertThat(view.update(1, List.of(up("a", 1), up("b", 2)))).isFalse();
        var changes = view.since(tag);
        assertThat(changes.changesNothing()).isTrue();
        assertThat(changes.nodes()).isEmpty();
        assertThat(changes.left()).isEmpty();
    }

    @Test
    void whatChangedIsToldOnceAsItIsNow() {
        view.update(1, List.of(up("a", 1), up("b", 2), up("c", 3)));
        var tag = tagOf(view);
        view.update(2, List.of(lost("a", 1), up("b", 2), up("d", 4)));
        view.update(3, List.of(up("a", 1), up("b", 5)));
        var changes = view.since(tag);
        assertThat(changes.since()).isEqualTo(tag);
        assertThat(changes.revision()).isEqualTo(3);
        assertThat(changes.nodes()).containsExactly(up("a", 1), up("b", 5));
        assertThat(changes.left()).containsExactly("c", "d");
    }

    @Test
    void thatANodeHoldsMoreIsNoChangeAndIsToldWithTheNextOne() {
        view.update(1, List.of(holding("a", 1), holding("b", 1)));
        var tag = tagOf(view);
        assertThat(view.update(1, List.of(holding("a", 9), holding("b", 9)))).isFalse();
        assertThat(tagOf(view)).isEqualTo(tag);
        assertThat(view.list().nodes()).containsExactly(holding("a", 9), holding("b", 9));
        view.update(2, List.of(holding("a", 9), holding("b", 9), holding("c", 9)));
        assertThat(view.since(tag).nodes()).containsExactly(holding("c", 9));
    }

    @Test
    void aTagNobodyGaveIsAnsweredWithTheWholeList() {
        view.update(1, List.of(up("a", 1)));
        var changes = view.since("none");
        assertThat(changes.since()).isNull();
        assertThat(changes.after(new NodeList(0, List.of()))).isEqualTo(view.list());
    }

    @Test
    void whoSawTheSameElsewhereIsToldWhatChangedSince() {
        var other = new NodeView(100);
        other.update(1, List.of(up("z", 1)));
        other.update(2, List.of(up("a", 1), holding("b", 7)));
        view.update(2, List.of(up("a", 1), holding("b", 1)));
        var tag = tagOf(other);
        assertThat(view.since(tag).changesNothing()).isTrue();
        view.update(2, List.of(up("a", 1), lost("b", 1)));
        assertThat(view.since(tag).nodes()).containsExactly(lost("b", 1));
    }

    @Test
    void aViewThatComesAgainIsTheOneItWas() {
        view.update(1, List.of(up("a", 1)));
        var up = tagOf(view);
        view.update(1, List.of(lost("a", 1)));
        var lost = tagOf(view);
        view.update(1, List.of(up("a", 1)));
        assertThat(view.since(up).changesNothing()).isTrue();
        assertThat(view.since(lost).nodes()).containsExactly(up("a", 1));
    }

    @Test
    void whoMissedMoreThanIsRememberedIsToldTheWholeList() {
        var forgetful = new NodeView(3);
        forgetful.update(1, List.of(up("a", 1), up("b", 2), up("c", 3), up("d", 4), up("e", 5)));
        var first = tagOf(forgetful);
        forgetful.update(2, List.of(up("a", 1), up("b", 2)));
        assertThat(forgetful.since(first).left()).containsExactly("c", "d", "e");
        var second = tagOf(forgetful);
        forgetful.update(3, List.of(up("a", 1)));
        assertThat(forgetful.since(first).since())
                .as("one of four is forgotten")
                .isNull();
        assertThat(forgetful.since(second).left()).containsExactly("b");
        for (int i = 0; i < 3; i++) {
            forgetful.update(4 + i, List.of(up("a", 1)));
        }
        assertThat(forgetful.since(second).since())
                .as("one of four views is forgotten")
                .isNull();
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12})
    void changesMakeAnyListThatIsRememberedTheOneThatIs(long seed) {
        var random = new Random(seed);
        var remembered = 1 + random.nextInt(30);
        var history = new NodeView(remembered);
        var lists = new HashMap<String, NodeList>();
        var nodes = new TreeMap<String, NodeRecord>();
        long revision = 0;
        var told = 0;
        for (int step = 0; step < 300; step++) {
            for (int change = random.nextInt(4); change >= 0; change--) {
                revision += change(nodes, random);
            }
            history.update(revision, List.copyOf(nodes.values()));
            var now = new NodeList(revision, List.copyOf(nodes.values()));
            assertThat(history.list()).isEqualTo(now);
            for (var tag : List.copyOf(lists.keySet())) {
                var changes = history.since(tag);
                var before = lists.get(tag);
                assertThat(before == null ? null : settled(changes.after(before)))
                        .as("seed %d step %d", seed, step)
                        .isEqualTo(settled(now));
                told += changes.since() == null ? 0 : 1;
            }
            lists.put(tagOf(history), now);
        }
        assertThat(told).isGreaterThan(100);
    }

    /// Returns whether the log has an entry for it.
    private static int change(SortedMap<String, NodeRecord> nodes, Random random) {
        var id = "n" + random.nextInt(12);
        var known = nodes.get(id);
        if (known == null || random.nextInt(4) == 0) {
            nodes.put(id, up(id, random.nextInt(3)));
            return 1;
        }
        if (random.nextInt(3) == 0) {
            nodes.remove(id);
            return 1;
        }
        var state = random.nextBoolean() ? NodeState.UP : NodeState.LOST;
        nodes.put(id, new NodeRecord(id, known.registration(), state, random.nextInt(9), 0));
        return 0;
    }

    /// Without what is no change.
    private static NodeList settled(NodeList list) {
        var nodes = new ArrayList<NodeRecord>();
        list.nodes().forEach(node -> nodes.add(new NodeRecord(node.id(), node.registration(), node.state(), 0, 0)));
        return new NodeList(list.revision(), nodes);
    }

    private static String tagOf(NodeView view) {
        return view.since("none").tag();
    }

    private static NodeRecord up(String id, int number) {
        return new NodeRecord(id, node(number), NodeState.UP, 0, 0);
    }

    private static NodeRecord lost(String id, int number) {
        return new NodeRecord(id, node(number), NodeState.LOST, 0, 0);
    }

    private static NodeRecord holding(String id, long blocks) {
        return new NodeRecord(id, node(1), NodeState.UP, blocks, 0);
    }
}
