package io.tarpon.block;

import static org.assertj.core.api.Assertions.assertThat;

import io.tarpon.testkit.Deadline;
import java.nio.file.Path;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MembershipTest {
    @TempDir
    Path folder;

    private Workshop workshop;

    @BeforeEach
    void start() throws Exception {
        workshop = new Workshop(folder);
    }

    @AfterEach
    void stop() throws Exception {
        workshop.close();
    }

    @Test
    void nodeJoinsWithAllThatOthersNeed() throws Exception {
        var node = workshop.node("node-1", "node.host", "host-a", "node.zone", "zone-a", "block.capacity", "3GiB");
        Deadline.until("joined", () -> node.wiring.membership().registered());
        var registration =
                Objects.requireNonNull(workshop.metadata.nodes.get("node-1")).registration();

        assertThat(registration.url()).isEqualTo("http://127.0.0.1:" + node.port());
        assertThat(registration.host()).isEqualTo("host-a");
        assertThat(registration.zone()).isEqualTo("zone-a");
        assertThat(registration.weight()).isEqualTo(3.0);
        assertThat(registration.capacityBytes()).isEqualTo(3L << 30);
        assertThat(registration.dataDirs()).containsExactly(node.data().toString());
    }

    @Test
    void heartbeatsSayWhatTheNodeHolds() throws Exception {
        var node = workshop.node("node-1");
        node.get(workshop.shard.url(0));

        Deadline.until("told", () -> {
            var record = workshop.metadata.nodes.get("node-1");
            return record != null
                    && record.blocks() == 1
                    && record.bytes() == node.wiring.facts().bytes();
        });
    }

    @Test
    void forgottenNodeJoinsAgain() throws Exception {
        var node = workshop.node("node-1");
        Deadline.until("joined", () -> node.wiring.membership().registered());
        workshop.metadata.nodes.clear();

        Deadline.until("joined again", () -> workshop.metadata.joins.get() == 2);
    }

    @Test
    void nodeServesWhatItHasWhileMetadataIsAway() throws Exception {
        var node = workshop.node("node-1");
        node.get(workshop.shard.url(0));
        Deadline.until("stored", () -> node.wiring.facts().blocks() == 1);
        workshop.stop(node);
        workshop.metadata.away(true);
        var again = workshop.node("node-1");

        assertThat(again.get(workshop.shard.url(0)).body()).isEqualTo(workshop.shard.block(0));
        assertThat(TestNode.problem(again.get(workshop.shard.url(1)))).isEqualTo("503 not-ready");
        assertThat(again.wiring.membership().everRegistered()).isFalse();
        workshop.metadata.away(false);
        Deadline.until("joined", () -> again.wiring.membership().everRegistered());
        assertThat(again.get(workshop.shard.url(1)).body()).isEqualTo(workshop.shard.block(1));
    }

    @Test
    void processWhoseIdAnotherTookServesOnAndLeavesTheOtherAlone() throws Exception {
        var first = workshop.node("first", "node.id", "same");
        Deadline.until("joined", () -> first.wiring.membership().registered());
        var second = workshop.node("second", "node.id", "same");
        Deadline.until("told", () -> !first.wiring.membership().registered());

        assertThat(url()).isEqualTo(second.url().toString());
        assertThat(first.get(workshop.shard.url(0)).body()).isEqualTo(workshop.shard.block(0));
        var beats = workshop.metadata.heartbeats.get();
        Deadline.until("the other beats on", () -> workshop.metadata.heartbeats.get() > beats + 3);
        assertThat(workshop.metadata.joins).hasValue(2);
        workshop.stop(first);
        assertThat(url()).isEqualTo(second.url().toString());
    }

    @Test
    void processWhoseIdAnotherTookJoinsWhenThatOneHasLeft() throws Exception {
        var first = workshop.node("first", "node.id", "same");
        Deadline.until("joined", () -> first.wiring.membership().registered());
        var second = workshop.node("second", "node.id", "same");
        Deadline.until("told", () -> !first.wiring.membership().registered());

        workshop.stop(second);

        Deadline.until("joined again", () -> first.wiring.membership().registered());
        assertThat(url()).isEqualTo(first.url().toString());
    }

    private String url() {
        return Objects.requireNonNull(workshop.metadata.nodes.get("same"))
                .registration()
                .url();
    }

    @Test
    void nodeThatStopsLeaves() throws Exception {
        var node = workshop.node("node-1");
        Deadline.until("joined", () -> node.wiring.membership().registered());
        workshop.stop(node);

        assertThat(workshop.metadata.nodes).isEmpty();
    }
}
