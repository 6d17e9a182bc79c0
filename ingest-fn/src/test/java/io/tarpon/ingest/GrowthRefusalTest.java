package io.tarpon.ingest;

import static org.assertj.core.api.Assertions.assertThat;

import io.tarpon.ingest.upload.Upload;
import io.tarpon.wire.event.DatasetUploaded;
import io.tarpon.wire.metadata.BeginVersion;
import io.tarpon.wire.metadata.VersionState;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/// Where a version cannot grow from its parent: it fails, names both, and says what to do.
class GrowthRefusalTest extends GrowthFixture {
    @Test
    void anotherSourceThanTheParentsFailsTheVersion() throws Exception {
        sealFirst();
        var other = new Upload(
                "r2", "/test", Optional.empty(), Optional.empty(), new DatasetUploaded("pictures", DEMO, GROW, false));
        planning.plan(other);
        assertThat(metadata.version("v2").reason())
                .isEqualTo("cannot grow from demo/v1: it was made from the source photos, and this one is pictures;"
                        + " ingest without --grow");
    }

    @Test
    void otherSplitsThanTheParentsFailTheVersion() throws Exception {
        sealFirst();
        plan("r2", grow("train=0.5,val=0.5", 16_384, 1));
        assertThat(metadata.version("v2").reason())
                .contains("cannot grow from demo/v1", "'auto'", "'train=0.5,val=0.5'", "ingest without --grow");
    }

    @Test
    void foldersThatMakeOtherSplitsFailTheVersionNamingAFile() throws Exception {
        sources.objects = files("train/a.jpg", "train/b.jpg", "val/c.jpg");
        sealFirst();
        sources.objects = and(sources.objects, "extra/d.jpg");
        plan("r2", GROW);
        assertThat(metadata.version("v2").reason())
                .contains("cannot grow from demo/v1", "train/", "is in split train there as sample ")
                .contains("would now be in split train as sample train/")
                .endsWith("; ingest without --grow");
        assertThat(topic.messages).isEmpty();
        assertThat(planFiles("v2")).isEmpty();
    }

    @Test
    void foldersThatBecomeSplitsFailTheVersionNamingAFile() throws Exception {
        sources.objects = files("a.jpg", "b.jpg");
        sealFirst();
        sources.objects = and(sources.objects, "val/c.jpg");
        plan("r2", GROW);
        assertThat(metadata.version("v2").reason()).contains("would now be left out (outside-splits)");
    }

    @Test
    void aSourceThatLostEverySampleFailsTheVersion() throws Exception {
        sealFirst();
        sources.objects = files("README");
        plan("r2", GROW);
        assertThat(metadata.version("v2").reason()).isEqualTo("no-samples");
    }

    @Test
    void aDamagedPlanOfTheParentFailsTheVersionNamingIt() throws Exception {
        sealFirst();
        var key = planFiles("v1").get(4);
        var text = new String(store.read(key, 1 << 20), StandardCharsets.UTF_8);
        for (var damaged : List.of(
                text.replaceFirst("\"etag\":\"e\"", "\"etag\":\"f\""),
                text.substring(0, text.length() / 2),
                "TARPON-PLAN 2\n",
                text + "{}")) {
            store.write(key, damaged.getBytes(StandardCharsets.UTF_8));
            int number = metadata.count() + 1;
            plan("r" + number, GROW);
            assertThat(metadata.version("v" + number).reason())
                    .contains("cannot grow from demo/v1", key, "ingest without --grow");
        }
        store.delete(key);
        plan("gone", GROW);
        assertThat(metadata.version("v" + metadata.count()).reason()).contains(key, "not in the store any more");
    }

    @Test
    void aParentThatWasRemovedMeanwhileFailsTheVersion() throws Exception {
        sealFirst();
        var spec = upload("r2", GROW, false).from("photos").specification(Optional.empty());
        client.begin(DEMO, new BeginVersion("r2", spec));
        metadata.end("v1", VersionState.REMOVED);
        plan("r2", GROW);
        assertThat(metadata.version("v2").reason()).contains("cannot grow from demo/v1", "was removed");
    }

    @Test
    void aMultipleThatCannotBeMetFailsTheVersion() throws Exception {
        plan("r1", grow("none", 16_384, 4));
        metadata.sealAll("v1");
        sources.objects = and(OneSource.HUNDRED, "n/1.jpg");
        plan("r2", grow("none", 16_384, 4));
        assertThat(metadata.version("v2").reason())
                .contains("split train: " + shards("v1") + " shards of the parent stay, and 1 new samples cannot fill")
                .contains("multiple of 4", "ingest without --grow");
        assertThat(planFiles("v2")).isEmpty();
    }

    @Test
    void aShardThatIsEmptiedCanBreakTheMultiple() throws Exception {
        plan("r1", grow("none", 16_384, 4));
        metadata.sealAll("v1");
        for (var sample : samples("v1", shard(1))) {
            sample.members().forEach(member -> remove(member.sourceKey()));
        }
        plan("r2", grow("none", 16_384, 4));
        assertThat(metadata.version("v2").reason()).contains("0 new samples cannot fill");
    }
}
