package io.tarpon.gateway.flow;

import io.netty.util.concurrent.AbstractEventExecutor;
import io.netty.util.concurrent.Future;
import io.netty.util.concurrent.ImmediateEventExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/// An event loop whose tasks somebody else runs, when they like. Its only thread is whoever asks.
final class DueTasks extends AbstractEventExecutor {
    private final Consumer<Runnable> due;

    /// @param due takes the tasks
    DueTasks(Consumer<Runnable> due) {
        this.due = due;
    }

    @Override
    public void execute(Runnable task) {
        due.accept(task);
    }

    @Override
    public boolean inEventLoop(Thread thread) {
        return true;
    }

    @Override
    public boolean isShuttingDown() {
        return false;
    }

    @Override
    public Future<?> shutdownGracefully(long quietPeriod, long timeout, TimeUnit unit) {
        return terminationFuture();
    }

    @Override
    public Future<?> terminationFuture() {
        return ImmediateEventExecutor.INSTANCE.newSucceededFuture(null);
    }

    @Override
    @Deprecated
    public void shutdown() {
        // Nothing runs by itself.
    }

    @Override
    public boolean isShutdown() {
        return false;
    }

    @Override
    public boolean isTerminated() {
        return false;
    }

    @Override
    public boolean awaitTermination(long timeout, TimeUnit unit) {
        return true;
    }
}
