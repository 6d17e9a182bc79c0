package io.tarpon.gateway.catalog;

import io.tarpon.gateway.body.Segment;
import io.tarpon.wire.http.TarponException;
import io.tarpon.wire.index.MemberPlace;
import java.util.Deque;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/// Which members of each sample a body has: all, or those of some fields, in the order they have in the tar.
///
/// @param fields extensions; none for all
public record Projection(Set<String> fields) {
    public static final Projection ALL = new Projection(Set.of());

    public Projection {
        fields = new TreeSet<>(fields);
    }

    /// The members of these fields, or all for none; fails with `bad-parameter` for what no sample has.
    public static Projection of(SealedSplit split, Set<String> fields) {
        var projection = new Projection(fields);
        projection.requireIn(split);
        return projection;
    }

    /// Fails with `bad-parameter` where a field is that no sample of the split has.
    public void requireIn(SealedSplit split) {
        for (var field : fields) {
            if (!split.record().fields().containsKey(field)) {
                throw TarponException.badParameter(
                        "no sample of " + split.shards().versionName() + "/"
                                + split.record().name() + " has the field '" + field + "'; " + split.fieldCounts());
            }
        }
    }

    public boolean isAll() {
        return fields.isEmpty();
    }

    /// Tar bytes of a sample's wanted members; 0 where it has none.
    public long length(SplitLayout layout, long ordinal) {
        if (isAll()) {
            return layout.length(ordinal);
        }
        long sum = 0;
        for (var member : wanted(layout.sample(ordinal))) {
            sum += member.tarLength();
        }
        return sum;
    }

    /// The places of a sample's wanted members, those that lie side by side as one.
    public void segments(SplitLayout.Sample sample, Deque<? super Segment.InShard> out) {
        var shard = sample.shard();
        var layout = shard.layout();
        if (isAll()) {
            out.add(new Segment.WholeSample(shard, sample.inside()));
            return;
        }
        var from = layout.sampleOffset(sample.inside());
        long to = from;
        for (var member : wanted(sample)) {
            if (member.headerOffset() != to) {
                if (from < to) {
                    out.add(new Segment.ShardRange(shard, from, to, false));
                }
                from = member.headerOffset();
            }
            to = member.headerOffset() + member.tarLength();
        }
        if (from < to) {
            out.add(new Segment.ShardRange(shard, from, to, true));
        }
    }

    private List<MemberPlace> wanted(SplitLayout.Sample sample) {
        return sample.shard().layout().members(sample.inside()).stream()
                .filter(member -> fields.contains(member.extension()))
                .toList();
    }
}
