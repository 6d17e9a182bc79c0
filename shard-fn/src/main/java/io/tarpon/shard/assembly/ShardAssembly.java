package io.tarpon.shard.assembly;

import io.tarpon.store.ObjectSource;
import io.tarpon.store.ObjectStore;
import io.tarpon.wire.index.ShardIndex;
import io.tarpon.wire.index.ShardIndexBuilder;
import io.tarpon.wire.plan.PlanReader;
import java.io.IOException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/// Makes tars from plans: the bytes depend on the plan and its inputs alone, not on limits, threads or time.
///
/// Never holds a shard. What it holds is the buffers of the read-aheads (direct memory, bounded for all shards
/// together), the planned members of those buffers, and an index for each shard in work. Used by as many
/// threads at a time as [AssemblyLimits#shards] says, each the writer of one shard; reading and hashing have
/// threads of their own, which all shards share, so that one shard, too, keeps several cores busy.
public final class ShardAssembly implements AutoCloseable {
    private static final long CLOSE_SECONDS = 1;

    private final ExecutorService readers;
    private final ExecutorService hashers;
    private final SegmentPool pool;
    private final int window;

    public ShardAssembly(AssemblyLimits limits) {
        readers = Executors.newFixedThreadPool(limits.readers(), named("shard-read-"));
        hashers = Executors.newFixedThreadPool(limits.shards(), named("shard-hash-"));
        pool = new SegmentPool(limits.segmentBytes());
        window = limits.window();
    }

    /// Writes the whole tar to the upload, which the caller completes. After an exception the upload is worth nothing.
    ///
    /// @param abandoned asked before each segment, and while one is waited for; once true, ends with
    ///     [io.tarpon.service.retry.AbandonedException]
    /// @throws io.tarpon.store.SourceChangedException where an input is not the planned one
    /// @throws UnreadableInputException where an input cannot be read
    public ShardIndex assemble(
            PlanReader plan, ObjectSource source, ObjectStore.Upload upload, BooleanSupplier abandoned)
            throws IOException {
        var index = new ShardIndexBuilder();
        var inputs = new Inputs(source);
        var cutter =
                new SegmentCutter(plan, index, pool.segmentBytes(), member -> new LargeMember(member, inputs, readers));
        var output = new TarOutput(index, upload, hashers);
        try (var ahead = new ReadAhead(cutter, inputs, pool, readers, window, abandoned)) {
            for (var next = ahead.next(); next.isPresent(); next = ahead.next()) {
                try {
                    output.append(next.get().bytes);
                } finally {
                    ahead.release(next.get());
                }
            }
        }
        return output.finish();
    }

    /// Call it when no assembly runs any more, or all were abandoned: readers that still wait for a source are
    /// interrupted, waited for a moment, and left alone.
    @Override
    public void close() {
        readers.shutdownNow();
        hashers.shutdown();
        try {
            var _ = readers.awaitTermination(CLOSE_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static ThreadFactory named(String prefix) {
        return Thread.ofPlatform().daemon().name(prefix, 0).factory();
    }
}
