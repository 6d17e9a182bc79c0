package io.tarpon.ingest;

import static org.assertj.core.api.Assertions.assertThat;

import io.tarpon.ingest.Lineage.Made;
import io.tarpon.ingest.Lineage.Place;
import io.tarpon.ingest.disk.SpoolArea;
import io.tarpon.wire.ShardName;
import io.tarpon.wire.SplitName;
import io.tarpon.wire.metadata.DatasetSpec;
import io.tarpon.wire.metadata.PlannedShard;
import io.tarpon.wire.plan.PlannedSample;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What must hold of every version that grew, whatever was done to its source.
class GrowthPropertyTest {
    private static final int LINEAGES = 20;
    private static final int GENERATIONS = 7;

    @TempDir
    Path folder;

    @Test
    void whateverHappensToASourceEachVersionHoldsItAndKeepsWhatDidNotChange() throws Exception {
        long seed = Long.getLong("growth.seed", System.nanoTime());
        System.out.println("GrowthPropertyTest seed=" + seed + " (-Dgrowth.seed)");
        var random = new Random(seed);
        var spool = new SpoolArea(folder.resolve("spool"), 64 << 20);
        var tallies = new Tallies();
        for (int lineage = 0; lineage < LINEAGES; lineage++) {
            try (var store = new MemoryStore();
                    var other = new MemoryStore()) {
                var spec = spec(lineage, random);
                var growing = new Lineage(store, spool, spec);
                // The same listing planned anew, to compare with.
                var anew = new Lineage(other, spool, spec);
                run(growing, anew, new ListingChanges(random, folders(spec)), random, tallies);
            }
        }
        assertThat(spool.usedBytes()).isZero();
        assertThat(tallies.kept).as("kept").isPositive();
        assertThat(tallies.rebuilt).as("rebuilt").isPositive();
        assertThat(tallies.emptied).as("emptied").isPositive();
        assertThat(tallies.moved).as("moved down and kept").isPositive();
        System.out.println(tallies);
    }

    private static void run(Lineage growing, Lineage anew, ListingChanges source, Random random, Tallies tallies)
            throws Exception {
        source.add(40 + random.nextInt(80));
        var parent = growing.anew(source.objects());
        for (int generation = 0; generation < GENERATIONS; generation++) {
            boolean touched = generation != 2;
            if (touched) {
                source.change();
            }
            var grown = growing.grow(parent, source.objects());
            var whole = anew.anew(source.objects());
            check(growing, parent, grown, anew, whole, tallies);
            var again = growing.grow(parent, new GeneratedSource(source.objects()), 2_000);
            assertThat(again.plan())
                    .as("a function of source, specification and parent")
                    .isEqualTo(grown.plan());
            if (!touched) {
                assertThat(grown.plan().planDigest()).isEqualTo(parent.plan().planDigest());
            }
            parent = grown;
        }
    }

    private static void check(Lineage growing, Made parent, Made grown, Lineage anew, Made whole, Tallies tallies)
            throws Exception {
        assertThat(grown.plan().inputs()).isEqualTo(whole.plan().inputs());
        assertThat(growing.files(grown).report()).isEqualTo(anew.files(whole).report());
        var was = growing.shards(parent);
        var now = growing.shards(grown);
        var all = anew.shards(whole);
        for (var split : grown.plan().splits()) {
            var planned = inOrder(now, split.name());
            assertThat(planned).doesNotHaveDuplicates().containsExactlyInAnyOrderElementsOf(inOrder(all, split.name()));
            checkShards(split.name(), split.shards(), was, now, inOrder(all, split.name()), tallies);
            for (var shard : split.shards()) {
                var home = grown.homes().get(new Place(split.name(), shard.name()));
                assertThat(growing.files(grown).sha256(home)).isEqualTo(shard.planSha256());
                var samples = now.get(new Place(split.name(), shard.name()));
                assertThat(shard.samples()).isEqualTo(samples.size());
                assertThat(shard.bytes())
                        .isEqualTo(samples.stream()
                                        .mapToLong(PlannedSample::tarBytes)
                                        .sum()
                                + 1024);
            }
        }
        assertThat(grown.plan().splits())
                .extracting(split -> split.name())
                .isEqualTo(whole.plan().splits().stream()
                        .map(split -> split.name())
                        .toList());
        boolean same = grown.plan().kept() == grown.plan().shards()
                && grown.plan().shards() == parent.plan().shards();
        assertThat(grown.plan().planDigest().equals(parent.plan().planDigest())).isEqualTo(same);
    }

    private static void checkShards(
            SplitName split,
            List<PlannedShard> shards,
            Map<Place, List<PlannedSample>> was,
            Map<Place, List<PlannedSample>> now,
            List<PlannedSample> all,
            Tallies tallies) {
        var byKey = new LinkedHashMap<String, PlannedSample>();
        all.forEach(sample -> byKey.put(sample.key(), sample));
        var old = new HashSet<String>();
        int next = 0;
        for (int number = 0; was.containsKey(new Place(split, new ShardName(number))); number++) {
            var before = was.get(new Place(split, new ShardName(number)));
            var expected = new ArrayList<PlannedSample>();
            for (var sample : before) {
                old.add(sample.key());
                var still = byKey.get(sample.key());
                if (still != null) {
                    expected.add(still);
                }
            }
            if (expected.isEmpty()) {
                tallies.emptied++;
                continue;
            }
            var shard = shards.get(next);
            assertThat(now.get(new Place(split, shard.name())))
                    .as("parent's order")
                    .isEqualTo(expected);
            boolean kept = expected.equals(before);
            assertThat(shard.kept()).isEqualTo(kept ? new ShardName(number) : null);
            tallies.kept += kept ? 1 : 0;
            tallies.rebuilt += kept ? 0 : 1;
            tallies.moved += kept && number != next ? 1 : 0;
            next++;
        }
        var fresh = new ArrayList<String>();
        for (var shard : shards.subList(next, shards.size())) {
            assertThat(shard.kept()).isNull();
            now.get(new Place(split, shard.name())).forEach(sample -> fresh.add(sample.key()));
        }
        assertThat(fresh)
                .as("new samples in the seeded order")
                .isEqualTo(all.stream()
                        .map(PlannedSample::key)
                        .filter(key -> !old.contains(key))
                        .toList());
    }

    private static List<PlannedSample> inOrder(Map<Place, List<PlannedSample>> shards, SplitName split) {
        var samples = new ArrayList<PlannedSample>();
        for (int number = 0; shards.containsKey(new Place(split, new ShardName(number))); number++) {
            samples.addAll(shards.get(new Place(split, new ShardName(number))));
        }
        return samples;
    }

    private static DatasetSpec spec(int lineage, Random random) {
        var splits = List.of("none", "auto", "train=0.7,val=0.3").get(lineage % 3);
        long shardBytes = 4_096L << random.nextInt(4);
        return new DatasetSpec("photos", splits, shardBytes, 1, random.nextInt(3), 2, true, "allow");
    }

    private static List<String> folders(DatasetSpec spec) {
        return spec.splits().equals("auto") ? List.of("train/", "val/") : List.of("", "x/");
    }

    private static final class Tallies {
        int kept;
        int rebuilt;
        int emptied;
        int moved;

        @Override
        public String toString() {
            return "GrowthPropertyTest shards kept=" + kept + " rebuilt=" + rebuilt + " emptied=" + emptied + " moved="
                    + moved;
        }
    }
}
