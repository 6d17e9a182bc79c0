package io.tarpon.gateway.epoch;

import io.tarpon.gateway.body.Body;
import io.tarpon.gateway.body.Content;
import io.tarpon.gateway.body.Segment;
import io.tarpon.gateway.catalog.SealedSplit;
import io.tarpon.gateway.catalog.ShardPlans;
import io.tarpon.gateway.flow.HeapBudget;
import io.tarpon.wire.Digests;
import io.tarpon.wire.gateway.PositionLine;
import io.tarpon.wire.json.Json;
import io.tarpon.wire.plan.PlannedSample;
import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;

/// The lines of one request for positions. Its samples are looked up shard by shard, a few shards at a time: it
/// holds the lines, and they are charged to the request.
///
/// Threads: one turn after the other; those that read shards in one turn write different lines.
final class PositionPage {
    private static final String JSON_LINES = "application/jsonl";
    private static final int SHARDS_AT_ONCE = 4;
    private static final int LITERAL_BYTES = 64 << 10;

    private final SealedSplit split;
    private final List<Place> places;
    private final ShardPlans plans;
    private final HeapBudget.Charge heap;
    private final byte[][] lines;

    /// @param places by ordinal
    PositionPage(SealedSplit split, List<Place> places, ShardPlans plans, HeapBudget.Charge heap) {
        this.split = split;
        this.places = places;
        this.plans = plans;
        this.heap = heap;
        this.lines = new byte[places.size()][];
    }

    /// @param line of the answer, from 0
    record Place(long position, int line, long ordinal) {}

    /// Once. Fails with `storage-unavailable`, or `overloaded` where there is no memory for the lines.
    ///
    /// @param executor for turns, none of which waits
    CompletableFuture<Body> lines(Executor executor) {
        return from(0, executor);
    }

    private CompletableFuture<Body> from(int first, Executor executor) {
        if (first == places.size()) {
            return CompletableFuture.completedFuture(body());
        }
        var shards = split.shards();
        List<CompletableFuture<Void>> inWork = new ArrayList<>();
        int next = first;
        while (next < places.size() && inWork.size() < SHARDS_AT_ONCE) {
            var shard = shards.shardOf(places.get(next).ordinal).orElseThrow();
            var end = next;
            while (end < places.size() && places.get(end).ordinal < shards.firstSample(shard + 1)) {
                end++;
            }
            inWork.add(read(shard, places.subList(next, end)));
            next = end;
        }
        var rest = next;
        return CompletableFuture.allOf(inWork.toArray(CompletableFuture[]::new))
                .thenComposeAsync(_ -> from(rest, executor), executor);
    }

    /// @param inShard by ordinal
    private CompletableFuture<Void> read(int shard, List<Place> inShard) {
        var shards = split.shards();
        var first = shards.firstSample(shard);
        var samples = inShard.stream()
                .mapToInt(place -> (int) (place.ordinal - first))
                .toArray();
        var name = shards.shard(shard).ref().shard().toString();
        var left = inShard.iterator();
        return plans.read(shards, shard, samples, (_, planned) -> {
            var place = left.next();
            var line = line(place, name, planned);
            heap.grow(line.length);
            lines[place.line] = line;
        });
    }

    private static byte[] line(Place place, String shard, PlannedSample planned) {
        var sources = planned.members().stream()
                .map(member -> new PositionLine.Source(member.sourceKey(), member.etag()))
                .toList();
        return Json.bytes(new PositionLine(place.position, place.ordinal, planned.key(), shard, sources));
    }

    /// Empties the lines, so that they are held once.
    private Body body() {
        var digest = Digests.sha256();
        var literals = new ArrayList<Segment>();
        var bytes = new ByteArrayOutputStream();
        for (int line = 0; line < lines.length; line++) {
            bytes.writeBytes(lines[line]);
            bytes.write('\n');
            lines[line] = new byte[0];
            if (bytes.size() >= LITERAL_BYTES || line == lines.length - 1) {
                var literal = bytes.toByteArray();
                bytes.reset();
                digest.update(literal);
                literals.add(Segment.Literal.of(literal));
            }
        }
        var etag = "\"" + HexFormat.of().formatHex(digest.digest()) + "\"";
        return new Body(JSON_LINES, etag, split.sealedAt(), false, Content.of(literals.toArray(Segment[]::new)));
    }
}
