package io.tarpon.block;

import io.tarpon.blocks.disk.BlockFile;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/// A block on its way to this node, shared by the one thread that writes it and all who read it meanwhile.
///
/// One lock guards its state. It has a holder for the writer and one for each reader; the last to let go gives the
/// file back, so the writer may finish, or fail, under any reader; where its disk hangs it is declared failed while the
/// writer is still in it, and what it does later is seen by nobody. Futures are completed outside the lock, on the
/// writer's thread or on the one that watches its disk.
final class Fill {
    /// Readers are woken for this much rather than for every sub-block: each waking is one `sendfile`.
    private static final long WORTH_WAKING_BYTES = 256 << 10;

    private final BlockPlan plan;
    private final List<Waiter> waiters = new ArrayList<>();
    private int holders = 1;
    private int attempts;
    private long verifiedBytes;
    private @Nullable BlockFile file;
    private @Nullable Throwable failure;

    Fill(BlockPlan plan) {
        this.plan = plan;
    }

    BlockPlan plan() {
        return plan;
    }

    /// One holder more, unless the last has gone.
    synchronized boolean join() {
        if (holders == 0 || failure != null) {
            return false;
        }
        holders++;
        return true;
    }

    /// Another disk is tried: what one that was tried before still does counts no longer, and its file is let go. Empty
    /// where readers were promised bytes of that file already: then no other can take its place.
    OptionalInt nextAttempt() {
        BlockFile before;
        int next;
        synchronized (this) {
            if (verifiedBytes > 0) {
                return OptionalInt.empty();
            }
            before = file;
            file = null;
            next = ++attempts;
        }
        if (before != null) {
            before.release();
        }
        return OptionalInt.of(next);
    }

    /// The file that this attempt writes from now on, once for each; the fill takes a reference of its own. Answers
    /// false where the attempt counts no longer.
    synchronized boolean begin(int attempt, BlockFile written) {
        if (attempt != attempts || holders == 0 || failure != null) {
            return false;
        }
        file = written.retain();
        return true;
    }

    /// So many bytes from the start of this file are checked and may be read; nothing happens where it is that of an
    /// attempt that counts no longer.
    @SuppressWarnings("ReferenceEquality") // that very file, not one of the same block
    void progress(BlockFile written, long bytes) {
        List<Waiter> woken = new ArrayList<>();
        synchronized (this) {
            if (file != written) {
                return;
            }
            verifiedBytes = bytes;
            waiters.removeIf(waiter -> waiter.enough(bytes) && woken.add(waiter));
        }
        woken.forEach(waiter -> waiter.end.complete(Math.min(waiter.to, bytes)));
    }

    /// No byte more will come.
    void fail(Throwable reason) {
        List<Waiter> woken;
        synchronized (this) {
            failure = reason;
            woken = List.copyOf(waiters);
            waiters.clear();
        }
        woken.forEach(waiter -> waiter.end.completeExceptionally(reason));
    }

    /// As [BlockBytes#readable].
    synchronized CompletionStage<Long> readable(long from, long to) {
        var waiter = new Waiter(from, to, new CompletableFuture<>());
        if (waiter.enough(verifiedBytes)) {
            waiter.end.complete(Math.min(to, verifiedBytes));
        } else if (failure != null) {
            waiter.end.completeExceptionally(failure);
        } else {
            waiters.add(waiter);
        }
        return waiter.end;
    }

    /// The file, once something of it is readable, for as long as the caller is a holder.
    synchronized BlockFile file() {
        return Objects.requireNonNull(file, "nothing is readable yet");
    }

    void release() {
        BlockFile last = null;
        synchronized (this) {
            holders--;
            if (holders == 0) {
                last = file;
            }
        }
        if (last != null) {
            last.release();
        }
    }

    /// A reader at `from` who wants bytes up to `to`.
    private record Waiter(long from, long to, CompletableFuture<Long> end) {
        boolean enough(long verified) {
            return verified >= Math.min(to, from + WORTH_WAKING_BYTES);
        }
    }
}
