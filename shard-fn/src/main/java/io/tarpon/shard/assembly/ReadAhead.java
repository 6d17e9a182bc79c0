package io.tarpon.shard.assembly;

import io.tarpon.service.retry.AbandonedException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.ArrayDeque;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;

/// A window of segments that are being filled, in tar order, ahead of the writer. Its length bounds the memory of a
/// shard.
///
/// Owned by the writer's thread. Buffers are handed out in tar order, so the segment that the writer waits for always
/// has one, and no reader waits for
/// another: it cannot lock up. A large member that was begun and not ended has a segment in the window, so [#close]
/// finds every open stream. A segment goes back to the pool only when no reader can write to it any more, also after a
/// failure. Only an assembly that is abandoned waits for no reader, since a source that stands still must hold up
/// neither the end of the process nor the next shard: each buffer goes back by itself once its reader is done with it,
/// and so does each stream.
final class ReadAhead implements AutoCloseable {
    /// How long a wait for a reader goes on without a look whether anybody still wants the shard.
    private static final long LOOK_MILLIS = 100;

    private final SegmentCutter cutter;
    private final Inputs inputs;
    private final SegmentPool pool;
    private final Executor readers;
    private final int window;
    private final BooleanSupplier abandoned;
    private final ArrayDeque<Segment> ahead = new ArrayDeque<>();
    private boolean atEnd;

    ReadAhead(
            SegmentCutter cutter,
            Inputs inputs,
            SegmentPool pool,
            Executor readers,
            int window,
            BooleanSupplier abandoned) {
        this.cutter = cutter;
        this.inputs = inputs;
        this.pool = pool;
        this.readers = readers;
        this.window = window;
        this.abandoned = abandoned;
    }

    /// The next segment of the tar, filled; the caller gives it back with [#release]. Empty after the last. Throws
    /// [AbandonedException] once the assembly is abandoned.
    Optional<Segment> next() throws IOException {
        while (!atEnd && ahead.size() < window) {
            cutter.next().ifPresentOrElse(this::start, () -> atEnd = true);
        }
        var head = ahead.peek();
        if (head == null) {
            return Optional.empty();
        }
        await(head);
        ahead.remove();
        return Optional.of(head);
    }

    void release(Segment segment) {
        pool.give(segment);
    }

    @Override
    public void close() throws IOException {
        inputs.stop();
        if (!awaitReaders()) {
            leaveToReaders();
            return;
        }
        for (var segment : ahead) {
            if (segment.large != null) {
                segment.large.close();
            }
            pool.give(segment);
        }
        ahead.clear();
    }

    private void leaveToReaders() {
        for (var segment : ahead) {
            if (segment.large != null) {
                segment.large.abandon();
            }
            var _ = segment.filled.whenComplete((_, _) -> pool.give(segment));
        }
        ahead.clear();
    }

    /// Until no reader can write to a segment any more; gives false where the assembly is abandoned before. An
    /// interruption ends no reader, so it is kept for later.
    private boolean awaitReaders() {
        boolean isInterrupted = false;
        try {
            for (var segment : ahead) {
                while (!abandoned.getAsBoolean() && !segment.filled.isDone()) {
                    isInterrupted |= waitALittle(segment);
                }
            }
            return !abandoned.getAsBoolean();
        } finally {
            if (isInterrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /// Whether the wait was interrupted.
    private static boolean waitALittle(Segment segment) {
        try {
            segment.filled.get(LOOK_MILLIS, TimeUnit.MILLISECONDS);
        } catch (TimeoutException | ExecutionException | CancellationException e) {
            // Looked at by the caller: it is done, or it is not.
        } catch (InterruptedException e) {
            return true;
        }
        return false;
    }

    private void start(Filling filling) {
        var segment = pool.take();
        ahead.add(segment);
        switch (filling) {
            case Filling.SmallMembers members ->
                segment.filled = CompletableFuture.runAsync(() -> read(members, segment), readers);
            case Filling.Piece(var member, var length) -> {
                segment.large = member;
                segment.bytes.limit(length);
                member.read(segment);
            }
        }
    }

    private void read(Filling.SmallMembers members, Segment segment) {
        try {
            members.read(inputs, segment);
        } catch (IOException e) {
            throw new CompletionException(e);
        }
    }

    private void await(Segment segment) throws IOException {
        try {
            while (!isFilled(segment)) {
                requireWanted();
            }
            requireWanted();
        } catch (ExecutionException e) {
            if (e.getCause() instanceof IOException cause) {
                throw cause;
            }
            throw new IllegalStateException("a reader broke", e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted while waiting for a reader");
        }
    }

    private static boolean isFilled(Segment segment) throws ExecutionException, InterruptedException {
        try {
            segment.filled.get(LOOK_MILLIS, TimeUnit.MILLISECONDS);
            return true;
        } catch (TimeoutException e) {
            return false;
        }
    }

    private void requireWanted() {
        if (abandoned.getAsBoolean()) {
            throw new AbandonedException("assembly was abandoned");
        }
    }
}
