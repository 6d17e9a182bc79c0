package io.tarpon.block;

import static org.assertj.core.api.Assertions.assertThat;

import io.tarpon.testkit.Deadline;
import io.tarpon.wire.ShardRef;
import io.tarpon.wire.metadata.ShardRecord;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A shard that a version which grew kept from its parent.
class SharedShardTest {
    private static final ShardRef KEPT = ShardRef.parse("demo/v2/train/shard-000000");

    @TempDir
    Path folder;

    private Workshop workshop;
    private TestShard shard;

    @BeforeEach
    void start() throws Exception {
        workshop = new Workshop(folder);
        shard = workshop.shard;
        workshop.metadata.with(KEPT, shard.keptRecord());
    }

    @AfterEach
    void stop() throws Exception {
        workshop.close();
    }

    @Test
    void versionsThatShareAShardShareItsBlocksAndItsIndex() throws Exception {
        var node = workshop.node("node-1");
        assertThat(node.get(shard.url(KEPT, 1)).body()).isEqualTo(shard.block(1));
        Deadline.until("stored", () -> node.wiring.facts().blocks() == 1);

        var again = node.get(shard.url(1));

        assertThat(again.body()).isEqualTo(shard.block(1));
        assertThat(again.headers().firstValue("Tarpon-Block")).hasValue("hit");
        assertThat(node.get(shard.url(2)).body()).isEqualTo(shard.block(2));
        assertThat(workshop.store.opens()).isEqualTo(2);
        assertThat(workshop.store.reads()).isEqualTo(1);
    }

    @Test
    void otherNodesAreAskedByTheNameThatIsStillThere() throws Exception {
        var owner = workshop.node("owner", workshop.store, Map.of("block.weight", "1000000000"));
        var other = workshop.node("other", workshop.store, Map.of("block.weight", "1"));
        PeersTest.seesNodes(workshop, other, 2);
        workshop.metadata.with(shard.ref(), null);

        assertThat(other.get(shard.url(KEPT, 0)).body()).isEqualTo(shard.block(0));

        assertThat(other.count("tarpon.block.fill.bytes", "from", "peer")).isEqualTo(shard.block(0).length);
        assertThat(owner.count("tarpon.block.fill.bytes", "from", "store")).isEqualTo(shard.block(0).length);
    }

    @Test
    void shardSealedAnewAfterARetryIsServedAsItIsNow() throws Exception {
        var node = workshop.node("node-1");
        assertThat(node.get(shard.url(0)).body()).isEqualTo(shard.block(0));
        var retried = TestShard.random(
                        shard.ref().path(), 99, Workshop.SAMPLES, Workshop.SAMPLE_BYTES, Workshop.BLOCK_TARGET)
                .storedIn(workshop.store);
        workshop.metadata.with(retried);

        assertThat(node.get(retried.url(0)).body()).isEqualTo(retried.block(0));
        assertThat(TestNode.problem(node.get(shard.url(1)))).isEqualTo("404 not-found");
    }

    @Test
    void shardSealedAnewIsServedWhereMetadataKnowsOnlyTheSealBefore() throws Exception {
        var node = workshop.node("node-1");
        assertThat(node.get(shard.url(0)).body()).isEqualTo(shard.block(0));
        var retried = TestShard.random(
                        shard.ref().path(), 99, Workshop.SAMPLES, Workshop.SAMPLE_BYTES, Workshop.BLOCK_TARGET)
                .storedIn(workshop.store);
        workshop.metadata.behind(shard.ref(), shard.record());
        workshop.metadata.with(retried);

        assertThat(node.get(retried.url(0)).body()).isEqualTo(retried.block(0));
    }

    @Test
    void shardIsServedWhereMetadataDoesNotKnowItsSealYet() throws Exception {
        var node = workshop.node("node-1");
        var record = shard.record();
        workshop.metadata.behind(
                shard.ref(),
                new ShardRecord(record.name(), record.samples(), record.bytes(), record.planSha256(), null));

        assertThat(node.get(shard.url(0)).body()).isEqualTo(shard.block(0));
    }
}
