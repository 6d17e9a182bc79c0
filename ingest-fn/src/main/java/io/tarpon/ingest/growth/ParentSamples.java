package io.tarpon.ingest.growth;

import io.tarpon.ingest.disk.ExternalSort;
import io.tarpon.ingest.disk.SpoolException;
import io.tarpon.ingest.plan.Classified;
import io.tarpon.ingest.plan.SplitLayout;
import io.tarpon.ingest.record.ParentRecord;
import io.tarpon.ingest.record.RecordBytes;
import io.tarpon.ingest.record.SampleRecord.Input;
import io.tarpon.store.ObjectStore;
import io.tarpon.wire.SplitName;
import io.tarpon.wire.key.KeyPolicy;
import io.tarpon.wire.plan.PlannedMember;
import io.tarpon.wire.plan.PlannedSample;
import java.io.IOException;
import java.util.ArrayList;

/// Reads every plan of the parent and holds it to the new layout: a file that was in one sample must not be in another
/// now, or in another split, or what readers have seen under one key would come to mean something else.
public final class ParentSamples {
    private final ObjectStore store;
    private final Parent parent;
    private final SplitLayout layout;
    private final RecordBytes record = new RecordBytes();

    public ParentSamples(ObjectStore store, Parent parent, SplitLayout layout) {
        this.store = store;
        this.parent = parent;
        this.layout = layout;
    }

    /// Adds a [ParentRecord] for each sample whose split still is one.
    ///
    /// @throws NoGrowthException where a plan is missing or damaged, or the layout is another
    public void addTo(ExternalSort samples) throws IOException, NoGrowthException {
        for (var split : parent.splits()) {
            int number = layout.splits().indexOf(split.name());
            for (int shard = 0; shard < split.shards().size(); shard++) {
                try (var plan = ParentPlan.open(store, parent, split.shards().get(shard))) {
                    int place = 0;
                    for (var next = plan.next(); next.isPresent(); next = plan.next(), place++) {
                        if (number < 0) {
                            requireGone(split.name(), next.get());
                        } else {
                            add(samples, placed(split.name(), number, shard, place, next.get()));
                        }
                    }
                }
            }
        }
    }

    private void add(ExternalSort samples, ParentRecord sample) throws SpoolException {
        sample.write(record);
        samples.add(record.bytes(), 0, record.length());
    }

    private ParentRecord placed(SplitName split, int number, int shard, int place, PlannedSample sample)
            throws NoGrowthException {
        var members = new ArrayList<Input>(sample.members().size());
        var sampleKey = "";
        for (var member : sample.members()) {
            var now = layout.place(member.sourceKey());
            if (!(now instanceof Classified.Member found) || !isSame(number, sample, member, sampleKey, found)) {
                throw moved(split, sample, member, now);
            }
            sampleKey = found.sampleKey();
            members.add(new Input(member.extension(), found.extension(), member.size(), member.etag()));
        }
        return new ParentRecord(number, sampleKey, shard, place, members);
    }

    /// @param sampleKey of the members before this one; empty for the first
    private static boolean isSame(
            int split, PlannedSample sample, PlannedMember member, String sampleKey, Classified.Member now) {
        return now.split() == split
                && now.finalExtension().equals(member.extension())
                && (sampleKey.isEmpty()
                        ? isNamed(sample, now.sampleKey())
                        : now.sampleKey().equals(sampleKey));
    }

    private static boolean isNamed(PlannedSample sample, String sampleKey) {
        return sample.key().equals(sampleKey) || sample.key().equals(KeyPolicy.renamed(sampleKey));
    }

    /// A folder that was a split and has no samples any more: its files are gone, and nothing else may be meant.
    private void requireGone(SplitName split, PlannedSample sample) throws NoGrowthException {
        for (var member : sample.members()) {
            if (!layout.isByFolder() || !member.sourceKey().startsWith(split + "/")) {
                throw moved(split, sample, member, layout.place(member.sourceKey()));
            }
        }
    }

    private NoGrowthException moved(SplitName split, PlannedSample sample, PlannedMember member, Classified now) {
        var meant = switch (now) {
            case Classified.LeftOut(var reason) -> "be left out (" + reason.wireName() + ")";
            case Classified.Member(int number, var key, var _, var _) ->
                "be in split " + layout.splits().get(number) + " as sample " + key;
        };
        return new NoGrowthException(
                parent,
                "the folders of the source make other splits than before: " + member.sourceKey() + " is in split "
                        + split + " there as sample " + sample.key() + " and would now " + meant);
    }
}
