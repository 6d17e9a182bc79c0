package io.tarpon.gateway;

import io.tarpon.gateway.body.Body;
import io.tarpon.gateway.body.Content;
import io.tarpon.gateway.body.Segment;
import io.tarpon.gateway.catalog.ShardPlans;
import io.tarpon.gateway.catalog.SplitLayouts;
import io.tarpon.gateway.catalog.SplitShards;
import io.tarpon.gateway.epoch.PositionOptions;
import io.tarpon.wire.Digests;
import io.tarpon.wire.gateway.PositionLine;
import io.tarpon.wire.json.Json;
import io.tarpon.wire.plan.PlannedSample;
import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;

/// Which samples come at which positions of an epoch, and what they were made of, as JSON lines.
///
/// The samples are looked up shard by shard, a few shards at a time: memory is that of the lines, and is charged to the
/// request.
///
/// Threads: any; a request in work holds a thread of the executor.
final class EpochPositions {
    private static final String JSON_LINES = "application/jsonl";
    private static final int SHARDS_AT_ONCE = 4;
    private static final int LITERAL_BYTES = 64 << 10;
    private static final int BYTES_A_LINE = 96;

    private final SplitLayouts layouts;
    private final ShardPlans plans;
    private final Executor executor;

    /// @param executor waits for many indexes and plans
    EpochPositions(SplitLayouts layouts, ShardPlans plans, Executor executor) {
        this.layouts = layouts;
        this.plans = plans;
        this.executor = executor;
    }

    /// Fails with `bad-parameter` for positions that are not there, with `overloaded` where the lines' memory is taken.
    ///
    /// @param heap that the lines are charged to
    CompletableFuture<Body> open(
            EpochBodies.Split split, long seed, long epoch, PositionOptions options, HeapBudget.Charge heap) {
        EpochBodies.requireOrder(split);
        var stretch = options.stretch(split.shards().samples());
        heap.grow(stretch.count() * BYTES_A_LINE);
        return layouts.of(split.shards(), split.digest())
                .thenApplyAsync(
                        layout -> {
                            var order = EpochBodies.order(layout, split, seed, epoch, options.shuffle());
                            var reader = order.reader();
                            var places = new ArrayList<Place>();
                            for (int line = 0; line < stretch.count(); line++) {
                                var position = stretch.start() + line;
                                places.add(new Place(position, line, reader.applyAsLong(position)));
                            }
                            return body(split, lines(split.shards(), places, heap));
                        },
                        executor);
    }

    /// @param line of the answer, from 0
    private record Place(long position, int line, long ordinal) {}

    private byte[][] lines(SplitShards shards, List<Place> places, HeapBudget.Charge heap) {
        var lines = new byte[places.size()][];
        places.sort(Comparator.comparingLong(Place::ordinal));
        List<CompletableFuture<Void>> inWork = new ArrayList<>();
        int next = 0;
        while (next < places.size()) {
            var shard = shards.shardOf(places.get(next).ordinal).orElseThrow();
            var end = next;
            while (end < places.size() && places.get(end).ordinal < shards.firstSample(shard + 1)) {
                end++;
            }
            inWork.add(read(shards, shard, places.subList(next, end), lines, heap));
            next = end;
            if (inWork.size() == SHARDS_AT_ONCE || next == places.size()) {
                CompletableFuture.allOf(inWork.toArray(CompletableFuture[]::new)).join();
                inWork.clear();
            }
        }
        return lines;
    }

    /// @param places in the shard, by ordinal
    /// @param lines takes those of the places
    private CompletableFuture<Void> read(
            SplitShards shards, int shard, List<Place> places, byte[][] lines, HeapBudget.Charge heap) {
        var first = shards.firstSample(shard);
        var samples = places.stream()
                .mapToInt(place -> (int) (place.ordinal - first))
                .toArray();
        var name = shards.shard(shard).ref().shard().toString();
        var left = places.iterator();
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
    private static Body body(EpochBodies.Split split, byte[][] lines) {
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
