package io.tarpon.ingest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tarpon.service.retry.AbandonedException;
import io.tarpon.wire.Digests;
import io.tarpon.wire.VersionId;
import io.tarpon.wire.event.DatasetUploaded.SpecOverrides;
import io.tarpon.wire.event.Events;
import io.tarpon.wire.event.TarponEvent.ShardPlanned;
import io.tarpon.wire.metadata.VersionState;
import io.tarpon.wire.plan.PlannedSample;
import java.util.List;
import org.junit.jupiter.api.Test;

/// Growth as the whole use case: what is kept, what is built again, what is new, and what is announced of it.
class GrowthPlanningTest extends GrowthFixture {
    @Test
    void withoutAParentEverythingIsPlannedAnew() throws Exception {
        plan("r1", GROW);
        assertThat(metadata.version("v1").state()).isEqualTo(VersionState.BUILDING);
        assertThat(topic.messages).hasSize(shards("v1")).hasSizeGreaterThan(9);
        var grown = List.copyOf(topic.ids());
        topic.messages.clear();
        // As without grow.
        metadata.end("v1", VersionState.FAILED);
        plan("r2", new SpecOverrides("auto", 16_384L, 1, null, null, false, null));
        assertThat(metadata.version("v2").planDigest())
                .isEqualTo(metadata.version("v1").planDigest());
        assertThat(topic.messages).hasSameSizeAs(grown);
    }

    @Test
    void newSamplesGoToNewShardsAndOnlyThoseAreAnnounced() throws Exception {
        sealFirst();
        int before = shards("v1");
        sources.objects = and(OneSource.HUNDRED, "d/new1.jpg", "d/new2.jpg", "d/new2.cls");
        plan("r2", GROW);
        assertThat(metadata.version("v2").parent()).isEqualTo(new VersionId(1));
        assertThat(topic.shards()).containsExactly("demo/v2/train/" + shard(before));
        assertThat(topic.ids()).containsExactly("demo/v2/train/" + shard(before) + " demo/v2-" + before);
        assertThat(samples("v2", shard(before)))
                .extracting(PlannedSample::key)
                .containsExactlyInAnyOrder("d/new1", "d/new2");
        assertThat(planFiles("v2"))
                .singleElement()
                .asString()
                .startsWith("datasets/demo/v2/plan/train/" + shard(before) + ".");
        assertThat(metadata.version("v2").inputs().found()).isEqualTo(203);
        assertThat(metadata.version("v2").samples()).isEqualTo(102);
    }

    @Test
    void aChangedFileRebuildsItsShardInPlace() throws Exception {
        sealFirst();
        var victim = samples("v1", shard(3)).get(2);
        replace(victim.members().getFirst().sourceKey(), 999, "changed");
        plan("r2", GROW);
        assertThat(topic.shards()).containsExactly("demo/v2/train/" + shard(3));
        assertThat(topic.ids()).containsExactly("demo/v2/train/" + shard(3) + " demo/v2-3");
        var now = samples("v2", shard(3));
        assertThat(now).extracting(PlannedSample::key).containsExactlyElementsOf(keys("v1", shard(3)));
        assertThat(now.get(2).members().getFirst().etag()).isEqualTo("changed");
        assertThat(now.get(2).members().getFirst().size()).isEqualTo(999);
        assertThat(shards("v2")).isEqualTo(shards("v1"));
    }

    @Test
    void aFileThatComesToASampleRebuildsItsShardAndOneThatGoesToo() throws Exception {
        sealFirst();
        var grows = samples("v1", shard(1)).getFirst();
        var shrinks = samples("v1", shard(5)).getLast();
        sources.objects = and(OneSource.HUNDRED, grows.key() + ".seg.png");
        remove(shrinks.members().getLast().sourceKey());
        plan("r2", GROW);
        assertThat(topic.shards()).containsExactly("demo/v2/train/" + shard(1), "demo/v2/train/" + shard(5));
        assertThat(samples("v2", shard(1)).getFirst().members())
                .extracting(member -> member.extension())
                .containsExactly("cls", "jpg", "seg.png");
        assertThat(samples("v2", shard(5)).getLast().members())
                .extracting(member -> member.extension())
                .containsExactly("cls");
    }

    @Test
    void anEmptiedShardDisappearsAndThoseAfterItMoveDown() throws Exception {
        sealFirst();
        for (var sample : samples("v1", shard(0))) {
            sample.members().forEach(member -> remove(member.sourceKey()));
        }
        plan("r2", GROW);
        assertThat(topic.messages).isEmpty();
        assertThat(metadata.version("v2").state()).as("nothing is to be built").isEqualTo(VersionState.SEALED);
        assertThat(shards("v2")).isEqualTo(shards("v1") - 1);
        assertThat(metadata.version("v2").planDigest())
                .isNotEqualTo(metadata.version("v1").planDigest());

        // The next one finds the plans where they lie.
        sources.objects = and(sources.objects, "d/new.jpg");
        plan("r3", GROW);
        assertThat(metadata.version("v3").parent()).isEqualTo(new VersionId(2));
        assertThat(topic.shards()).containsExactly("demo/v3/train/" + shard(shards("v2")));
        var last = samples("v1", shard(shards("v1") - 1));
        replace(last.getFirst().members().getFirst().sourceKey(), 1, "changed");
        metadata.sealAll("v3");
        topic.messages.clear();
        plan("r4", GROW);
        assertThat(topic.shards()).containsExactly("demo/v4/train/" + shard(shards("v1") - 2));
        assertThat(keys("v4", shard(shards("v1") - 2))).containsExactlyElementsOf(keys("v1", shard(shards("v1") - 1)));
    }

    @Test
    void nothingChangedGivesTheParentBackAndLeavesNoFiles() throws Exception {
        sealFirst();
        plan("r2", GROW);
        assertThat(metadata.version("v2").sameAs()).isEqualTo(new VersionId(1));
        assertThat(topic.messages).isEmpty();
        assertThat(keysOfStore()).noneMatch(key -> key.startsWith("datasets/demo/v2/"));
    }

    @Test
    void forceWithNothingChangedMakesAVersionWhoseShardsAreAllKept() throws Exception {
        sealFirst();
        planning.plan(upload("r2", GROW, true));
        var version = metadata.version("v2");
        assertThat(version.state()).isEqualTo(VersionState.SEALED);
        assertThat(version.planDigest()).isEqualTo(metadata.version("v1").planDigest());
        assertThat(version.samples()).isEqualTo(100);
        assertThat(topic.messages).isEmpty();
        assertThat(planFiles("v2")).isEmpty();
        assertThat(planFiles("v1")).as("the parent's stay").hasSize(shards("v1"));
    }

    @Test
    void growthThatComesAgainAfterACrashSendsTheSameMessages() throws Exception {
        sealFirst();
        sources.objects = and(OneSource.HUNDRED, "d/new.jpg");
        replace(samples("v1", shard(2)).getFirst().members().getFirst().sourceKey(), 9, "changed");
        topic.refuse = 1_000;
        assertThatThrownBy(() ->
                        planning(ShortPauses.until(() -> topic.refuse < 995)).plan(upload("r2", GROW, false)))
                .isInstanceOf(AbandonedException.class);
        topic.refuse = 0;
        plan("r2", GROW);
        var again = topic.ids();
        topic.messages.clear();
        plan("r2", GROW);
        assertThat(topic.ids())
                .isEqualTo(again)
                .containsExactly(
                        "demo/v2/train/" + shard(2) + " demo/v2-2",
                        "demo/v2/train/" + shard(shards("v1")) + " demo/v2-" + shards("v1"));
    }

    @Test
    void aParentOfManyPagesIsReadToItsEnd() throws Exception {
        sealFirst();
        metadata.limitPages(3);
        plan("r2", GROW);
        assertThat(metadata.version("v2").sameAs()).isEqualTo(new VersionId(1));
    }

    @Test
    void sharesWrittenInAnotherOrderAreTheSame() throws Exception {
        plan("r1", grow("train=0.5,val=0.5", 16_384, 1));
        metadata.sealAll("v1");
        plan("r2", grow("val=0.5,train=0.5", 16_384, 1));
        assertThat(metadata.version("v2").sameAs()).isEqualTo(new VersionId(1));
    }

    @Test
    void aSplitThatComesIsNewAndOneThatGoesIsNoMore() throws Exception {
        sources.objects = files("train/a.jpg", "val/c.jpg");
        sealFirst();
        sources.objects = files("train/a.jpg", "test/d.jpg");
        plan("r2", GROW);
        assertThat(metadata.version("v2").splits())
                .extracting(split -> split.name().value())
                .containsExactly("test", "train");
        assertThat(topic.shards()).containsExactly("demo/v2/test/" + shard(0));
    }

    @Test
    void theMultipleCountsAllShardsOfASplitTogether() throws Exception {
        plan("r1", grow("none", 16_384, 4));
        metadata.sealAll("v1");
        assertThat(shards("v1") % 4).isZero();
        topic.messages.clear();
        sources.objects = and(OneSource.HUNDRED, "n/1.jpg", "n/2.jpg", "n/3.jpg", "n/4.jpg", "n/5.jpg");
        plan("r2", grow("none", 16_384, 4));
        assertThat(topic.messages).as("one would do").hasSize(4);
        assertThat(shards("v2")).isEqualTo(shards("v1") + 4);
    }

    @Test
    void aVersionThatIsTriedAgainAnnouncesThePlansOfItsLastTry() throws Exception {
        plan("r1", new SpecOverrides("none", 16_384L, 1, null, null, false, null));
        int first = shards("v1");
        metadata.end("v1", VersionState.FAILED);
        sources.objects = OneSource.HUNDRED.subList(0, 100);
        topic.messages.clear();
        metadata.retry("v1");
        plan("r1", new SpecOverrides("none", 16_384L, 1, null, null, false, null));
        assertThat(metadata.version("v1").state()).isEqualTo(VersionState.BUILDING);
        assertThat(topic.messages).hasSize(shards("v1")).hasSizeLessThan(first);
        for (var message : topic.messages) {
            var shard = (ShardPlanned) Events.decode(message.value()).data();
            assertThat(Digests.sha256Hex(store.read(shard.plan().url(), 1 << 20)))
                    .isEqualTo(shard.plan().sha256());
        }
    }

    @Test
    void aGrownVersionThatIsTriedAgainGrowsFromTheSameParent() throws Exception {
        sealFirst();
        var grown = and(OneSource.HUNDRED, "d/new.jpg");
        sources.objects = grown;
        replace(samples("v1", shard(2)).getFirst().members().getFirst().sourceKey(), 9, "changed");
        plan("r2", GROW);
        var first = metadata.version("v2");
        metadata.end("v2", VersionState.FAILED);
        metadata.retry("v2");
        sources.objects = grown;
        topic.messages.clear();
        plan("r2", GROW);
        assertThat(metadata.version("v2").parent()).isEqualTo(first.parent());
        assertThat(topic.shards()).containsExactly("demo/v2/train/" + shard(shards("v1")));
    }
}
