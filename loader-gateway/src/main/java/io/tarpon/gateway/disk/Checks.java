package io.tarpon.gateway.disk;

import io.netty.util.concurrent.EventExecutor;
import io.tarpon.blocks.disk.BlockFile;
import io.tarpon.blocks.disk.DamagedBlockException;
import io.tarpon.blocks.disk.PageCache;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/// Has parts of block files made ready to be sent by workers, checked and in the page cache, and tells the event
/// loops what came out. Small samples are many, and waking a thread costs more than checking one: those that wait are
/// taken by few workers, and told in few turns of a loop. Large parts have a worker each.
///
/// Threads: any. `waiting` counts small parts that were submitted and not yet taken, `running` the workers that take
/// them or are about to. Whoever raises `waiting` past what all workers but one will take soon sends one more, so that
/// one that waits for a slow disk does not hold up the others. A worker leaves only after it saw none waiting.
final class Checks {
    private static final Logger LOG = Logger.getLogger(Checks.class);
    private static final long LARGE_BYTES = 64 << 10;

    /// Checks that one worker is expected to take before another is worth waking.
    private static final int EACH = 16;

    /// What is done for so long is told as soon as the check that is in work ends.
    private static final long TELL_NANOS = 200_000;

    private static final ThreadLocal<ByteBuffer> SCRATCH = ThreadLocal.withInitial(() -> ByteBuffer.allocate(0));

    private final Executor workers;
    private final Queue<Check> queue = new ConcurrentLinkedQueue<>();
    private final AtomicInteger waiting = new AtomicInteger();
    private final AtomicInteger running = new AtomicInteger();

    /// @param workers never interrupted, since that closes a file for all who read it
    Checks(Executor workers) {
        this.workers = workers;
    }

    /// @param file its reference goes to the check, which gives it back
    private record Check(
            BlockFile file, long from, long to, EventExecutor loop, Consumer<@Nullable IOException> whenDone) {}

    private record Done(Check check, @Nullable IOException failure) {}

    /// Checks bytes `from` to `to`, once while the file is open, and brings them into the page cache where they
    /// were not read of late.
    ///
    /// @param whenDone runs on the loop, with null where they are what was sealed, and the file is whole
    void submit(BlockFile file, long from, long to, EventExecutor loop, Consumer<@Nullable IOException> whenDone) {
        var check = new Check(file.retain(), from, to, loop, whenDone);
        if (to - from > LARGE_BYTES) {
            workers.execute(() -> tell(List.of(done(check))));
            return;
        }
        queue.add(check);
        if (waiting.incrementAndGet() > EACH * (running.get() - 1)) {
            running.incrementAndGet();
            workers.execute(this::work);
        }
    }

    /// Small parts that were submitted and not yet taken. Large ones wait as tasks of the workers.
    int waiting() {
        return waiting.get();
    }

    private void work() {
        while (true) {
            takeAll();
            running.decrementAndGet();
            if (waiting.get() == 0) {
                return;
            }
            // Submitted in between, while this worker was counted on.
            running.incrementAndGet();
        }
    }

    private void takeAll() {
        List<Done> done = new ArrayList<>();
        var toldAt = System.nanoTime();
        for (var check = queue.poll(); check != null; check = queue.poll()) {
            waiting.decrementAndGet();
            done.add(done(check));
            if (done.size() == EACH || System.nanoTime() - toldAt > TELL_NANOS) {
                tell(done);
                done = new ArrayList<>();
                toldAt = System.nanoTime();
            }
        }
        tell(done);
    }

    /// Never throws: others wait behind it.
    private static Done done(Check check) {
        try {
            makeReady(check.file, check.from, check.to);
            return new Done(check, null);
        } catch (IOException e) {
            return new Done(check, e);
        } catch (RuntimeException | Error e) {
            return new Done(check, new IOException(e));
        } finally {
            check.file.release();
        }
    }

    private static void makeReady(BlockFile file, long from, long to) throws IOException {
        file.verify(from, to, scratch(file));
        if (!file.isWhole()) {
            throw new DamagedBlockException(
                    file.path(), DamagedBlockException.WHOLE_FILE, "it was cut while it was open");
        }
        if (!file.isWarm(from, to)) {
            PageCache.warm(file, from, to);
        }
    }

    private static ByteBuffer scratch(BlockFile file) {
        var needed = file.header().subBlockBytes();
        if (SCRATCH.get().capacity() < needed) {
            SCRATCH.set(ByteBuffer.allocateDirect(needed));
        }
        return SCRATCH.get();
    }

    private static void tell(List<Done> done) {
        done.stream()
                .collect(Collectors.groupingBy(one -> one.check.loop))
                .forEach((loop, ofLoop) -> loop.execute(() -> ofLoop.forEach(Checks::tellOne)));
    }

    private static void tellOne(Done done) {
        try {
            done.check.whenDone.accept(done.failure);
        } catch (RuntimeException | Error e) {
            LOG.error("one stream did not take its check, the others are told", e);
        }
    }
}
