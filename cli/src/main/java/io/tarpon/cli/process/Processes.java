package io.tarpon.cli.process;

import io.tarpon.cli.CommandFailure;
import io.tarpon.cli.cluster.Member;
import java.io.File;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/// Processes of the operating system. One is ours if its pid lives and began at the moment that was written down.
public final class Processes {
    /// The operating system counts start times from boot; a corrected clock may move them this much.
    private static final long CLOCK_STEP_MILLIS = 2_000;

    private final boolean detach;

    /// @param detach whether `setsid` is to be had
    public Processes(boolean detach) {
        this.detach = detach;
    }

    /// Starts a process that outlives this one; what it prints goes to `output`.
    public Member start(Member member, File output) {
        var command = new ArrayList<String>();
        if (detach) {
            // A session of its own: Ctrl-C in the terminal reaches the command, not the cluster.
            command.add("setsid");
        }
        command.addAll(member.command());
        var builder = new ProcessBuilder(command)
                .redirectInput(ProcessBuilder.Redirect.from(new File("/dev/null")))
                .redirectOutput(ProcessBuilder.Redirect.appendTo(output))
                .redirectError(ProcessBuilder.Redirect.appendTo(output));
        builder.environment().putAll(member.environment());
        try {
            var handle = builder.start().toHandle();
            return member.startedAs(handle.pid(), startedMillis(handle));
        } catch (IOException e) {
            throw CommandFailure.failed("cannot start " + member.name() + ": " + e.getMessage(), "check " + output);
        }
    }

    public boolean isAlive(Member member) {
        return handle(member).isPresent();
    }

    private static Optional<ProcessHandle> handle(Member member) {
        return member.pid() == 0
                ? Optional.empty()
                : ProcessHandle.of(member.pid())
                        .filter(ProcessHandle::isAlive)
                        .filter(handle ->
                                Math.abs(startedMillis(handle) - member.startedMillis()) <= CLOCK_STEP_MILLIS);
    }

    private static long startedMillis(ProcessHandle handle) {
        return handle.info().startInstant().map(Instant::toEpochMilli).orElse(0L);
    }

    /// Asks the process to end, waits, and kills it where it does not.
    public void stop(Member member, Duration patience) {
        handle(member).ifPresent(handle -> {
            handle.destroy();
            if (!ended(handle.onExit(), patience)) {
                handle.destroyForcibly();
                ended(handle.onExit(), patience);
            }
        });
    }

    private static boolean ended(CompletableFuture<ProcessHandle> exit, Duration patience) {
        try {
            exit.get(patience.toMillis(), TimeUnit.MILLISECONDS);
            return true;
        } catch (TimeoutException e) {
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        } catch (ExecutionException e) {
            throw new IllegalStateException(e);
        }
    }
}
