package io.tarpon.gateway;

import io.tarpon.gateway.body.Segment;
import io.tarpon.gateway.catalog.SplitLayout;
import io.tarpon.wire.index.MemberPlace;
import java.util.Deque;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/// Which members of each sample a body has: all, or those of some fields, in the order they have in the tar.
///
/// @param fields extensions; none for all
record Projection(Set<String> fields) {
    static final Projection ALL = new Projection(Set.of());

    Projection {
        fields = new TreeSet<>(fields);
    }

    boolean isAll() {
        return fields.isEmpty();
    }

    /// Tar bytes of a sample's wanted members; 0 where it has none.
    long length(SplitLayout layout, long ordinal) {
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
    void segments(SplitLayout.Sample sample, Deque<Segment> out) {
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
                    out.add(new Segment.LaidOutRange(shard, from, to, false));
                }
                from = member.headerOffset();
            }
            to = member.headerOffset() + member.tarLength();
        }
        if (from < to) {
            out.add(new Segment.LaidOutRange(shard, from, to, true));
        }
    }

    private List<MemberPlace> wanted(SplitLayout.Sample sample) {
        return sample.shard().layout().members(sample.inside()).stream()
                .filter(member -> fields.contains(member.extension()))
                .toList();
    }
}
