package io.tarpon.block;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/// What one disk was asked and has not answered. A call that takes longer than the deadline is late, and whoever waits
/// for it is told; the thread that made it stays in it until the disk comes back, which nobody can change. A disk that
/// owes a late answer, and has given no other for as long, is silent: nothing is asked of it then, and what waits for a
/// turn is told too.
///
/// Threads: any for calls; one looks, again and again ([#look]), and tells. A time in which nobody looked, because this
/// process stood still, is held against no disk.
final class DiskCalls {
    private final long deadlineNanos;
    private final Set<Call> out = ConcurrentHashMap.newKeySet();
    private volatile long answeredAt;
    private volatile boolean silent;
    private long lookedAt;
    private long awakeSince;

    /// @param deadlineNanos that a call may take
    DiskCalls(long deadlineNanos, long nowNanos) {
        this.deadlineNanos = deadlineNanos;
        this.answeredAt = nowNanos;
        this.lookedAt = nowNanos;
        this.awakeSince = nowNanos;
    }

    /// How often to look.
    long lookEveryNanos() {
        return deadlineNanos / 4;
    }

    /// A call that waits for a thread.
    ///
    /// @param late runs at most once, on the thread that looks; must not wait
    Call queued(Runnable late) {
        var call = new Call(late);
        out.add(call);
        return call;
    }

    /// A call that begins at once.
    Call begun(Runnable late, long nowNanos) {
        var call = new Call(late);
        begin(call, nowNanos);
        out.add(call);
        return call;
    }

    /// The disk was asked.
    static void begin(Call call, long nowNanos) {
        call.begunAt = nowNanos;
        call.begun = true;
    }

    /// It answered, whatever it said.
    void answered(Call call, long nowNanos) {
        out.remove(call);
        answeredAt = nowNanos;
        silent = false;
    }

    /// It was never asked.
    void dropped(Call call) {
        out.remove(call);
    }

    boolean isSilent() {
        return silent;
    }

    /// Tells those whose calls are late, and answers whether the disk owes an answer.
    boolean look(long nowNanos) {
        if (nowNanos - lookedAt > 2 * deadlineNanos) {
            awakeSince = nowNanos;
        }
        lookedAt = nowNanos;
        var owes = out.stream().anyMatch(call -> isLate(call, nowNanos));
        silent = owes && isLongAgo(answeredAt, nowNanos);
        for (var call : out) {
            if (silent || isLate(call, nowNanos)) {
                call.tellLate();
            }
        }
        return owes;
    }

    private boolean isLate(Call call, long nowNanos) {
        return call.begun && isLongAgo(call.begunAt, nowNanos);
    }

    private boolean isLongAgo(long nanos, long nowNanos) {
        return Math.min(nowNanos - nanos, nowNanos - awakeSince) > deadlineNanos;
    }

    /// One question to the disk.
    static final class Call {
        private final Runnable late;
        private volatile long begunAt;
        private volatile boolean begun;
        private boolean told;

        private Call(Runnable late) {
            this.late = late;
        }

        private void tellLate() {
            if (!told) {
                told = true;
                late.run();
            }
        }
    }
}
