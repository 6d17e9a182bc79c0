package io.tarpon.ingest;

import io.tarpon.ingest.disk.SpoolArea;
import io.tarpon.ingest.growth.Parent;
import io.tarpon.store.ObjectStore;
import io.tarpon.store.SourceObject;
import io.tarpon.wire.DatasetName;
import io.tarpon.wire.ShardName;
import io.tarpon.wire.ShardRef;
import io.tarpon.wire.SplitName;
import io.tarpon.wire.VersionId;
import io.tarpon.wire.metadata.DatasetSpec;
import io.tarpon.wire.plan.PlannedSample;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// Versions that grow one from the other, planned over one store as if each had been built and sealed.
final class Lineage {
    static final DatasetName DEMO = new DatasetName("demo");
    private static final long SORT_MEMORY = 1 << 20;

    private final ObjectStore store;
    private final SpoolArea spool;
    private final DatasetSpec spec;
    private int versions;

    Lineage(ObjectStore store, SpoolArea spool, DatasetSpec spec) {
        this.store = store;
        this.spool = spool;
        this.spec = spec;
    }

    /// @param homes where each shard's plan lies
    record Made(FrozenPlan plan, VersionId version, Map<Place, ShardRef> homes, PlanFiles files) {
        /// What the next one may grow from, as planning sees it.
        Parent parent() throws IOException {
            var splits = new ArrayList<Parent.Split>();
            for (var split : plan.splits()) {
                var shards = new ArrayList<Parent.Shard>();
                for (var shard : split.shards()) {
                    shards.add(new Parent.Shard(
                            shard.name(),
                            shard.samples(),
                            shard.bytes(),
                            shard.planSha256(),
                            files.key(homes.get(new Place(split.name(), shard.name())))));
                }
                splits.add(new Parent.Split(split.name(), shards));
            }
            return new Parent(DEMO + "/" + version, plan.planDigest(), splits);
        }
    }

    record Place(SplitName split, ShardName shard) {}

    Made anew(List<SourceObject> objects) throws Exception {
        return anew(new GeneratedSource(objects), SORT_MEMORY);
    }

    Made anew(GeneratedSource source, long sortMemory) throws Exception {
        return plan(source, sortMemory, Parent.NONE, Map.of());
    }

    Made grow(Made parent, List<SourceObject> objects) throws Exception {
        return grow(parent, new GeneratedSource(objects), SORT_MEMORY);
    }

    Made grow(Made parent, GeneratedSource source, long sortMemory) throws Exception {
        return plan(source, sortMemory, parent.parent(), parent.homes());
    }

    private Made plan(GeneratedSource source, long sortMemory, Parent parent, Map<Place, ShardRef> parentHomes)
            throws Exception {
        var version = new VersionId(++versions);
        var plan = new PlanFreezing(store, spool, sortMemory, 50_000, ShortPauses.forEver())
                .freeze(source, DEMO, version, spec, parent, PacedFence.open());
        var homes = new HashMap<Place, ShardRef>();
        for (var split : plan.splits()) {
            for (var shard : split.shards()) {
                var kept = shard.kept();
                homes.put(
                        new Place(split.name(), shard.name()),
                        kept == null
                                ? new ShardRef(DEMO, version, split.name(), shard.name())
                                : parentHomes.get(new Place(split.name(), kept)));
            }
        }
        return new Made(plan, version, homes, new PlanFiles(store, DEMO, version));
    }

    /// The samples of each shard of a version, in order.
    Map<Place, List<PlannedSample>> shards(Made made) throws IOException {
        var files = new PlanFiles(store, DEMO, made.version());
        var shards = new HashMap<Place, List<PlannedSample>>();
        for (var home : made.homes().entrySet()) {
            shards.put(home.getKey(), files.samples(home.getValue()));
        }
        return shards;
    }

    PlanFiles files(Made made) {
        return made.files();
    }
}
