package io.tarpon.shard.assembly;

import io.tarpon.wire.index.ShardIndexBuilder;
import io.tarpon.wire.plan.PlanReader;
import io.tarpon.wire.plan.PlannedMember;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// Cuts the tar that a plan describes into segments, in tar order, and declares each sample to the index on the way.
/// Where it cuts does not show in the bytes.
/// Owned by the writer's thread.
final class SegmentCutter {
    private final PlanReader plan;
    private final ShardIndexBuilder index;
    private final int segmentBytes;
    private final Function<TarMember, LargeMember> large;

    private String key = "";
    private Iterator<PlannedMember> members = Collections.emptyIterator();
    private @Nullable TarMember waiting;
    private @Nullable LargeMember open;
    private long openLeft;

    SegmentCutter(PlanReader plan, ShardIndexBuilder index, int segmentBytes, Function<TarMember, LargeMember> large) {
        this.plan = plan;
        this.index = index;
        this.segmentBytes = segmentBytes;
        this.large = large;
    }

    /// What the next segment holds; empty when the plan is at its end and known to be whole.
    Optional<Filling> next() throws IOException {
        if (open == null) {
            var small = smallMembers();
            if (!small.isEmpty()) {
                return Optional.of(new Filling.SmallMembers(small));
            }
            if (waiting == null) {
                return Optional.empty();
            }
            open = large.apply(waiting);
            openLeft = open.tarBytes();
            waiting = null;
        }
        return Optional.of(nextPiece(open));
    }

    private Filling nextPiece(LargeMember member) {
        int length = (int) Math.min(segmentBytes, openLeft);
        openLeft -= length;
        if (openLeft == 0) {
            open = null;
        }
        return new Filling.Piece(member, length);
    }

    private List<TarMember> smallMembers() throws IOException {
        var fitting = new ArrayList<TarMember>();
        long left = segmentBytes;
        for (var member = peek(); member != null && member.tarBytes() <= left; member = peek()) {
            left -= member.tarBytes();
            fitting.add(member);
            waiting = null;
        }
        return fitting;
    }

    private @Nullable TarMember peek() throws IOException {
        if (waiting == null) {
            if (!members.hasNext()) {
                nextSample();
            }
            waiting = members.hasNext() ? member(members.next()) : null;
        }
        return waiting;
    }

    private TarMember member(PlannedMember planned) {
        return new TarMember(key + '.' + planned.extension(), planned);
    }

    private void nextSample() throws IOException {
        var sample = plan.next();
        if (sample.isPresent()) {
            index.sample(sample.get());
            key = sample.get().key();
            members = sample.get().members().iterator();
        }
    }
}
