package io.tarpon.ingest;

import io.tarpon.ingest.growth.NoGrowthException;
import io.tarpon.ingest.growth.Parent;
import io.tarpon.ingest.plan.SplitRule;
import io.tarpon.wire.ShardName;
import io.tarpon.wire.ShardRef;
import io.tarpon.wire.SplitName;
import io.tarpon.wire.VersionId;
import io.tarpon.wire.client.MetadataClient;
import io.tarpon.wire.http.TarponException;
import io.tarpon.wire.metadata.DatasetSpec;
import io.tarpon.wire.metadata.SplitRecord;
import io.tarpon.wire.metadata.VersionRecord;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/// Looks up what a version grows from, as metadata-svc pinned it when the version began.
final class Parents {
    private static final int PAGE = 1_000;

    private final MetadataClient metadata;

    Parents(MetadataClient metadata) {
        this.metadata = metadata;
    }

    /// [Parent#NONE] for a version that is planned anew.
    ///
    /// @throws UnplannableException where it cannot grow from its parent
    /// @throws IOException when metadata-svc does not answer; [TarponException] where it says to come again
    Parent of(VersionRecord version) throws IOException, UnplannableException {
        var parent = version.parent();
        if (parent == null) {
            return Parent.NONE;
        }
        var name = version.dataset() + "/" + parent;
        try {
            return read(version, parent, name);
        } catch (TarponException e) {
            if (Trouble.isRefusal(e)) {
                throw new UnplannableException(new NoGrowthException(name, e.detail()).reason());
            }
            throw e;
        } catch (NoGrowthException e) {
            throw new UnplannableException(e.reason());
        }
    }

    private Parent read(VersionRecord version, VersionId id, String name) throws IOException, NoGrowthException {
        var record = metadata.version(version.dataset(), id);
        var planDigest = record.planDigest();
        if (planDigest == null) {
            throw new NoGrowthException(name, "it has no plan");
        }
        requireSame(version.spec(), record.spec(), name);
        var splits = new ArrayList<Parent.Split>();
        for (var split : sorted(record)) {
            splits.add(new Parent.Split(split, shards(version, id, split)));
        }
        return new Parent(name, planDigest, splits);
    }

    private static List<SplitName> sorted(VersionRecord record) {
        return record.splits().stream()
                .map(SplitRecord::name)
                .sorted(Comparator.comparing(SplitName::value))
                .toList();
    }

    /// Shard size, multiple and seed may differ: they say how new samples are laid out.
    private static void requireSame(DatasetSpec now, DatasetSpec then, String name) throws NoGrowthException {
        if (!now.source().equals(then.source())) {
            throw new NoGrowthException(
                    name, "it was made from the source " + then.source() + ", and this one is " + now.source());
        }
        if (!SplitRule.parse(now.splits()).equals(SplitRule.parse(then.splits()))) {
            throw new NoGrowthException(
                    name, "its splits are '" + then.splits() + "', and now '" + now.splits() + "' is asked for");
        }
    }

    private List<Parent.Shard> shards(VersionRecord version, VersionId parent, SplitName split) throws IOException {
        var shards = new ArrayList<Parent.Shard>();
        Optional<ShardName> after = Optional.empty();
        do {
            var page = metadata.shards(version.dataset(), parent, split, after, PAGE);
            for (var shard : page.shards()) {
                var self = new ShardRef(version.dataset(), parent, split, shard.name());
                shards.add(new Parent.Shard(
                        shard.name(), shard.samples(), shard.bytes(), shard.planSha256(), shard.planKey(self)));
            }
            after = Optional.ofNullable(page.next());
        } while (after.isPresent());
        return shards;
    }
}
